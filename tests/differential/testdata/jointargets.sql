-- The tables that an UPDATE or DELETE of several tables means, the values that its assignments see,
-- and columns of queries around in filters of subqueries.
create table m1(a int);
create table m2(a int);
insert into m1 values(1),(2);
insert into m2 values(1),(2);
delete m1 from m1 as m2, m2 as m1 where m1.a=m2.a and m1.a=1;
-- sorted
select 'm1',a from m1;
-- sorted
select 'm2',a from m2;
delete m2 from m1 as m2 join m2 as m1 on m1.a=m2.a;
-- sorted
select 'm1',a from m1;
-- sorted
select 'm2',a from m2;
delete m1,m2 from m1 as m2 join m2 as m1;
delete m1 from m1 as m2;
delete x from m1 as x, m2;
delete m1 from m1 as x, m2;
delete from m1 using m1 as m2, m2 as m1 where m1.a=2;
-- sorted
select 'm1',a from m1;
-- sorted
select 'm2',a from m2;
create table u1(a int primary key,b int);
create table u2(a int primary key,b int);
insert into u1 values(1,1),(2,2),(3,3),(4,4),(5,5);
insert into u2 values(1,1),(2,2),(3,3),(4,4),(5,5),(102,102),(103,103);
update u1,u2 set u1.a=u1.a+100,u2.b=u1.a+10 where u1.a between 2 and 4 and u2.a=u1.b;
-- sorted
select * from u1;
-- sorted
select * from u2;
update u1,u2 set u1.b=u1.b+100,u2.b=u1.b+1000 where u2.a=u1.b;
-- sorted
select * from u1;
-- sorted
select * from u2;
update u1,u2 set u2.b=u1.b+1000,u1.b=u1.b+100 where u2.a=u1.b;
-- sorted
select * from u1;
-- sorted
select * from u2;
update u1,u2 set u1.b=u1.b+1,u2.b=u1.b+1000 where u2.a=u1.a;
-- sorted
select * from u1;
-- sorted
select * from u2;
-- sorted
select * from u1;
-- sorted
select * from u2;
-- sorted
select * from u1;
-- sorted
select * from u2;
-- sorted
select * from u1;
-- sorted
select * from u2;
-- sorted
select * from u1;
-- sorted
select * from u2;
-- sorted
select * from u1;
-- sorted
select * from u2;
create table h1(c int);
create table h2(c int);
insert into h1 values(3),(4),(5);
insert into h2 values(3),(4);
select * from h1 where 1 in (select h1.c=h2.c from h2) order by c;
select * from h1 where 1 = any (select h1.c=h2.c from h2) order by c;
select * from h1 where 1 not in (select h1.c=h2.c from h2) order by c;
select * from h1 where 4 in (select h1.c from h2) order by c;
select * from h1 where h1.c in (select h1.c from h2) order by c;
select * from h1 where h1.c in (select h1.c+h2.c-3 from h2) order by c;
select * from h1 where (1,h1.c) in (select h1.c=h2.c, h2.c from h2) order by c;
select 1 in (select h1.c=h2.c from h2), 0 in (select h1.c=h2.c from h2) from h1 order by h1.c;
delete from h1 where 1 in (select h1.c=h2.c from h2);
-- sorted
select * from h1;
update h2 set c = 10 where 4 in (select h2.c from h1);
-- sorted
select * from h2;
create table pk(pk int primary key);
insert into pk values(10),(20),(30);
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on not exists(select * from pk where a.pk not in (20)) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on exists(select * from pk where a.pk not in (20)) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on not exists(select * from pk c where a.pk=c.pk+10) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on a.pk in (select c.pk+10 from pk c) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on a.pk not in (select c.pk+10 from pk c) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on a.pk = (select max(c.pk) from pk c) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a left join pk b on exists(select * from pk c where b.pk=c.pk+10) order by 1,2;
select a.pk + 0 x, b.pk + 0 y from pk a right join pk b on not exists(select * from pk c where b.pk=c.pk+10) order by 2,1;
select a.pk + 0 x from pk a where not exists(select * from pk where a.pk not in (20)) order by 1;
select a.pk + 0 x, b.pk + 0 y from pk a join pk b on not exists(select * from pk where a.pk not in (20)) order by 1,2;
create table v1(id int primary key,a int,b int);
create table v2(id int primary key,a int,b int);
insert into v1 values(1,1,1),(2,2,2);
insert into v2 values(1,1,1),(2,2,2),(3,3,3);
update v1 join v2 using(id) set v1.a=v1.a+10, v1.b=v1.a;
-- sorted
select * from v1;
update v1 join v2 using(id) set v2.a=v2.a+10, v2.b=v2.a;
-- sorted
select * from v2;
update v1 join v2 on v1.id=v2.id and v1.id=1 set v2.a=v2.a+10, v2.b=v2.a,v1.a=v2.a,v1.b=v1.a;
-- sorted
select * from v1;
-- sorted
select * from v2;
-- sorted
select * from v1;
-- sorted
select * from v2;
update v2, (select 1 x) d set v2.a=v2.a+10, v2.b=v2.a where v2.id=x;
-- sorted
select * from v2;
-- sorted
select * from v2;
drop table m1, m2;
drop table h1;
-- tables of one name in two schemas
create database diff_targets2;
create table t(a int primary key, n varchar(3));
create table diff_targets2.t(a int primary key, n varchar(3));
create table diff_targets2.t(a int primary key, n varchar(3));
insert into t values(1,'x'),(2,'x'),(3,'x');
insert into diff_targets2.t values(1,'y'),(2,'y'),(4,'y');
delete diff_jointargets.t from diff_jointargets.t join diff_targets2.t on diff_jointargets.t.a=diff_targets2.t.a where diff_jointargets.t.a=1;
select * from t;
select * from diff_targets2.t;
delete diff_targets2.t from diff_jointargets.t join diff_targets2.t on diff_jointargets.t.a=diff_targets2.t.a where diff_jointargets.t.a=2;
select * from t;
select * from diff_targets2.t;
delete diff_targets2.t from diff_targets2.t , diff_jointargets.t  where diff_jointargets.t.a=2 and diff_targets2.t.a=1;
select * from t;
select * from diff_targets2.t;
delete from diff_targets2.t, diff_jointargets.t using diff_targets2.t , diff_jointargets.t  where diff_jointargets.t.a=2 and diff_targets2.t.a=4;
select * from t;
select * from diff_targets2.t;
insert into diff_targets2.t values(1,'y'),(2,'y'),(3,'y');
update diff_jointargets.t join diff_targets2.t on diff_jointargets.t.a=diff_targets2.t.a set diff_targets2.t.n='u';
select * from t;
select * from diff_targets2.t;
update diff_jointargets.t join diff_targets2.t on diff_jointargets.t.a=diff_targets2.t.a set diff_jointargets.t.n='v';
select * from t;
select * from diff_targets2.t;
update diff_jointargets.t join diff_targets2.t on diff_jointargets.t.a=diff_targets2.t.a set diff_jointargets.t.n='1', diff_targets2.t.n='2';
select * from t;
select * from diff_targets2.t;
delete t from diff_targets2.t where a = 1;
select * from diff_targets2.t;
delete diff_targets2.t from diff_targets2.t where a = 1;
select * from diff_targets2.t;
delete t from diff_jointargets.t x, diff_targets2.t;
delete x from diff_jointargets.t x, diff_targets2.t x;
delete t.*, diff_targets2.t.* from t, diff_targets2.t;
select count(*) from t;
select count(*) from diff_targets2.t;
drop database diff_targets2;
drop table t;
-- an alias that is the name of another table
create table m1(a int primary key, b int);
create table m2(a int primary key, b int);
insert into m1 values(1,1),(2,2);
insert into m2 values(1,1),(2,2);
update m1 as m2, m2 as m1 set m1.b=5 where m1.a=1 and m2.a=1;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
update m1 as m2 join m2 as m1 using(a) set m1.b=5, m2.b=8;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
update m1 as m2, m2 as m1 set m1.b=7 where m1.a in (select m1.a from m1 where m1.a=1 and m2.a=1);
create table m3 select * from m1;
update m1 as m2, m2 as m1 set m1.b=7 where m1.a in (select m3.a from m3 where m3.a=1 and m2.a=1);
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
update m1 as m2, m2 as m1 set m1.b=77 where m1.a in (select m1.a from m3 as m1 where m1.a=2 ) and m2.a=1;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
delete m1.* from m1 as m2, m2 as m1 where m1.a in (select m1.a from m3 as m1 where m1.a=2 ) and m2.a=1;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
delete m1 from m1 join m2 as x on m1.a=x.a join m3 as m2 on m2.a=m1.a where m2.a=1;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
delete m2 from m1 join m2 as x on m1.a=x.a join m3 as m2 on m2.a=m1.a where m2.a=2;
select 'm1',m1.* from m1;
select 'm2',m2.* from m2;
select 'm3',m3.* from m3;
-- columns of queries around, beside an index of that name
drop table if exists pk;
create table pk(pk int primary key);
insert into pk values(10),(20),(30);
select 1, a.pk + 0 k from pk a where exists (select 1 from pk c where (a.pk > 15 or c.pk > 25));
select 2, a.pk + 0 k from pk a where not exists (select 1 from pk c where (a.pk > 15 or c.pk > 35));
select 3, a.pk + 0 k from pk a where 30 in (select c.pk from pk c where (a.pk > 15 or c.pk > 35));
select 4, a.pk + 0 k,(select max(c.pk) from pk c where a.pk > 15 ) m from pk a;
select 5, a.pk + 0 k,(select max(c.pk) from pk c where a.pk > 15 or c.pk < 15) m from pk a;
select 6, a.pk + 0 k,(select count(*) from pk c where a.pk > 15 and c.pk < 35) m from pk a;
select 7, a.pk + 0 k,(select count(*) from pk c where a.pk > 15 and c.pk > a.pk) m from pk a;
select 8, a.pk + 0 k,(select count(*) from pk c where a.pk in (10,20) or c.pk = 30) m from pk a;
select 9, a.pk + 0 k from pk a where a.pk > (select min(c.pk) from pk c where a.pk between 15 and 25);
select 10, a.pk + 0 k from pk a where a.pk > (select min(c.pk) from pk c where a.pk between 15 and 25 or c.pk > 25);
update pk a set pk = pk+1 where a.pk > (select min(c.pk) from (select * from pk) c where a.pk between 15 and 25 or c.pk > 25);
select * from pk;
delete from pk where exists (select 1 from (select * from pk) c where pk.pk > 25);
select * from pk;
create table k2(id int primary key, v int, key(v));
insert into k2 values(1,10),(2,20),(3,30);
delete from k2 where exists (select 1 from pk c where k2.v > 15 or c.pk > 1000);
select * from k2;
