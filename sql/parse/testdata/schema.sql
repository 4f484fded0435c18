create materialized view v as select 1
create or replace materialized view v as select 1
create sql security definer materialized view v as select 1
create json duality view v as select json_duality_object('a':a) from t
create or replace json relational duality view v as select json_duality_object('_id':a) from t
create json collection table t
alter materialized view v as select 1
drop materialized view v
create or replace algorithm=temptable definer='x' sql security definer view a.v (a,b) as select 1,2 with cascaded check option
create algorithm=merge definer=u@h sql security invoker view v(a) as (select 1) with local check option
create sql security invoker view if not exists v as table t
create view v as values row(1)
create or replace view if not exists v as select 1
create view v () as select 1
create view v as (select 1) union (select 2) order by 1 limit 1
create view v as ((select 1))
create view v as with q as (select 1) select * from q with check option
create view v as select 1 for update
create algorithm merge view v as select 1
create definer=current_user() view v as select 1
create definer=current_user view v as select 1
create definer=`a b`@`%` view v as select 1
create view v as select 1 limit 1 with check option
create view v as select 1 with check
alter definer=u@'%' view v as select 1
alter view if exists v as select 1
alter view v as select 1
drop view if exists a.b, c cascade
drop view v restrict
drop view
create database if not exists d default character set = utf8mb4 collate utf8mb4_bin default encryption='y'
create schema d charset utf8mb4 read only=1
create database d collate = default
create database
alter database character set utf8mb4
alter schema d collate utf8mb4_bin read only = default
alter database read only = 1
alter database
alter database d
alter database d default read only=1
alter database d upgrade data directory name
drop schema if exists d
drop database
create resource group g type user vcpu 0
create resource group g type=user vcpu=0,1 thread_priority=5
create resource group g type=user disable
create resource group g type=foo
create resource group g
create resource group if not exists g type=user
alter resource group g type=user
alter resource group g
alter resource group g thread_priority 5 enable
alter resource group g disable force
drop resource group g force
create spatial reference system 4120 definition 'z' name 'a' organization 'b' identified by 3
create spatial reference system 4120 definition 'z' name 'a' organization 'b'
create spatial reference system x name 'a' definition 'z'
create or replace spatial reference system if not exists 4120 definition 'z' name 'a'
create or replace spatial reference system 4120 definition 'z' name 'a'
drop spatial reference system if exists 4120
create undo tablespace u add datafile 'x.ibu'
create undo tablespace u add datafile 'x.ibu' engine=innodb
create undo tablespace u
create undo tablespace u add datafile 'x' comment 'x'
alter undo tablespace u set active
alter undo tablespace u set inactive engine=innodb
alter undo tablespace u
drop undo tablespace u engine innodb
create tablespace t add datafile 'x.ibd' use logfile group g extent_size=1m initial_size 64k, autoextend_size=4m max_size=1g nodegroup=1 wait comment='x' engine=innodb file_block_size=8k encryption='y' engine_attribute='{}'
create tablespace t
create tablespace t engine=innodb add datafile 'x'
create tablespace t initial_size 1.5m
alter tablespace t add datafile 'x' initial_size=1m wait engine=ndb
alter tablespace t drop datafile 'x' engine=ndb
alter tablespace t rename to u
alter tablespace t encryption='n' autoextend_size=4m
alter tablespace t read only
alter tablespace t comment 'x'
alter tablespace t
drop tablespace t engine=innodb
drop tablespace t wait engine=innodb
drop tablespace t , engine=innodb
create logfile group g add undofile 'x' initial_size 1m undo_buffer_size 2m redo_buffer_size=1 nodegroup=1 wait comment 'x' engine=ndb
create logfile group g add undofile 'x' max_size=1
create logfile group g add redofile 'x'
alter logfile group g add undofile 'x' initial_size 1m wait engine=ndb
drop logfile group g engine=ndb
create server s foreign data wrapper mysql options (user 'x', host 'y', database 'd', password 'p', socket 's', owner 'o', port 3306)
create server 's' foreign data wrapper 'mysql' options (user 'x')
create server s foreign data wrapper mysql options ()
create server s foreign data wrapper mysql options (port '3306')
alter server s options (user 'x')
drop server if exists s
drop server s t
alter instance rotate innodb master key
alter instance rotate binlog master key
alter instance rotate foo master key
alter instance reload tls for channel mysql_main no rollback on error
alter instance disable innodb redo_log
alter instance enable innodb redo_log
alter instance enable myisam redo_log
alter instance reload keyring
alter instance reload
