-- MEMBER OF, IS NULL in generated columns, SET NAMES ... COLLATE
create table j (id int primary key, d json);
insert into j values (1,'{"tags":[1,2],"n":{"x":5}}'),(2,'{"tags":[3]}'),(3,null);
select 17 member of('[23,"abc",17,"ab",10]') a, 'ab' member of('[23,"abc",17,"ab",10]') b, 7 member of ('7') d, '7' member of ('7') h;
select cast('[4,5]' as json) member of('[[3,4],[4,5]]') c, null member of ('[null]') e, 1 member of (null) f, cast('{"a":1}' as json) member of ('[{"a":1}]') g;
select id, 2 member of (d->'$.tags') m from j;
select id from j where not 2 member of (d->'$.tags');
select id from j where 2 member of (d->'$.tags') or 3 member of (d->'$.tags') order by id;
create view mv as select id from j where 2 member of (d->'$.tags');
-- differs: the column of a view that was filtered so is described without its key
select * from mv;
drop view mv;
create table g1 (a int, b int, c bool generated always as (b is null), e int as (a+1));
insert into g1 (a,b) values (1,null),(2,3);
select * from g1;
alter table g1 add column f int as (a is null) stored;
select * from g1;
show create table g1;
set names utf8mb4 collate utf8mb4_bin;
select @@collation_connection, @@character_set_client;
set names 'utf8mb4' collate 'utf8mb4_general_ci';
select @@collation_connection;
set names utf8mb4 collate nosuch;
set names utf8mb4;
select @@collation_connection;
-- tables of full-text indexes are not shown
create table ft (id int primary key, t text, fulltext key k (t));
insert into ft values (1,'hello world');
select id from ft where match(t) against ('hello');
show tables;
select table_name from information_schema.tables where table_schema=database() order by 1;
drop table ft;
show tables;
