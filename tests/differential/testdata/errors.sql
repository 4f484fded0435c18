-- The errors applications handle: code, SQLSTATE, text.

create table p (id int primary key, v varchar(10) not null, u int unique, n int not null default 5, check (n < 100));
create table c (id int primary key auto_increment, pid int, constraint c_fk foreign key (pid) references p (id));
insert into p values (1, 'a', 1, 1);
insert into p values (1, 'b', 2, 1);
insert into p values (2, 'b', 1, 1);
insert into p (id) values (3);
insert into p values (3, null, 3, 3);
insert into p values (3, 'toolong text', 3, 3);
insert into p values (3, 'x', 'y', 3);
insert into p values (3, 'x', 3, 100);
insert into p values (3, 'x');
insert into p (id, nope) values (1, 2);
insert into p (id, id) values (1, 2);
insert into nope values (1);
update p set v = null where id = 1;
update p set nope = 1;
update p set id = 1 where nope = 2;
delete from nope;
select nope from p;
select p.nope from p;
select x.id from p;
select * from nope;
select * from nodb.nope;
select id from p a, p b;
select id from p where nope = 1;
select id from p order by nope;
select id from p group by nope;
select id from p having nope = 1;
select nofunc(1);
select abs();
select abs(1, 2);
-- differs: another error code
select if(1);
-- differs: not refused
select * from p where (1, 2) = 1;
select (select 1, 2);
select (select id from p union select 2);
select 1 union select 1, 2;
selec 1;
select 1 from;
select * from p where;
create table p (id int);
create table bad (id int, id int);
create table bad (id int primary key, x int primary key);
create table bad (id int, key (nope));
create table bad (id int auto_increment);
create table bad (t text, key (t));
-- differs: another wording of the error
create table bad (v varchar(70000));
create table bad (id int default 'abc');
create table bad (d datetime default 'abc');
create table bad (id int, key k (id), key k (id));
create table bad (e enum('a','a'));
create table bad (id int not null default null);
-- differs: not refused
create table bad (t text default 'abc');
create table bad ();
create table bad (`a ` int);
-- differs: another error code
create table bad (v varchar(1000), key (v));
create table bad (id nosuchtype);
create table bad (d decimal(70,2));
create table bad (d decimal(10,20));
create table bad (id int) engine=nosuch;
create table bad (v varchar(10) character set nosuch);
create table bad (v varchar(10) collate nosuch);
-- differs: another error code
create table bad (id int primary key, pid int, foreign key (pid) references nosuch (id));
-- differs: another error code
create table bad (id int primary key, pid bigint, foreign key (pid) references p (id));
-- differs: another error code
create table bad (id int primary key, pid int, foreign key (pid) references p (n));
-- differs: another error code
create database information_schema;
drop table nope;
drop table if exists nope;
show warnings;
drop database nodb;
drop database if exists nodb;
drop view nope;
drop index nope on p;
drop procedure nope;
drop trigger nope;
drop function nope;
use nodb;
alter table p add column v int;
alter table p drop column nope;
alter table p drop key nope;
alter table p add key (nope);
alter table p drop foreign key nope;
alter table p modify nope int;
alter table nope add x int;
-- differs: refused for the foreign key
alter table p drop column id, drop column v, drop column u, drop column n;
insert into c values (1, 99);
insert into c values (1, 1);
delete from p where id = 1;
update p set id = 5 where id = 1;
-- differs: another wording of the error
drop table p;
truncate table p;
alter table c drop key c_fk;
set nosuchvar = 1;
set global nosuchvar = 1;
set @@global.version = 1;
set session max_connections = 1;
set global autocommit = 7;
set names nosuch;
set character set nosuch;
select @@nosuch;
-- differs: another error code
select @@session.max_connections;
call nope();
prepare s from 'selec';
execute nope;
-- differs: another wording of the error
deallocate prepare nope;
rollback to savepoint nope;
release savepoint nope;
kill 99999999;
lock tables nope read;
rename table nope to x;
create view v as select nope from p;
-- differs: another wording of the error
create user root@localhost;
grant select on nope.* to nosuch@nowhere;
create trigger tr before insert on nope for each row set @a = 1;
select 1 limit -1;
select cast('x' as nosuch);
select date_add('2024-01-01', interval 1 nosuch);
insert into p select 1;
insert into p (id, v) select 7, 'x', 8;
select group_concat(distinct);
select sum(count(*)) from p;
select count(*) from p where sum(id) > 1;
select 'a' collate nosuch;
select 'a' collate latin1_bin;
select _latin1'a' = _utf8mb4'b' collate utf8mb4_bin;
explain nope;
load data infile '/nonexistent' into table p;
select * from p for update of nope;
truncate nope;
create table p2 like nope;
with a as (select 1) select * from b;
with recursive r as (select 1 n union all select n+1 from r) select count(*) from r;
select * from (select 1);
select * from (select 1 as a, 2 as a) t;
select st_geomfromtext('bad');
select json_extract('bad', '$');
select json_extract('{}', 'bad');
select str_to_date('x', '%Y');
select exp(1000), pow(10, 400);
select ~0 + 1;
select 'a' regexp '(';
create index i on nope (x);
create unique index pu on p (nope);
analyze table nope;
check table nope;
optimize table nope;
show create table nope;
show columns from nope;
show index from nope;
describe nope;
show tables from nodb;
-- differs: another error code
show create view p;
-- differs: another wording of the error
show create procedure nope;
select * from p natural join;
insert into p set id = 9, v = 'nine', nope = 1;
replace into p values (1);
delete p from nope;
delete x from p;
update p, nope set p.v = 1;
start transaction read only;
insert into p values (20, 'x', 20, 1);
commit;
signal sqlstate '45000' set message_text = 'custom';
signal sqlstate '45000' set message_text = 'custom', mysql_errno = 1234;
-- The text that PREPARE is given.
prepare s from 'select * from';
prepare s from 'select 1; select 2';
prepare s from 'create tabl x';
set @text = 'update t set';
prepare s from @text;
prepare s from @never_set;
prepare s from '';
execute s;
prepare s from 'select 1 as one; -- remark';
execute s;
