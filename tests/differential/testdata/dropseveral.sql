-- DROP TABLE and DROP VIEW name tables of several schemas; what fails has dropped nothing
create database drop_one;
create database drop_two;
create table drop_one.a (i int);
create table drop_two.b (i int);
create table c (i int);
-- missing ones are told all at once
drop table drop_one.a, drop_two.nope, c, drop_none.t;
show tables in drop_one;
drop table if exists drop_one.a, drop_two.nope, c, drop_none.t;
show warnings;
drop table drop_two.b;
drop table drop_none.t;
drop table if exists drop_none.t;
show warnings;
create table drop_one.t (i int);
create table t (i int);
drop table t, drop_one.t, t;
drop table if exists nope, nope;
create view drop_one.v as select 1;
create view drop_two.v as select 2;
create view v as select 3;
drop view drop_one.v, v, drop_two.nope;
drop view drop_one.v, t, nope;
drop view drop_one.v, v, drop_one.v;
drop view if exists drop_one.v, nope, t, drop_none.v;
show warnings;
drop view drop_two.v, v;
drop view drop_none.v;
-- DROP TABLE knows no views
create view v as select 1;
drop table t, v;
drop table if exists v;
show warnings;
drop view v;
-- a parent goes with its children alone
create table drop_one.p (a int primary key);
create table drop_two.q (a int, constraint q1 foreign key (a) references drop_one.p (a));
create table q (a int, constraint q2 foreign key (a) references drop_one.p (a));
drop table drop_one.p, q;
drop table if exists drop_one.p, drop_two.q, nope;
show warnings;
drop table drop_one.p, q, drop_two.q;
create table self (a int primary key, b int, foreign key (b) references self (a));
drop table self;
-- temporary tables
create temporary table drop_one.t (a int);
create temporary table drop_two.t (a int);
drop temporary table t, drop_one.t;
drop table drop_two.t, drop_one.t;
drop temporary table if exists drop_one.t, t;
show warnings;
create table drop_one.t (a int);
-- under LOCK TABLES
create table u (a int);
lock tables t write, drop_one.t write, u read;
drop table t, u;
drop table t, nope;
drop table t, drop_one.t;
unlock tables;
drop table u;
-- in a procedure and prepared
delimiter //
create procedure gone() begin drop table if exists drop_one.t, drop_two.t; drop view nope, drop_one.nope; end//
delimiter ;
create table drop_one.t (a int);
create table drop_two.t (a int);
call gone();
create table drop_two.t (a int);
call gone();
prepare s from 'drop table if exists drop_one.t, t';
create table t (i int);
execute s;
execute s;
show warnings;
drop table performance_schema.threads;
drop database drop_one;
drop database drop_two;
