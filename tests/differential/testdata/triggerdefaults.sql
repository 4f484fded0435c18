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
