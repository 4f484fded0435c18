-- Views, triggers, procedures and functions as SHOW and information_schema tell of them.
create table t (a int primary key, b varchar(20), c int);
create or replace sql security invoker view v as select a from t;
show create view v;
create definer = `boss`@`%` view w (`x y`, z) as select a, b from t where a > 1 with check option;
select table_name, check_option, is_updatable, definer, security_type, character_set_client, collation_connection from information_schema.views where table_schema = database() order by table_name;
create view `odd``name` as select 'with check option' as c from t;
show create view `odd``name`;
show create view w;
show create table w;
create trigger t1 before insert on t for each row set new.c = 1;
create trigger t2 before insert on t for each row precedes t1 set new.c = 2;
create trigger t3 before insert on t for each row follows t2 set new.c = 3;
create definer = 'boss'@'%' trigger t4 after update on t for each row begin end;
-- mask: Created
show triggers;
-- mask: Created
show create trigger t3;
-- mask: Created
show create trigger t4;
select trigger_name, action_order, definer, sql_mode from information_schema.triggers where trigger_schema = database() order by trigger_name;
show create trigger nobody;
create procedure p1(in x int, out `y z` varchar(10)) comment 'it''s' modifies sql data sql security invoker select 1 into `y z`;
create definer = 'boss'@'%' procedure p2() begin end;
create function f1(x int) returns int no sql deterministic return x;
show create procedure p1;
show create procedure p2;
show create function f1;
select routine_name, routine_type, definer, security_type, sql_mode from information_schema.routines where routine_schema = database() order by routine_name;
set sql_mode = 'ansi,traditional';
select @@sql_mode;
show variables like 'sql_mode';
set sql_mode = default;
select @@sql_mode, @@global.sql_mode = @@sql_mode as same;
create table nulls (a text default null, b blob, c geometry default null, d point, e point not null, f json default null, g json, h varchar(3) default null, i int, j text default ('x'), k tinytext not null);
show create table nulls;
