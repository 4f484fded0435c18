-- What tools and administrators ask for: the statement before, tables of the mysql schema, performance_schema and sys.
-- differs: system variables are described without UNSIGNED
select @@identity, @@last_insert_id;
-- text
select @@warning_count, @@error_count;
select 1/0;
-- text
select @@warning_count, @@session.error_count;
set last_insert_id = 77;
-- differs: system variables are described without UNSIGNED
select last_insert_id(), @@identity;

-- GET DIAGNOSTICS
select 1/0;
-- differs: the OK of GET DIAGNOSTICS counts the warnings that it tells of
-- text
get diagnostics condition 1 @c = returned_sqlstate, @e = mysql_errno, @m = message_text;
select @c, @e, @m;
create table t (a int primary key, b int, c varchar(10), key (b));
insert into t values (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z');
get diagnostics @n = number, @r = row_count;
select @n, @r;
insert into t values (1, 1, 'q');
-- differs: the OK of GET DIAGNOSTICS counts the warnings that it tells of
get current diagnostics @n = number, @r = row_count;
insert into t values (1, 1, 'q');
-- differs: the OK of GET DIAGNOSTICS counts the warnings that it tells of
get diagnostics condition 1 @c = returned_sqlstate, @e = mysql_errno, @m = message_text, @o = class_origin;
select @n, @r, @c, @e, @m, @o;
delimiter //
create procedure handled()
begin
  declare n int;
  declare continue handler for sqlexception get diagnostics condition 1 n = mysql_errno;
  insert into t values (1, 1, 'q');
  select n;
end//
delimiter ;
-- text
call handled();
get diagnostics;
get diagnostics @a = nothing;

-- WITH RECURSIVE
set cte_max_recursion_depth = 10;
with recursive r as (select 1 n union all select n + 1 from r where n < 20) select max(n) from r;
with recursive r as (select 1 n union all select n + 1 from r where n < 11) select max(n) from r;
with recursive r as (select 1 n union all select n + 1 from r where n < 10) select max(n) from r;
with recursive r as (select 1 n union select n % 3 + 1 from r) select n from r order by n;
set cte_max_recursion_depth = 0;
with recursive r as (select 1 n union all select n + 1 from r) select max(n) from r;
set cte_max_recursion_depth = default;
with recursive r as (select 1 n union all select n + 1 from r) select max(n) from r;
with recursive r as (select 1 n union all select n + 1 from r where n < 1000) select max(n) from r;

-- window functions
select b, cume_dist() over (order by b) from t;
select b, cume_dist() over (partition by a order by b) cd, percent_rank() over (order by b) from t;
select b, nth_value(b, 2) over (order by a) from t;
select b, nth_value(b, 2) over (order by a rows between unbounded preceding and unbounded following) x from t;
select b, nth_value(b, 0) over (order by a) from t;
select a, nth_value(b, 2) over (order by b) n, cume_dist() over () c from (select 1 * 1 a, 1 * 1 b union all select 2 * 1, 1 * 1 union all select 3 * 1, 2 * 1) x order by a;
select a, nth_value(b, 2) over () n, nth_value(a, 3) over (order by b) m, cume_dist() over (partition by b order by a) c from (select 1 * 1 a, 1 * 1 b union all select 2 * 1, 1 * 1 union all select 3 * 1, 2 * 1) x order by a;
select b, nth_value(c, 1) over w n, nth_value(c, 3) over w m from t window w as (order by a rows 1 preceding);

-- optimizer_switch
set optimizer_switch = 'mrr=off,index_merge=off';
select @@optimizer_switch;
set optimizer_switch = 'mrr=default';
select @@optimizer_switch like '%,mrr=on,%', @@optimizer_switch like 'index_merge=off,%';
set optimizer_switch = 'nosuch=off';
set optimizer_switch = 'mrr=2';
set optimizer_switch = @@optimizer_switch;
set optimizer_switch = 'default';
select @@optimizer_switch;
set optimizer_switch = default;

-- tables that tools read
select * from mysql.default_roles where user = 'nobody';
select host, db, user, table_name, column_name, column_priv from mysql.columns_priv;
select name, dl, type from mysql.func;
select * from mysql.plugin;
select component_urn from mysql.component;
select count(*) from mysql.general_log;
select count(*) from mysql.slow_log;
select table_name, n_rows from mysql.innodb_table_stats where database_name = 'nowhere';
select mysql.servers.server_name from mysql.servers where mysql.servers.host = 'x';
select f.name from mysql.func f join mysql.plugin p on f.name = p.name;
with func as (select 'x' as n) select n from func;
select channel_name, worker_id, thread_id, service_state, last_error_message, last_applied_transaction from performance_schema.replication_applier_status_by_worker;
select channel_name, host, user, auto_position from performance_schema.replication_connection_configuration;
select user, current_connections > 0, total_connections > 0 from performance_schema.users where user = 'root';
select object_name, count_star, sum_timer_wait, count_fetch, sum_timer_fetch, sum_timer_insert, sum_timer_update, sum_timer_delete from performance_schema.table_io_waits_summary_by_table where object_schema = 'nowhere';
select object_name, index_name, sum_timer_fetch from performance_schema.table_io_waits_summary_by_index_usage where object_schema = 'nowhere';
select event_name, current_number_of_bytes_used from performance_schema.memory_summary_global_by_event_name where event_name = 'nothing';
select event_name, count_star, sum_timer_wait from performance_schema.events_waits_summary_global_by_event_name where event_name = 'nothing';
select name from performance_schema.setup_consumers order by name;
select * from performance_schema.status_by_thread where thread_id = 0;
select count(*) from information_schema.tables where table_schema = 'performance_schema' and table_name not like 'clone%';
select table_name, column_name, ordinal_position, is_nullable from information_schema.columns where table_schema = 'performance_schema' and table_name like 'events_statements_summary%' order by 1, 3;
select table_name, rows_fetched, rows_inserted from sys.schema_table_statistics where table_schema = 'nowhere';
select * from sys.schema_unused_indexes where object_schema = 'nowhere';
select query, db, exec_count from sys.statement_analysis where db = 'nowhere';
select query from sys.x$statement_analysis where db = 'nowhere';
select variable_name, type, enabled from sys.metrics where variable_name = 'uptime';

-- ANALYZE
analyze table nosuch;
analyze local table t;
analyze no_write_to_binlog table t, nosuch;

-- ALTER PROCEDURE, ALTER FUNCTION
create function f1() returns int deterministic return 1;
alter function f1 comment 'it''s one';
-- mask: sql_mode
show create function f1;
select f1();
alter function f1 deterministic;
alter function nosuch comment 'x';
create procedure p1(in a int, out b int) comment 'old' begin set b = a; end;
alter procedure p1 sql security invoker reads sql data;
select routine_name, routine_type, data_type, sql_data_access, security_type, routine_comment, is_deterministic, routine_definition from information_schema.routines where routine_schema = database() and routine_name in ('f1', 'p1') order by 1;
call p1(3, @b);
select @b;
alter procedure nosuch comment 'x';
alter procedure f1 comment 'x';
create definer = root@localhost function f2() returns int deterministic return 2;
create definer = 'root'@'localhost' procedure p2() set @called = 2;
call p2();
select f2(), @called;

-- numbers as views show them
select format_bytes(0), format_bytes(512), format_bytes(1024), format_bytes(2048), format_bytes(1048575), format_bytes(18446644073709551615), format_bytes(null), format_bytes(-5000);
select format_pico_time(0), format_pico_time(999), format_pico_time(1000), format_pico_time(123456789012), format_pico_time(60000000000000), format_pico_time(864000000000000000), format_pico_time(null);

-- CREATE USER ... DEFAULT ROLE
create role tools_r, tools_s;
create user tools_u identified by 'DEFAULT ROLE nobody' default role tools_r, 'tools_s'@'%' account lock comment 'x';
create user tools_v default role tools_nobody;
create user if not exists tools_v default role tools_s;
select user, host, default_role_user, default_role_host from mysql.default_roles where user like 'tools%' order by 1, 3;
select from_user, to_user from mysql.role_edges where to_user like 'tools%' order by 1, 2;
select user, account_locked from mysql.user where user like 'tools%' order by 1;
drop user tools_u, tools_v;
drop role tools_r, tools_s;
