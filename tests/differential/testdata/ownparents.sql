-- rows that refer to rows of their own table go with them
create table r (id int primary key, p int, foreign key (p) references r(id) on delete set null);
insert into r values (1,null),(2,1),(3,2),(4,3);
delete from r;
select * from r;
insert into r values (1,null),(2,1),(3,2),(4,3);
delete from r where id<3;
select * from r order by id;
create table c (id int primary key, p int, foreign key (p) references c(id) on delete cascade);
insert into c values (1,null),(2,1),(3,2),(4,3),(9,null);
delete from c where id<3;
select * from c;
create table n (id int primary key, p int, key (p), foreign key (p) references n(id));
insert into n values (1,null),(2,1);
delete from n;
delete from n where id=2;
select * from n;
-- a child that is locked before its parent is there
set foreign_key_checks=0;
create table child (id int not null, p int default null, primary key (id), key p (p), constraint child_ibfk_1 foreign key (p) references parent (id) on delete cascade);
lock tables child write;
alter table child disable keys;
show warnings;
insert into child values (1,1),(2,1);
alter table child enable keys;
unlock tables;
create table parent (id int not null, primary key (id));
insert into parent values (1);
set foreign_key_checks=1;
insert into child values (3,3);
-- SHOW INDEX with a condition
create table sh (id int primary key, a int, b int, key ka(a), unique key ub(b));
show index from sh where key_name='nosuch';
show index from sh where Key_name='ka';
show index from sh where Key_name like 'u%' and Non_unique=0;
show keys from sh where column_name='A';
show index from sh where Key_name in ('PRIMARY','ka') or Seq_in_index>5;
show index from sh where Non_unique;
-- VALUES of a column with its table
create table vv (id int primary key, n varchar(9));
insert into vv values (1,'old');
insert into vv values (1,'new') on duplicate key update n=values(vv.n);
select * from vv;
-- variables of texts compare like the texts
set @s='abc';
select @s='ABC', 'ABC'=@s, @s in ('ABC'), @s like 'ABC', if(@s='ABC',1,0), case @s when 'ABC' then 1 else 0 end, nullif(@s,'ABC'), @s between 'ABB' and 'ABD', strcmp(@s,'ABC');
select n from vv where n=@s or n='NEW' and @s='ABC';
select @@sql_select_limit, @@session.sql_select_limit;
set sql_select_limit=2;
select @@sql_select_limit;
set sql_select_limit=default;
select @@sql_select_limit;
-- a parent without a schema is in the schema of its child
create database if not exists ember_parents;
create table ember_parents.p (id int primary key, q int, foreign key (q) references p (id));
create table p (id int primary key);
create table ember_parents.kid (id int primary key, foreign key (id) references p (id));
show create table ember_parents.kid;
create table ember_parents.d (id int primary key);
alter table ember_parents.d add foreign key (id) references p (id);
show create table ember_parents.d;
insert into ember_parents.p values (1, 1);
insert into ember_parents.kid values (1);
insert into ember_parents.d values (1);
drop table ember_parents.d, ember_parents.kid, ember_parents.p;
