-- What a session may do to the tables it has locked.
create table t (a int primary key);
create table u (a int primary key);
insert into t values (1);
lock tables t read;
insert into t values (2);
drop table t;
drop table u;
select a from t;
unlock tables;
lock tables t write;
drop table t;
unlock tables;
