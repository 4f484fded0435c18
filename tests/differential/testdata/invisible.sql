-- INVISIBLE columns: what * and rows without names mean, definitions shown and changed, joins by names,
-- views, triggers, programs, files.
create table t (a int, b int invisible, c int);
insert into t values (1,2);
insert into t values (1,2,3);
insert into t (a,b,c) values (1,2,3);
insert into t values ();
insert into t () values ();
-- sorted
select * from t;
-- sorted
select t.*, b from t;
-- sorted
select a,b,c from t;
show create table t;
show columns from t;
show full columns from t;
desc t;
select column_name,ordinal_position,extra,column_key,column_default from information_schema.columns where table_schema=database() and table_name='t' order by ordinal_position;
create table t2 (b int, c int invisible, d int);
insert into t2(b,c,d) values (2,3,4);
-- sorted
select * from t natural join t2;
-- sorted
select * from t join t2 using (b);
-- sorted
select * from t join t2 using (c);
-- sorted
select * from t join t2 using (b,c);
-- sorted
select * from t2 left join t using (b);
-- sorted
select * from t right join t2 using (c);
-- sorted
select * from t2 natural left join t;
create table n (a int invisible);
create table n (a int invisible, b int invisible);
create table u select * from t;
show create table u;
create table u2 select a,b from t;
show create table u2;
create table l like t;
show create table l;
insert into l select * from t;
insert into l select a,b,c from t;
insert into l (a,b,c) select a,b,c from t;
-- sorted
select a,b,c from l;
create view v as select * from t;
show create view v;
create view v2 as select a,b from t;
-- sorted
select * from v2;
show columns from v2;
alter table t alter column a set invisible;
show create table t;
alter table t alter column c set invisible;
alter table t alter column a set visible;
alter table t modify b int;
show create table t;
alter table t modify b int invisible;
alter table t change b bb int invisible;
show create table t;
alter table t add column e int invisible default 5 first;
show create table t;
alter table t add column f int visible;
alter table t alter column f drop default, alter column f set invisible;
alter table t drop column a, drop column f;
alter table t drop column c;
show create table t;
alter table t add column g int generated always as (bb+1) virtual invisible, add column h int as (bb) stored invisible;
show create table t;
show columns from t;
select extra from information_schema.columns where table_name='t' and table_schema=database() order by ordinal_position;
create table k (id int auto_increment invisible primary key, x timestamp default current_timestamp on update current_timestamp invisible, z int);
show create table k;
show columns from k;
insert into k values (5);
-- sorted
select id,z from k;
create table p (a int, b int invisible, c int, d int invisible);
create table q (d int, c int invisible, b int, e int);
insert into p (a,b,c,d) values (1,2,3,4);
insert into q(d,c,b,e) values (4,3,2,9);
-- sorted
select * from p join q using (b,c);
-- sorted
select * from p join q using (c,b);
-- sorted
select * from p join q using (d,b);
-- sorted
select * from p join q using (b,d);
-- sorted
select * from p right join q using (b,d,c);
-- sorted
select * from p right join q using (c,d);
-- sorted
select * from q left join p using (c,d);
-- sorted
select q.*, p.* from q left join p using (c,d);
create view vv as select * from p join q using (d,b);
show create view vv;
create view vw as select * from p natural join q;
show create view vw;
create table o2 (b int invisible) select a, b from p limit 0;
show create table o2;
create table o3 (z int invisible) select a from p;
show create table o3;
alter table o3 alter a set invisible, add n int;
show create table o3;
alter table o3 modify a int invisible, alter n set invisible;
alter table o3 rename column z to zz;
show create table o3;
insert into o3 values (),(1);
alter table o3 drop n, alter a set visible;
show create table o3;
create table o4 (a int invisible visible);
show create table o4;
create table o5 (a int visible invisible, b int);
show create table o5;
insert into p values (1,2),();
alter table p alter a set default 5, alter a set invisible;
alter table p modify a int, alter a set invisible;
alter table p drop a, alter a set invisible;
alter table p add zz int, alter zz set invisible;
alter table nope alter a set invisible;
create temporary table tt (a int, b int invisible);
insert into tt values (1);
-- sorted
select * from tt;
show create table tt;
alter table tt alter b set visible;
-- sorted
select * from tt;
create table pl (a int, b int);
create table m (id int primary key, v varchar(10) invisible default 'd', n int invisible unique, g int as (n*2) invisible, w int, check (n < 100));
insert into m values (1,10),(2,20);
insert into m (id,n,v,w) values (3,3,'x',30);
insert into m (id,n) values (4,3);
insert into m (id,n) values (4,300);
insert into m (id,g) values (4,300);
insert into m values (1,5) on duplicate key update n=values(w), v='up';
insert into m values (1,6) as new on duplicate key update n=new.w+1;
insert into m values (1,6) as new(a,b) on duplicate key update w=b;
insert into m values (1,6) as new(a,b,c) on duplicate key update w=b;
replace into m values (2,21);
insert ignore into m values (2,22);
insert into m set id=9, n=9;
insert into m select id+10,w from m where id < 3;
insert into m select id+20,w from m where id < 3 on duplicate key update n=5;
insert into m table pl limit 0;
table m;
table m order by id limit 2;
select *, n, v, g from m order by id;
select m.*, diff_invisible.m.n from m where n is not null order by n;
select diff_invisible.m.* from diff_invisible.m order by id limit 1;
select * from (select * from m) d order by id limit 1;
select * from (select *, n from m) d order by id limit 1;
with c as (select * from m) select * from c order by id limit 1;
with m as (select 1 z) select * from m;
select * from m a join m b on a.n = b.n order by a.id limit 1;
select a.*, b.* from m a, m b where a.id=b.id order by a.id limit 1;
select * from m a join (select id, n from m) b on a.id=b.id order by a.id limit 1;
-- sorted
select (select n from m where id=3), exists(select * from m where n = 3), (select count(*) from m);
-- sorted
select (1,10) in (select * from m);
-- sorted
select (1,10,2) in (select * from m);
-- sorted
select 1,10 union select * from m where id=2;
-- sorted
select * from m where n=3 union all select * from m where id = 3;
-- sorted
select count(*), sum(n) from m;
-- sorted
select * from m group by id having n = 3;
select * from m order by n desc, id limit 3;
update m set n=50 where id=2;
update m set v=default where id=3;
update m a join m b on a.id=b.id set a.n=b.w+1 where a.id=2;
delete from m where n = 9;
select id,n,v,g,w from m order by id;
create index i on m (v, n);
create view mv as select * from m;
create view mw as select id, n from m;
insert into mw values (40,40);
insert into mv values (41,41);
update mw set n=41 where id=40;
-- differs: the description of columns of derived tables
select * from mw order by id;
-- sorted
select id,n,v from m where id >=40;
show create view mv;
create trigger tb before insert on m for each row set new.n = coalesce(new.n, new.id+19), new.v = concat(new.v,'t');
insert into m values (42,1);
-- sorted
select id,n,v from m where id=42;
create table aud (i int, o int invisible);
create trigger ta after update on m for each row insert into aud values (new.n);
create trigger tc after delete on m for each row insert into aud (i,o) values (0, old.n);
update m set n=70 where id=42;
delete from m where id=42;
-- sorted
select i,o from aud;
-- sorted
select * from aud;
prepare s from 'select * from m where id=?';
set @a=3;
execute s using @a;
alter table m alter column n set visible;
execute s using @a;
alter table m alter column n set invisible;
execute s using @a;
alter table m add column extra int default 7;
execute s using @a;
alter table m drop column extra;
execute s using @a;
prepare i from 'insert into m values (?,?)';
set @b=80;
execute i using @b,@a;
deallocate prepare i;
delimiter //
create procedure pr() begin declare a,b int; declare c cursor for select * from m order by id; create temporary table tp (a int, b int invisible); insert into tp values (5); select * from tp; alter table tp alter b set visible; select * from tp; open c; fetch c into a,b; select a,b; close c; select * from m where id=3 into a,b; select a,b; if exists (select * from m) then select 'yes'; end if; drop temporary table tp; for_each: loop leave for_each; end loop; end//
create procedure pi() begin create table pp (a int, b int invisible comment 'it''s', c int zerofill invisible); show create table pp; alter table pp alter a set invisible, alter c set visible; show create table pp; insert into pp values (4); select *,a from pp; drop table pp; end//
create function fu() returns int reads sql data begin declare a, b int; select * into a,b from m where id=3; return b; end//
delimiter ;
call pr();
call pr();
call pi();
call pi();
select fu();
alter table m alter column w set invisible;
call pr();
alter table m alter w set visible;
call pr();
handler m open;
handler m read first;
handler m close;
create table ld like m;
select *,n,v from ld order by id;
select *,n from ld order by id limit 3;
show full columns from m like 'n';
-- differs: keys of SHOW EXTENDED COLUMNS
show extended columns from ld;
alter table m partition by hash(id) partitions 3;
select * from m order by id limit 2;
alter table m rename column n to nn;
show create table m;
alter table m drop column nn;
create table fk1 (id int primary key invisible, x int);
create table fk2 (a int, p int invisible, foreign key (p) references fk1(id));
insert into fk1 (id,x) values (1,1);
insert into fk2 (a,p) values (1,1);
insert into fk2 (a,p) values (1,2);
insert into fk2 values (3);
insert into fk1 values (4);
show create table fk2;
alter table fk2 alter p set visible;
show create table fk2;
alter table fk1 alter id set visible;
-- sorted
select * from fk1 where id in (select p from fk2);
-- sorted
select * from fk2 natural join fk1;
-- differs: the description of columns of derived tables
-- sorted
select * from fk1 natural left join (select 3 q) d;
-- sorted
select * from m natural join m m2 limit 1;
-- sorted
select json_object('a', n) from ld limit 1;
-- sorted
-- sorted
select * from ld, json_table('[1]', '$[*]' columns (j int path '$')) jt limit 1;
-- sorted
select jt.* , ld.* from ld, json_table('[1]', '$[*]' columns (j int path '$')) jt limit 1;
select * from ld, lateral (select ld.n + 1) l order by id limit 1;
