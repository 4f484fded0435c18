-- Names that are empty or end in a space: of databases, tables, and routines, triggers and events.
create table t (a int);
create procedure ``() select 1;
create procedure ` `() select 1;
create procedure `b `() select 1;
create procedure ``.b() select 1;
create procedure `x `.b() select 1;
create function `b `() returns int return 1;
create function `x `.b() returns int return 1;
create function ``.b() returns int return 1;
drop procedure ``;
drop procedure `x `.y;
drop function ``;
drop function `x `;
drop procedure `b `;
call `b `();
call `x `.b();
call ``.b();
select `b `();
select `x `.b();
select ``.b();
alter procedure `b ` comment 'x';
alter procedure `x `.b comment 'x';
alter function `` comment 'x';
show create procedure `b `;
show create procedure `x `.b;
show create procedure ``;
show create function `x `.b;
create procedure test_long_name_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx() select 1;
create procedure test_long_name_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.p() select 1;
create event `` on schedule every 1 day do select 1;
create event `b ` on schedule every 1 day do select 1;
create event `x `.b on schedule every 1 day do select 1;
alter event `b ` disable;
drop event `b `;
drop event `x `.b;
show create event `b `;
show create event `x `.b;
create trigger `` before insert on t for each row set @a=1;
create trigger `b ` before insert on t for each row set @a=1;
create trigger `x `.b before insert on t for each row set @a=1;
drop trigger `b `;
drop trigger `x `.b;
create view `b ` as select 1;
create view ``.b as select 1;
create view `x `.b as select 1;
drop view `b `;
drop view `x `.b;
create table `x `.b (a int);
create table ``.b (a int);
select * from `x `.b;
select * from ``.b;
select * from `b `;
select * from ``;
drop table `b `;
drop table `x `.b;
drop table ``.b;
insert into `x `.b values (1);
insert into `b ` values (1);
update `b ` set a=1;
delete from `x `.b;
create database `x `;
create database ``;
drop database `x `;
drop database ``;
alter database `x ` charset utf8mb4;
show tables from `x `;
show create table `b `;
show create table `x `.b;
show columns from `b `;
show create database `x `;
use `x `;
rename table `b ` to c;
rename table c to `b `;
alter table `b ` add c int;
lock tables `b ` read;
truncate `b `;
analyze table `b `;
call p22.a.b();
create procedure p(`` int) select 1;
create procedure p(`b ` int) select 1;
create procedure p(ooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo int) select 1;
delimiter //
-- What a view cannot read, in programs.
create procedure b1() create view v as select 1 into @a//
create procedure b2() create view v as select 1 into dumpfile 'f'//
create procedure b3(i int) create view v as select i//
create procedure b4() begin declare i int; create view v as select t.i, i from t; end//
create procedure b5() create view v as select 1 as i from (select 1) d//
create procedure b6() create view v as select @a//
call b5()//
select * from v//
create function f9() returns varchar(25) binary return 'test'//
