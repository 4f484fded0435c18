-- Names and types that stored programs keep, and what their definitions refuse.
create procedure MixedCase(a time(2), out B time(4)) begin declare c time(3) default '1:2:3.45678'; set B = '4:5:6.78912'; select a, c; end;
show create procedure mixedcase;
select routine_name from information_schema.routines where routine_schema = database();
select parameter_name, dtd_identifier, datetime_precision from information_schema.parameters where specific_schema = database() order by ordinal_position;
call MIXEDCASE('10:11:12.3456', @b);
select @b = time'04:05:06.7891';
create function f(a time(6)) returns time(2) deterministic return a;
select f('10:11:12.3456');
show create function f;
create function g() returns time(7) deterministic return null;
create function u(a decimal(5,2) unsigned) returns double deterministic return a;
select u(1.5);
select u(-1.5);
-- A definition may call no stored function.
create table t (a int default (f('1:1:1')));
create table t (a int, b int as (nosuch(a)));
create table t (a int check (f(a) > 1));
create table t (a int, check (nosuch(a) > 1));
create table t (a int, key ((f(a))));
create table t (a int);
alter table t add b int default (f('1:1:1'));
alter table t add check (f(a) > 1);
-- Columns that are made of variables have their names.
create procedure made() begin declare v int default 3; declare w varchar(5) default 'x'; create temporary table m as select v, w, v as other; select v + other, w from m; drop temporary table m; end;
call made();
call made();
create trigger tr before insert on t for each row begin create temporary table tt as select new.a; insert into tt (a) values (10); end;
insert into t values (1);
select count(*), sum(a) from tt;
drop trigger tr;
-- Triggers are on tables that stay, and their definers have names that accounts can have.
create temporary table w (a int);
create trigger tr before insert on w for each row set @a = 1;
create definer = `a_name_of_more_than_32_characters`@localhost trigger tr before insert on t for each row set @a = 1;
create definer = `a_name_of_more_than_32_characters`@localhost procedure p() select 1;
create definer = `a_name_of_more_than_32_characters`@localhost view x as select 1;
-- Aliases of a SELECT are no columns of its tables.
create table k (id int primary key, n int);
insert into k select distinct 1 as id, 2 as n from t on duplicate key update n = if(id = 1, 7, n);
insert into k select distinct 1 as id, 2 as n from t on duplicate key update n = if(id = 1, 7, n);
insert into k select 1 as id, a as n from t on duplicate key update n = n + id;
select * from k;
insert into k select k2.id, 1 from k k2 on duplicate key update n = id;
-- Bytes that are no characters of ascii.
create table b (a varchar(10) character set ascii, c text character set ascii);
insert into b values (x'618142', '');
insert into b values ('', x'ff');
insert ignore into b values (x'618142', x'ff');
show warnings;
select hex(a), hex(c) from b;
update b set a = x'80';
