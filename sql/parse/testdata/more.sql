create table t5 (f1 int, key h(f1 desc) using hash)
create table t5 (f1 int, key h using hash (f1 desc))
create table t5 (f1 int, key h using btree (f1 desc))
create unique index h using hash on t (a asc)
create index h on t (a asc) using hash
create fulltext index h on t (a asc)
alter table t add key (a desc) using hash
alter table t add fulltext key (a, b desc)
create table t5 (f1 int, spatial key ((a+1) desc))
create table t (a int) stats_sample_pages=0
create table t (a int) stats_sample_pages=1.5
create table t (a int) stats_sample_pages=65535
create table t (a int) stats_sample_pages=0xffffff
create table t (a int) stats_sample_pages=65536 foo
create table t (a int) stats_sample_pages=foo
create masking policy p(a) a+1
create masking policy p(a) case when 1 then a end
create masking policy p(a,b) a
create masking policy p() 1
create masking policy p a
create masking policy if not exists p(a) (select 1)
create or replace masking policy p(a) a
create masking policy test.p(a) a
create masking policy `p q`(`a b`) concat(`a b`, 'x')
create definer=root masking policy p(a) a
drop masking policy p
drop masking policy if exists p
drop masking policy p, q
drop masking policy test.p
alter masking policy p(a) a
show create masking policy p
show create masking policy test.p
show masking policies
create table t (a int masking policy p)
create table t (a int masking policy p not null comment 'x')
create table t (a int masking policy test.p)
create table t (a int masking policy)
create table t (a int masking policy p masking policy q)
create table t (a int as (1) masking policy p)
create table t (a int masking p)
alter table t alter a set masking policy p
alter table t alter column a drop masking policy
alter table t alter a set masking policy test.p
alter table t alter a set masking
create json duality view v as select 1
create or replace algorithm = merge definer=root sql security invoker json relational duality view v as select json_duality_object('a':1)
create sql security invoker json duality view v as select 1
create algorithm=merge materialized view v as select 1
create definer=root materialized view v as select 1
create sql security definer materialized view v as select 1
create or replace materialized view v as select 1
create materialized view if not exists v as select 1
alter json duality view v as select 1
alter algorithm=merge json relational duality view v as select 1
alter materialized view v as select 1
create json view v as select 1
create json duality view v (a) as select 1
install component 'a' set x = 1
install component 'a' set x = on
install component 'a' set x = default
install component 'a' set x = 'a', y = -1, a.b = 1.5
install component 'a' set x = a
install component 'a' set x = 1+1
install component 'a' set x = (1)
install component 'a' set x = (select 1)
install component 'a' set x = concat(1)
install component 'a' set x = @a
install component 'a' set x = @@a
install component 'a' set x = ?
install component 'a' set x = binary
install component 'a' set x = all
install component 'a' set x = row
install component 'a' set x = system
install component 'a' set x = null
install component 'a' set x = true
install component 'a' set global x = 1
install component 'a' set global x = 1, persist y = 2
install component 'a' set session x = 1
install component 'a' set @@x = 1
install component 'a' set x := 1
install component 'a', 'b' set x = 1
start replica until source_log_file='a'
start replica until source_log_file='a', source_log_pos=1, relay_log_pos=12
start replica until source_log_pos=1
start replica until relay_log_pos=1, relay_log_file='a'
start replica until source_log_pos=1, source_log_file='a'
start replica until source_log_pos=1, source_log_pos=2, source_log_file='a'
start replica until sql_after_gtids='a', source_log_pos=1
start replica until sql_before_gtids='a', sql_before_gtids='b'
start replica until sql_after_mts_gaps, sql_after_mts_gaps
start replica until source_log_file='a' , x
start replica until sql_after_mts_gaps = 1
create function f() returns int using (a) using (b) language javascript as 'x'
create function f() returns int using () language javascript as 'x'
create procedure p() using (a as b, c.d as e, f g) language javascript as 'x'
alter function f using ()
alter function f using (a) using (b)
alter function f using ( ) comment 'x' using (a)
grant select(c1) on function *.* to r1
grant select(c1) on procedure a to r1
grant select(c1) on table a to r1
revoke select(c1) on function a from r1
grant select(a) on *.* to r1
grant select(a), insert on x.* to r1
clone instance from 'u'@'h':3306 identified by 'x'
clone instance from 'u'@'h' :3306 identified by 'x'
clone instance from 'u'@'h': 3306 identified by 'x'
clone instance from u@h:3306 identified by 'x'
clone instance from u@h : 3306 identified by 'x'
clone instance from u :3306 identified by 'x'
clone instance from u @'h':3306 identified by 'x'
create or replace view if not exists v as select 1
create or replace algorithm=merge view if not exists v as select 1
create view if not exists v as select 1
alter view if not exists v as select 1
alter instance rotate foo master key
alter instance rotate innodb master key
alter instance rotate binlog master key
alter instance rotate `innodb` master key
alter instance enable innodb redo_log
alter instance enable innodb foo
alter instance enable foo redo_log
alter instance disable innodb redo_log
alter instance reload tls
alter instance reload tls for channel a no rollback on error
alter instance reload tls no rollback on error
alter instance reload keyring
alter instance reload foo
alter instance foo
alter table t algorithm := copy
alter table t lock := none
create table t (a int) engine := innodb comment := 'x' max_rows := 5
create table t (a int) default charset := utf8mb4 collate := utf8mb4_bin
create table t (a int) data directory := 'x' union := (a) tablespace := x
create database d charset := utf8mb4
create database d encryption := 'Y'
alter database d read only := 1
create tablespace t add datafile 'x' extent_size := 1M
create server s foreign data wrapper mysql options (host := 'x')
create user u@h password history := 1
change replication source to source_host := 'x'
create resource group g type := user
create resource group g type = user vcpu := 1 thread_priority := 5
alter table t import partition p0 tablespace
alter table t add a int, discard tablespace
alter table t add a int, check partition p0
alter table t engine = innodb, coalesce partition 1
alter table t force, import tablespace
alter table t rebuild
alter table t add partition
alter table t drop partition
alter table t truncate
alter table t check
alter table t exchange
alter table t check (a > 1)
signal sqlstate '45000' 'x'
signal sqlstate N'45000'
signal sqlstate _utf8'45000'
signal sqlstate '450'
signal sqlstate '00000'
create procedure p() signal sqlstate '00abc'
grant a@b on *.* to c
revoke a@b on *.* from c
grant a@b, select on x to c
grant select(a), b to c
create user u and identified by 'x'
create user u and identified by 'x' and identified with p
create user u identified by 'a' and identified by 'b' and identified by 'c' and identified by 'd'
create user u identified with p initial authentication identified by 'x'
create user u identified with p initial authentication identified by random password
create user u identified with p initial authentication identified with q
create user u identified with p initial authentication identified with q as 'x'
create user u identified with p initial authentication identified with q by 'x'
create user u identified with p as 'x' initial authentication identified by 'x'
create user u initial authentication identified by 'x'
create user u identified with p and identified with q initial authentication identified by 'x'
install component 'x' set session.b = 5
install component 'x' set global.b = 5
create or replace view if not exists v.w (a select 1
create or replace view if not exists v select
create or replace view if not exists v. select
alter view if not exists v (
select 1.e(1)
select (1.e)
select 1.e,2
select a from t where b in (1,1.e)
select 1.e+(2)
select 1.e;
select 1.e*2
clone instance from u@h: 3306 identified by 'x'
clone instance from u@h: 3306 identified by 'x' foo
