create table t (a int references x(a) match full on delete cascade on update set null)
create table t (a int references x on update no action on delete set default)
create table t (a int references x(a) on delete cascade match full)
create table t (a int references x(a) on delete cascade on delete cascade)
create table t (a int primary)
create table t (a int key, b int unique, c int unique key primary key)
create table t (a int default value)
create table t (a int serial default value)
create table t (a int default (1+1), b int default -1, c int default +1, d int default - 1.5e3)
create table t (a int default now on update now)
create table t (a datetime(3) default current_timestamp(3) on update localtimestamp)
create table t (a int default x'41', b bit default b'1', d char default _utf8 'x' 'y', e int default true, f int default null)
create table t (a int default -x'41')
create table t (a int default @a)
create table t (a int default --5)
create table t (a int default - 5 + 3)
create table t (a int default (select 1))
create table t (a int default ? )
create table t (a int as (1) virtual not null)
create table t (a int generated always as (1+b) stored unique comment 'x' null visible)
create table t (a int collate utf8_bin as (1))
create table t (a int as (1) collate utf8_bin)
create table t (a int as (1) default 5)
create table t (a int as (1) auto_increment)
create table t (a int as (1) on update now())
create table t (a int as (1) serial default value)
create table t (a int as (1) column_format fixed)
create table t (a int as (1) storage disk)
create table t (a int as (1) virtual stored)
create table t (a int as (1) references x(a))
create table t (a int not null as (1))
create table t (a int as 1)
create table t (a int generated always (1))
create table t (a int constraint c check (a>0) enforced constraint check (a) not enforced)
create table t (a int constraint c)
create table t (a int check a>1)
create table t (a int not enforced)
create table t (a int check (1) enforced enforced)
create table t (constraint check (a>1), constraint c check (a) not enforced, check (b))
create table t (constraint c)
create table t (constraint primary key (a), constraint c primary key using btree (a,b(10) desc, (a+1) asc) comment 'x')
create table t (constraint c unique index i (a), unique (a), unique using hash (a), unique i using hash (a) using btree)
create table t (fulltext (a), fulltext key f (a) with parser ngram comment 'x' invisible, spatial index s (b))
create table t (constraint c fulltext (a))
create table t (foreign key (a) references x(a), constraint foreign key i (a,b) references y(a,b) match simple on delete restrict)
create table t (constraint c foreign key (a(3)) references d.x (a))
create table t (foreign key ((a+1)) references x (a))
create table t (foreign key (a) references x (a(3)))
create table t (key (a) type btree, index k using rtree (a))
create table t (index type btree (a))
create table t (key k (a) key_block_size 4 engine_attribute '{}' secondary_engine_attribute='{}' visible)
create table t (key k (a) comment='x')
create table t (key k (a) key_block_size=0x1, key (a) key_block_size=1.5)
create table t (key k ((a+1)), key ((cast(a as char(10) array))))
create table t (key k (a+1))
create table t (key k (a(0x3)))
create table t (key k (a.b))
create table t (primary key i (a))
create table t (a int,)
create table t ()
create table t engine=innodb
create table t (a double(3), b int)
create table t (a varchar)
create table t (a enum())
create table t (a char(3) character set utf8 collate utf8_bin collate utf8_bin)
create table t (a text charset utf8mb4 collate 'utf8mb4_bin')
create table t (a varchar(3) character set default)
create table t (a int column_format default storage default, b int storage memory column_format dynamic, c int column_format disk)
create table t (a int engine_attribute '{}' , b int secondary_engine_attribute = '{}')
create table t (a point srid 4326 not null srid 0)
create table t (a int not secondary)
create table t (a int comment 5)
create table t (a int comment N'x')
create table t (a int comment 'a' 'b')
create table t (t.a int)
create table t (a int) engine innodb max_rows=1 min_rows 2 avg_row_length=3 password 'x' comment 'y' auto_increment=5 pack_keys=default stats_auto_recalc=1 stats_persistent 0 stats_sample_pages=default checksum=1 table_checksum=0 delay_key_write=1 row_format=compact union=(a,b.c) default charset=utf8 collate=utf8_bin insert_method=first data directory='x' index directory 'y' tablespace=z storage disk connection='q' key_block_size=4 encryption='n' compression='zlib' start transaction autoextend_size=4m engine_attribute='{}' secondary_engine_attribute='{}' secondary_engine=rapid
create table t (a int) engine='innodb', secondary_engine=null, default collate utf8_bin, charset binary
create table t (a int), engine=innodb
create table t (a int) engine=5
create table t (a int) pack_keys=1 , , row_format=compact
create table t (a int) row_format=xyz
create table t (a int) insert_method=xyz
create table t (a int) union=()
create table t (a int) autoextend_size=0x10
create table t (a int) autoextend_size=1.5
create table t (a int) max_rows=0x10
create table t (a int) max_rows=1.5
create table t (a int) checksum=0x5
create table t (a int) stats_persistent=5
create table t (a int) auto_increment=-1
create table t (a int) charset default
create table t (a int) tablespace 'x'
create table t (a int) comment=_utf8'x'
create table t (a int) partition by range (a) (partition p0 values less than (1), partition p1 values less than maxvalue)
create table t (a int) partition by range columns (a,b) partitions 2 (partition p0 values less than (1,maxvalue) engine=innodb comment 'x' data directory='x' index directory 'y' max_rows 1 min_rows=2 nodegroup 3 tablespace=z, partition p1 values less than (maxvalue,maxvalue))
create table t (a int) partition by list (a) subpartition by linear key algorithm=2 (a,b) subpartitions 2 (partition p0 values in (1,null,2) (subpartition s0 engine innodb, subpartition s1))
create table t (a int) partition by list columns (a,b) (partition p0 values in ((1,2),(3,4)))
create table t (a int) partition by list columns (a,b) (partition p0 values in ((1,2),3))
create table t (a int) partition by list (a) (partition p0 values in (1, (2)))
create table t (a int) partition by list (a) (partition p0 values in ())
create table t (a int) partition by list (a) (partition p0 values in (maxvalue))
create table t (a int) partition by linear hash (a+1) partitions 4
create table t (a int) partition by linear range (a) (partition p0 values less than (1))
create table t (a int) partition by key () partitions 4
create table t (a int) partition by key algorithm 1 (a)
create table t (a int) partition by key algorithm=3 (a)
create table t (a int) partition by hash (a) (partition p0, partition p1)
create table t (a int) partition by hash(a) partitions 0x2
create table t (a int) partition by hash(a) partitions 1.5
create table t (a int) partition by range (a) partitions (partition p0 values less than (1))
create table t (a int) partition by range (a+1) (partition p0 values less than (1 or 2))
create table t (a int) partition by range (a or 1) (partition p0 values less than (1))
create table t (a int) partition by range (a) (partition p0 values less than 1)
create table t (a int) partition by range (a) ()
create table t (a int) partition by range fields (a) (partition p0 values less than (1) storage engine innodb)
create table t (a int) partition by range columns () (partition p0 values less than (1))
create table t (a int) partition by range (a) (partition p0 values less than (1) values less than (2))
create table t (a int) partition by range (a) (partition p0 values less than (1) tablespace = 'x')
create table t (a int) partition by key (a) subpartition by key () (partition p0)
create table t (a int) partition by system_time
create table t (a int) partition by hash (a) (partition p0 ())
create table t (a int) partition by hash(a) engine=innodb
create table t partition by hash(a) select 1 as a
create table t (a int) replace select 1
create table t (a int) as table t
create table t ignore select 1
create table t (select 1) union (select 2) limit 1
create table t (a int) (select 1)
create table t (((select 1)))
create table t values row(1)
create table t table u
create table t with q as (select 1) select * from q
create table t as
create table t ignore
create table t
create table if not exists t
create table if exists t (a int)
create table t (like u)
create table if not exists a.t like b.u
create temporary table t like u
create table t (a int, like u)
create table t like u engine=innodb
create or replace table t (a int)
create table a.b.c (a int)
create table .b (a int)
create table t (a int) foo
drop table t cascade
drop tables t,u
drop temporary tables if exists t, a.b restrict
drop table
drop table if exists
drop table .b
drop table a.*
drop temporary view v
rename table a to b, c.d to e
rename tables a to b
rename table a to b c to d
rename table a as b
truncate a
truncate table a.b
truncate table a, b
import table from 'x', 'y'
import table from x
create index i on t (a)
create unique index i using btree on t (a, b(3)) using btree comment 'x' algorithm=inplace lock=none
create index i type rtree on t (a)
create fulltext index i on t (a) with parser ngram lock default algorithm=default
create spatial index i on t (a) algorithm=copy
create spatial index i on t (a) using btree
create fulltext index i using btree on t (a)
create index i on t (a) lock=none lock=none
create index if not exists i on t (a)
create index i on t ((a+1), (b->'$.x'))
create index on t (a)
create unique i on t (a)
drop index i on t algorithm=copy lock none
drop index `primary` on t
drop index primary on t
drop index i on d.t
drop index if exists i on t
drop index i
