-- Procedures, functions, triggers, foreign keys, prepared statements.

create table log (id int primary key auto_increment, msg varchar(50));
create table t (id int primary key, v int);
delimiter //
create procedure p1 (in a int, out b int, inout c int)
begin
  declare x int default 0;
  set x = a * 2;
  set b = x + 1, c = c + x;
end//
create procedure p2 ()
begin
  select 1 as one;
  select 'a' as a, 'b' as b;
end//
create procedure p3 (n int)
begin
  declare i int default 0;
  while i < n do
    insert into log (msg) values (concat('row ', i));
    set i = i + 1;
  end while;
end//
create procedure p4 (n int)
begin
  declare exit handler for sqlexception begin select 'handled' as h; end;
  insert into t values (n, n);
  insert into t values (n, n);
end//
create procedure p5 ()
begin
  declare done int default 0;
  declare v, s int default 0;
  declare cur cursor for select id from log order by id;
  declare continue handler for not found set done = 1;
  open cur;
  l: loop
    fetch cur into v;
    if done then leave l; end if;
    set s = s + v;
  end loop;
  close cur;
  select s;
end//
create procedure p6 (n int)
begin
  if n < 0 then signal sqlstate '45000' set message_text = 'negative';
  elseif n = 0 then select 'zero' r;
  else case n when 1 then select 'one' r; else select 'many' r; end case;
  end if;
end//
create procedure p7 ()
begin
  repeat set @r = ifnull(@r, 0) + 1; until @r >= 3 end repeat;
end//
create function f1 (a int) returns int deterministic return a + 1//
create function f2 (s varchar(20)) returns varchar(50) deterministic no sql
begin
  declare r varchar(50);
  set r = concat('<', s, '>');
  return r;
end//
delimiter ;
set @c = 10;
call p1(5, @b, @c);
select @b, @c;
-- text
call p2();
call p3(3);
select * from log order by id;
call p4(1);
select * from t;
call p5();
call p6(-1);
call p6(0);
call p6(2);
call p7();
select @r;
call p1(1);
select f1(1), f2('x');
drop function if exists f1;
drop procedure p7;
drop procedure if exists p7;
create trigger bi before insert on t for each row set new.v = ifnull(new.v, 100);
create trigger ai after insert on t for each row insert into log (msg) values (concat('ins ', new.id, ' ', new.v));
delimiter //
create trigger bu before update on t for each row begin
  if new.v < 0 then signal sqlstate '45000' set message_text = 'v negative'; end if;
  set new.v = new.v + 1;
end//
delimiter ;
create trigger ad after delete on t for each row insert into log (msg) values (concat('del ', old.id));
insert into t values (10, null), (11, 5);
update t set v = 7 where id = 10;
update t set v = -1 where id = 10;
delete from t where id = 11;
select * from t order by id;
select msg from log where id > 3 order by id;
create trigger bi before insert on t for each row set new.v = 1;
drop trigger bi;
create table par (id int primary key, v int);
create table ch (id int primary key, pid int, constraint ch_p foreign key (pid) references par (id) on delete cascade on update cascade);
create table ch2 (id int primary key, pid int, constraint ch2_p foreign key (pid) references par (id) on delete set null on update restrict);
create table ch3 (id int primary key, pid int, constraint ch3_p foreign key (pid) references par (id));
insert into par values (1, 1), (2, 2), (3, 3), (4, 4);
insert into ch values (1, 1), (2, 2), (3, null);
insert into ch2 values (1, 2);
insert into ch3 values (1, 3);
insert into ch values (9, 99);
update ch set pid = 99 where id = 1;
insert ignore into ch values (9, 99);
show warnings;
delete from par where id = 2;
select * from ch order by id;
select * from ch2;
update par set id = 10 where id = 1;
select * from ch order by id;
delete from par where id = 3;
update par set id = 30 where id = 3;
delete ignore from par where id = 3;
show warnings;
drop table par;
replace into par values (3, 33);
insert into par values (3, 1) on duplicate key update v = 9;
set foreign_key_checks = 0;
insert into ch values (50, 5000);
delete from par where id = 3;
set foreign_key_checks = 1;
select count(*) from ch;
-- differs: another wording of the error
alter table ch add constraint x foreign key (id) references par (id);
create table self (id int primary key, up int, foreign key (up) references self (id) on delete cascade);
insert into self values (1, null), (2, 1), (3, 2);
delete from self where id = 1;
select count(*) from self;
show create table self;
create table chk (a int, b int, constraint pos check (a > 0), check (b > a));
insert into chk values (1, 2);
insert into chk values (0, 2);
insert into chk values (3, 2);
insert into chk values (null, 2);
update chk set a = -1 where a = 1;
insert ignore into chk values (-1, 1);
show warnings;
alter table chk alter check pos not enforced;
insert into chk values (-5, 1);
alter table chk drop constraint pos;
show create table chk;
prepare s1 from 'select ? + ?, ?';
set @p1 = 1, @p2 = 2.5, @p3 = 'x';
-- differs: another type or flag of the column, the same value
execute s1 using @p1, @p2, @p3;
execute s1 using @p1;
deallocate prepare s1;
prepare s2 from 'insert into t values (?, ?)';
set @i = 77, @v = null;
execute s2 using @i, @v;
execute s2 using @i, @v;
drop prepare s2;
-- params: [1, 2]
-- differs: another type or flag of the column, the same value
select ? + ?;
-- params: ["a", 1.5, null, 5]
-- differs: another type or flag of the column, the same value
select ?, ?, ?, ?;
-- params: [{"uint": "18446744073709551615"}, {"bytes": "00ff"}, true]
select ?, hex(?), ?;
-- params: [10]
select * from t where id = ?;
-- params: ["10"]
select * from t where id = ?;
-- params: [10.0]
select * from t where id = ?;
-- params: [1]
select * from t order by id limit ?;
-- params: [200, "5"]
insert into t values (?, ?);
-- params: [200, 5]
insert into t values (?, ?);
-- params: [6, 200]
update t set v = ? where id = ?;
-- params: [6, 200]
update t set v = ? where id = ?;
-- params: [200]
delete from t where id = ?;
-- params: ["%o%"]
select count(*) from log where msg like ?;
-- params: [1, 2, 3]
select count(*) from log where id in (?, ?, ?);
-- params: ["2024-01-01", 3]
-- differs: another type or flag of the column, the same value
select date_add(?, interval ? day);
-- params: [1]
select * from nope where id = ?;
-- params: [1]
select 1;
-- params: [5, 6]
select case when ? > 1 then 'a' else 'b' end, coalesce(null, ?);
-- params: ["x"]
select concat(?, 'y'), length(?);
-- params: [3]
select id, v from t group by id, v having v > ? order by id;
create event ev on schedule every 1 day do insert into log (msg) values ('ev');
-- mask: Starts, Originator
show events;
drop event ev;
