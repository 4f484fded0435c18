-- Table definitions as SHOW CREATE TABLE and the others tell them; ALTER TABLE.

create table t (
  id bigint unsigned not null auto_increment,
  name varchar(50) not null default '',
  note text,
  amount decimal(12,2) default '0.00',
  state enum('new','old') not null default 'new',
  flags set('a','b') default null,
  created datetime not null default current_timestamp,
  changed timestamp null default null on update current_timestamp,
  c6 datetime(6) default current_timestamp(6) on update current_timestamp(6),
  latin varchar(10) character set latin1 default null,
  bin varchar(10) character set utf8mb4 collate utf8mb4_bin default null comment 'it''s',
  b bit(1) default b'1',
  f float default '1.5',
  e int default (1 + 2),
  n int null,
  primary key (id),
  unique key u_name (name),
  key k_multi (state, created desc),
  key k_prefix (note(20)),
  key k_hash (amount) using btree comment 'idx',
  key k_inv (n) invisible
) engine=InnoDB auto_increment=100 default charset=utf8mb4 comment='a table';
show create table t;
show columns from t;
show full columns from t like 'b%';
-- mask: Cardinality
show index from t;
show keys from t where key_name = 'PRIMARY';
describe t name;
create table fk (id int primary key, tid bigint unsigned, other int, constraint fk1 foreign key (tid) references t (id) on delete cascade on update set null, constraint ck check (other > 0), check (id < 1000));
show create table fk;
create table plain (a int, b varchar(10)) charset latin1;
show create table plain;
create table gen (a int, b int generated always as (a * 2) virtual, c int as (a + b) stored not null, d varchar(10) generated always as (concat(a, 'x')), key (c));
show create table gen;
insert into gen (a) values (1), (2);
insert into gen (a, b) values (1, 5);
insert into gen (a, b) values (3, default);
update gen set a = 10 where a = 1;
select * from gen order by a;
show columns from gen;
alter table t add column x int;
alter table t add column y int not null default 5 after name, add column z int first;
alter table t modify x bigint not null default 0 comment 'c';
alter table t change x xx varchar(20);
alter table t alter column y set default 9, alter n set default 3;
alter table t alter column y drop default;
alter table t drop column z, drop column y;
alter table t rename column xx to x2;
alter table t add index ix (x2), add unique ux (x2, n);
alter table t rename index ix to iy;
alter table t alter index iy invisible;
alter table t drop index iy, drop key ux;
alter table t comment 'changed', auto_increment = 500;
alter table t convert to character set utf8mb4 collate utf8mb4_general_ci;
alter table t default character set latin1;
alter table t engine=innodb;
alter table t add constraint ck2 check (amount >= 0);
alter table t drop check ck2;
-- differs: not refused
alter table t add column v int as (id + 1) virtual;
-- differs: the grammar lacks it
alter table t order by id;
alter table t force, algorithm=inplace, lock=none;
alter table t add fulltext index ft (name);
-- differs: attributes that the definition does not keep
show create table t;
alter table t rename to t9;
rename table t9 to t8, plain to plain2;
show tables;
show full tables;
show tables like 'p%';
show full tables where table_type = 'BASE TABLE';
-- mask: Create_time, Update_time, Check_time, Rows, Avg_row_length, Data_length, Index_length, Data_free, Auto_increment
show table status like 'plain2';
create table l like plain2;
show create table l;
create table s as select 1 as a, 'x' as b, 1.5 as c, now() as d, null as e, 2.5e0 as f, cast(5 as unsigned) as g, x'41' as h;
show create table s;
-- differs: the id of the first row is not told
create table s2 (id int primary key auto_increment, extra int default 4) select 'abc' as v;
show create table s2;
select * from s2;
create table s3 select * from plain2;
create table if not exists s3 (a int);
show warnings;
create temporary table tmp (id int primary key, v varchar(5));
insert into tmp values (1, 'a');
show create table tmp;
select * from tmp;
create temporary table plain2 (tt int);
select * from plain2;
drop temporary table plain2;
select * from plain2;
drop table tmp;
create table pk2 (a int, b int, c int, primary key (b, a), index (c, a));
show create table pk2;
alter table pk2 drop primary key, add primary key (a);
-- differs: not refused
alter table pk2 add d int primary key;
create index i1 on pk2 (c);
create unique index i2 using btree on pk2 (b, c);
drop index i1 on pk2;
-- differs: attributes that the definition does not keep
show create table pk2;
create table ints (a int(11), b tinyint(1), c int unsigned, d bigint(20) unsigned zerofill, e year, f bool, g integer, h real, i double precision, j dec(5), k char, l nchar(5), m long varchar, n character varying(5), o national varchar(7), p fixed(4,1), q int1, r int8, s middleint, t varchar(5) binary, u serial);
show create table ints;
create table defs (a int default 1, b varchar(5) default 'x''y', c char(3) default null, d date default '2024-01-01', e time default '10:00:00', f decimal(5,2) default 1.5, g timestamp default '2024-01-01 00:00:00', h bit(4) default 5, i year default 2024, j json default (json_array()), k text default ('abc'), l binary(3) default 'abc', m int not null, n varchar(36) default (uuid()), o blob, p timestamp not null default current_timestamp);
show create table defs;
describe defs;
show full columns from defs;
create table parts (id int, v int) partition by hash (id) partitions 4;
create table comm (a int comment 'col') comment = 'tab''le';
show create table comm;
create table coll2 (a varchar(5), b varchar(5) collate utf8mb4_bin, c char(5) character set ascii, d text collate latin1_general_ci, e enum('x') collate utf8mb4_bin) collate utf8mb4_general_ci;
show create table coll2;
create table fidx (a int, b varchar(20), key fk ((a + 1)), key lk ((lower(b))));
create table rowf (a int) row_format=dynamic key_block_size=0 stats_persistent=1 avg_row_length=5;
show create table rowf;
create table invis (a int, b int invisible);
insert into invis values (1);
select * from invis;
select a, b from invis;
show create table invis;
create view v1 as select a, b from plain2 where a > 1;
show create view v1;
show create table v1;
show columns from v1;
create or replace view v1 as select a from plain2 with check option;
show create view v1;
create algorithm=merge sql security invoker view v2 (x, y) as select a, b from plain2;
show create view v2;
insert into v2 values (1, 'x');
select * from v2;
-- differs: no warning that a view without tables is not merged
alter view v2 as select 1 as one;
select * from v2;
drop view v1, v2;
create database diff_other character set latin1;
show create database diff_other;
show databases like 'diff_o%';
show schemas like 'diff_o%';
alter database diff_other character set utf8mb4 collate utf8mb4_bin;
show create schema diff_other;
drop database diff_other;
create database if not exists information_schema;
drop table if exists nope1, l;
drop table s, s2, s3;
checksum table pk2;
analyze table pk2;
check table pk2;
optimize table pk2;
repair table pk2;
