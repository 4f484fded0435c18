-- TRUNCATE finds no view, whether it is updatable or not, and the view's table keeps its rows
create table t (id int primary key);
insert into t values (1), (2);
create view v as select id from t;
create view w as select count(*) n from t;
truncate table v;
truncate w;
select id from t order by id;
lock tables v write, t write;
truncate v;
truncate t;
unlock tables;
select count(*) from v;
truncate none;

-- DROP VIEW of a table
drop view t;
drop view if exists t;
drop view none;
drop view v, w;
