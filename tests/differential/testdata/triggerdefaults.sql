# A BEFORE INSERT trigger may set what a default that is an expression has given.
create table b (id int primary key auto_increment, c int, d int default (c + 1), n int not null default (c + 5), e int default (7), h varchar(10) default (upper('ab')));
create trigger g before insert on b for each row set new.d = 70, new.n = new.e + 1, new.h = concat(new.h, '-');
insert into b (c) values (4);
insert into b (c, h) select 5, 'x' union select 6, default(h) from b;
insert into b set c = 7, e = default;
replace into b (id, c) values (1, 8);
select * from b order by id;
drop trigger g;
create trigger g before insert on b for each row set new.d = null, new.h = null, new.n = 1;
insert into b (c) values (9);
select * from b where c = 9;
drop table b;
# DEFAULT is computed where it stands in the list; the defaults of other columns come after the list, with a BEFORE trigger in front of it.
create table o (id int primary key auto_increment, c int, k int default 3, h int default (k + 1), d int default (c + 1), g int as (d * 2) stored, y int default (g + 1000), v int as (h + 1), n int not null default (c + 5));
insert into o (c) values (1);
insert into o (d, c) values (default, 1);
insert into o (c, d) values (1, default), (2, 9), (3, default);
insert into o (h, k, c, g, v, y) values (default, 7, 1, default, default, default);
insert into o values (default, 1, default, default, default, default, default, default, default), (default, 2, 4, default, default, default, default, default, default);
insert into o (c) select 1 union select 2;
insert into o (d) values (default);
insert into o (c, n) values (null, default);
insert ignore into o (c, n) values (null, default);
select c, k, h, d, g, y, v, n from o order by id;
delete from o;
create trigger g before insert on o for each row set @d = concat_ws(',', @d, new.d), new.c = new.c + 1;
insert into o (c) values (1);
insert into o (d, c) values (default, 1);
insert into o (c, d) values (1, default), (2, 9), (3, default);
insert into o (h, k, c, g, v, y) values (default, 7, 1, default, default, default);
insert into o values (default, 1, default, default, default, default, default, default, default), (default, 2, 4, default, default, default, default, default, default);
insert into o (c) select 1 union select 2;
replace into o (id, c) values (100, 1), (100, 2);
insert into o (id, c) values (100, 5) on duplicate key update d = default, h = default, c = 7;
select c, k, h, d, g, y, v, n from o order by id;
select concat(@d);
# A branch of a trigger that sets several columns of NEW.
drop trigger g;
delete from o;
create table log (a int, b int);
delimiter //
create trigger g before insert on o for each row begin
  if new.c = 1 then set new.d = 7, new.n = 9; end if;
  if new.c = 2 then set new.d = 8; insert into log values (new.d, new.n); set new.h = new.d + 1; end if;
  case when new.c = 3 then begin set new.d = 5; set new.n = 6; end; else set new.k = 11; end case;
  begin set new.c = new.c + 20; set new.h = new.c; end;
end//
delimiter ;
insert into o (c, n) values (1, 1), (2, 2), (3, 3), (4, 4);
replace into o (id, c) values (200, 1), (200, 3);
select c, k, h, d, g, y, v, n from o order by id;
select * from log;
drop trigger g;
create trigger g before update on o for each row begin if new.c = 1 then set new.d = 7; set new.n = 9; end if; end;
update o set c = 1 where id < 200 order by id limit 2;
insert into o (id, c) values (200, 1) on duplicate key update c = 1;
select c, k, h, d, g, y, v, n from o order by id;
# DEFAULT of a column that has none is an error in front of the triggers, a missing value behind them.
create table nd (a int not null, b int);
create trigger ndt before insert on nd for each row set new.a = 5;
insert into nd values (default, 1);
insert into nd (b) values (1);
insert into nd (a, b) values (default, 1), (3, default);
insert into nd values ();
insert into nd set a = default, b = 2;
select * from nd;
# NULL for an AUTO_INCREMENT column in ON DUPLICATE KEY UPDATE is zero.
create table od (id int primary key auto_increment, u int unique, v int as (u + 1));
insert into od (u) values (1), (2);
insert into od (u) values (1) on duplicate key update id = null;
insert into od (u) values (2) on duplicate key update id = null;
update od set id = null where u = 2;
select * from od;
