show databases
show schemas like 'a%'
show databases where `Database` = 'x'
show databases like _utf8'a'
show databases like 'a' 'b'
show databases like 5
show databases where
show tables
show full tables from d like 'x'
show extended full tables in d where a = 1
show extended tables
show full extended tables
show open tables from d like 'x'
show open tables where 1
show full open tables
show table status from d like 'x'
show table status
show table status in d where name = 'a'
show table
show triggers from d like 'x'
show full triggers
show extended triggers
show events in d where 1
show full events
show columns from t
show full columns in t from d like 'x'
show extended full fields from d.t in e where 1
show full fields from t
show columns t
show columns from t where 1 like 'x'
show index from t
show extended indexes in t from d where 1
show keys from d.t
show full keys from t
show index from t like 'x'
show create table d.t
show create table t t
show create view v
show create database if not exists d
show create schema d
show create database
show create procedure d.p
show create function f
show create trigger d.t
show create event e
show create library l
show create user u@h
show create user current_user()
show create user u@h, v
show create materialized view v
show create index i
show variables
show global variables like 'x'
show session variables where variable_name = 'x'
show local variables
show persist variables
show status
show global status like 'x'
show full status
show warnings
show errors limit 5
show warnings limit 5, 6
show warnings limit 5 offset 6
show count(*) warnings
show count(*) errors
show count(1) errors
show count (*) warnings
show engines
show storage engines
show engine innodb status
show engine 'innodb' mutex
show engine all logs
show engine innodb
show engine performance_schema status
show plugins
show plugin
show privileges
show profiles
show profile
show profile all, block io, context switches, cpu, ipc, memory, page faults, source, swaps for query 5 limit 3 offset 2
show profile cpu cpu
show profile for query x
show processlist
show full processlist
show processlist like 'x'
show grants
show grants for current_user
show grants for u@h using r1, r2@x
show grants for u using
show grants using r
show charset like 'x'
show character set where 1
show collation like 'x'
show collation
show function status like 'x'
show procedure status where 1
show library status
show function code f
show procedure code d.p
show binary logs
show master logs
show binary log status
show master status
show binlog events
show binlog events in 'x' from 4 limit 2, 3
show binlog events from 4 in 'x'
show relaylog events in 'x' from 4 limit 2 for channel 'c'
show relaylog events for channel c
show replicas
show slave hosts
show replica status for channel 'c'
show slave status
show replica status
show parse_tree select 1
show parse_tree format=json select 1
show server status
show
show foo
show table types
show innodb status
show mutex status
show authors
show contributors
show user_statistics
show tables from a.b
show triggers from d, e
describe t
desc t a
describe t 'a%'
explain t
explain d.t `a`
explain t a b
explain select 1
explain format=json select 1
explain format='json' select 1
explain format=xyz select 1
explain analyze select 1
explain analyze format=tree select 1
explain format=tree analyze select 1
explain extended select 1
explain partitions select 1
explain for connection 5
explain format=json for connection 5
explain analyze for connection 5
explain for schema d select 1
explain format=json into @a select 1
explain into @a select 1
explain into @a format=json select 1
explain for schema d into @a select 1
explain for database d format=tree select 1
explain table t
explain values row(1)
explain (select 1) union (select 2)
explain with q as (select 1) select * from q
explain call p()
explain create table t (a int)
explain show tables
explain
help 'x'
help x
help select
help
use d
use d.e
use 'd'
use
signal sqlstate '45000' set message_text = null
