-- DROP DATABASE tells how many tables and views are gone
create database diff_gone;
drop database diff_gone;
create database diff_gone;
create table diff_gone.t (id int primary key, v text, fulltext key (v)) partition by hash (id) partitions 3;
drop table if exists diff_gone.t;
create table diff_gone.t (id int primary key, v text, fulltext key (v));
create table diff_gone.p (id int primary key) partition by hash (id) partitions 3;
create view diff_gone.w as select id from diff_gone.t;
create procedure diff_gone.f() select 1;
drop database diff_gone;
drop database if exists diff_gone;
drop database diff_gone;
