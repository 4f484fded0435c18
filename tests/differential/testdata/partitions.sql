-- Rows of partitioned tables.
create table h (a int, b int, c varchar(10), primary key(a), key(b)) partition by hash(a) partitions 4;
insert into h select n, n%7, concat('x',n) from (with recursive s(n) as (select 1 union all select n+1 from s where n<200) select n from s) z;
select count(*), sum(b) from h;
select a from h where a between 10 and 20 order by a;
select a,b from h where b=3 order by a desc limit 5;
select count(*) from h partition (p0);
select count(*) from h partition (p1,p3);
update h set a=a+1000 where a<10;
select a from h where a>=1000 order by a;
update h set b=b+1;
select b,count(*) from h group by b order by b;
delete from h where b=2;
select count(*) from h;
delete from h partition (p2) where a<50;
select count(*) from h;
replace into h values (1001,99,'r');
-- sorted
select * from h where a=1001;
insert into h values (1001,1,'z') on duplicate key update c='dup';
-- sorted
select * from h where a=1001;
insert into h values (1001,1,'z');
insert ignore into h values (1001,1,'z');
-- sorted
select max(a), min(a) from h;
-- sorted
select max(b) from h;
select h1.a+0 from h h1 join h h2 on h1.a=h2.a+1 where h1.a<30 order by 1;
create table ai (id int auto_increment, d date, v int, primary key(id,d)) partition by range(to_days(d)) (partition p0 values less than (to_days('2020-01-01')), partition p1 values less than (to_days('2021-01-01')), partition p2 values less than maxvalue);
insert into ai (d,v) values ('2019-05-05',1),('2020-05-05',2),('2021-05-05',3),('2019-12-31',4);
select * from ai order by id;
show create table ai;
select * from ai partition(p0) order by id;
begin;
insert into ai(d,v) values ('2020-02-02',7);
update ai set d='2022-01-01' where id=1;
select * from ai order by id;
rollback;
select * from ai order by id;
alter table ai truncate partition p1;
select * from ai order by id;
insert into ai(d,v) values ('2020-02-02',8);
select * from ai order by id;
alter table ai drop partition p0;
select * from ai order by id;
show create table ai;
alter table ai reorganize partition p2 into (partition p21 values less than (to_days('2022-01-01')), partition p22 values less than maxvalue);
-- sorted
select * from ai partition (p21);
alter table ai add column w int default 5;
select * from ai order by id;
alter table ai add index (v);
-- sorted
select * from ai where v=8;
alter table ai drop index v;
alter table ai drop column w;
select * from ai order by id;
alter table ai modify v bigint;
insert into ai(d,v) values ('2023-02-02',8000000000);
select * from ai order by id;
rename table ai to ai2;
select * from ai2 order by id;
analyze table ai2;
select partition_name,table_rows from information_schema.partitions where table_schema=database() and table_name='ai2' order by 1;
create table ai3 like ai2;
show create table ai3;
insert into ai3 select * from ai2;
select count(*) from ai3;
truncate table ai3;
select count(*) from ai3;
insert into ai3(d) values ('2025-01-01');
-- sorted
select * from ai3;
show tables;
drop table ai3;
show tables;
create table nk (a int, b int) partition by range(a) (partition p0 values less than (10), partition p1 values less than (20));
insert into nk values (1,1),(1,1),(11,1),(null,4),(19,2);
update nk set a=15 where a=1 limit 1;
select * from nk order by a,b;
delete from nk where b=1 limit 1;
select count(*) from nk;
select * from nk partition (p0) order by a,b;
insert ignore into nk values (100,1),(5,5);
show warnings;
select count(*) from nk;
insert into nk partition(p0) values (2,2);
insert into nk partition(p0) select 12,1;
insert into nk partition (p7) values (1,1);
create table lc (c varchar(10), d date, primary key (c,d)) partition by list columns(c) (partition pa values in ('a','b'), partition pb values in ('c'));
insert into lc values ('A','2020-01-01'),('c','2020-01-01'),('B','2021-01-01');
select * from lc partition (pa) order by c;
insert into lc values ('z','2020-01-01');
update lc set c='c' where c='a';
select * from lc partition (pb) order by d;
create table sp (a int, b int) partition by range(a) subpartition by hash(b) subpartitions 3 (partition p0 values less than (10), partition p1 values less than maxvalue);
insert into sp values (1,1),(2,2),(3,3),(11,1),(12,2),(13,3);
select * from sp partition (p0) order by a;
select * from sp partition (p0sp1) order by a;
select * from sp partition (p1sp0,p0sp0) order by a;
alter table sp truncate partition p0;
select * from sp order by a;
create table k (a int, b varchar(10), primary key(a)) partition by key() partitions 5;
insert into k select n,n from (with recursive s(n) as (select 1 union all select n+1 from s where n<100) select n from s) z;
select group_concat(a order by a) from k partition(p0);
select group_concat(a order by a) from k partition(p1);
select group_concat(a order by a) from k partition(p4);
create table kl (a int) partition by linear key(a) partitions 5;
insert into kl select a from k;
select group_concat(a order by a) from kl partition(p3);
create table kb (a bigint, d date, dt datetime, ts timestamp, f double) partition by key(a,d,dt) partitions 7;
insert into kb select a, date_add('2020-01-01', interval a day), date_add('2020-01-01', interval a hour), null, a from k;
select group_concat(a order by a) from kb partition(p3);
alter table kb partition by key(f) partitions 3;
select group_concat(a order by a) from kb partition(p2);
alter table kb partition by key(dt) partitions 3;
select group_concat(a order by a) from kb partition(p2);
alter table kb partition by key(d) partitions 3;
select group_concat(a order by a) from kb partition(p2);
create table hh (a int) partition by linear hash(a) partitions 6;
insert into hh select a-50 from k;
select group_concat(a order by a) from hh partition(p1);
select group_concat(a order by a) from hh partition(p5);
create table hn (a int) partition by hash(a) partitions 6;
insert into hn select a-50 from k;
select group_concat(a order by a) from hn partition(p1);
select group_concat(a order by a) from hn partition(p5);
select table_name, create_options from information_schema.tables where table_schema=database() order by 1 limit 3;
create table fkp (a int primary key) partition by key(a) partitions 2;
create table fkc (a int, foreign key (a) references fkp(a));
alter table h add foreign key (b) references k(a);
alter table h add fulltext(c);
alter table h add unique (b);
alter table h add unique (a,b);
check table h;
analyze table h;
select sum(crc32(concat_ws(",",a,b,c))) from h;
-- mask: Rows, Avg_row_length, Data_length, Index_length, Data_free, Max_data_length, Create_time, Update_time
show table status like 'h';
load data infile '/nonexistent' into table h partition (p0);
create table ct partition by hash(a) partitions 3 as select a,b from h;
show create table ct;
select count(*) from ct;
create table yr (y year, t time, x int unsigned) partition by range(y) (partition p0 values less than (2000), partition p1 values less than maxvalue);
insert into yr values (1999,'10:10:10',5),(2005,null,4294967295);
-- sorted
select * from yr partition (p0);
-- sorted
select * from yr partition(p1);
create table un (x bigint unsigned) partition by range(x-5) (partition p0 values less than (10), partition p1 values less than maxvalue);
insert into un values (7);
insert into un values (3);
insert into un values (18446744073709551615);
select count(*) from un;
create table pr (a int, b int) partition by range(a) (partition p0 values less than (10), partition p1 values less than (20));
delimiter //
create procedure changes()
begin
  insert into pr partition (p0) values (1,1);
  insert into pr partition (p1) values (11,1);
  alter table pr add partition (partition p2 values less than (30));
  insert into pr values (25,1);
  alter table pr drop partition p0;
  create table made (a int) partition by hash(a) partitions 2;
  delete from pr partition (p2);
  update pr partition (p1) set b=7;
end//
create procedure refused() insert into pr partition (p1) values (22,1)//
delimiter ;
call changes();
show create table pr;
show create table made;
-- sorted
select * from pr;
call refused();
create view pv as select a, b from pr;
insert into pv values (17,1);
insert into pv values (99,1);
update pv set a=12 where a=17;
-- sorted
select * from pv;
