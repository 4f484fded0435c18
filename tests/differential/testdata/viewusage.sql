-- VIEW_TABLE_USAGE and VIEW_ROUTINE_USAGE.
create table t1 (c1 int);
create function f1() returns int return 1;
create function f2() returns int return 2;
create view v1 as select f1() as f1;
create view v2 as select f1, f2() as f2 from v1;
create view v3 as select c1, f2 from t1, v2;
create view v4 as with v9 as (select 1 as a) select a, (select max(c1) from t1 as x) as b from v9 where exists (select * from t1 where abs(c1) = f1());
select * from information_schema.view_table_usage where view_schema='diff_viewusage' order by view_name, table_name;
select * from information_schema.view_routine_usage where table_schema='diff_viewusage' order by table_name, specific_name;
select * from information_schema.view_table_usage where view_schema='diff_viewusage' and view_name='v3' order by 1,2,3,4,5,6;
drop function f1;
select * from information_schema.view_routine_usage where table_schema='diff_viewusage' order by table_name, specific_name;
rename table t1 to t2;
select * from information_schema.view_table_usage where view_schema='diff_viewusage' order by view_name, table_name;
drop table t2;
select * from information_schema.view_table_usage where view_schema='diff_viewusage' order by view_name, table_name;
