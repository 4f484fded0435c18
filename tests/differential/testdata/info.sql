-- What drivers, ORMs and tools ask: SHOW statements and information_schema.

create table t (id int primary key auto_increment, v varchar(20) not null default 'x' comment 'vc', d decimal(10,2), ts timestamp null default current_timestamp on update current_timestamp, e enum('a','b'), key kv (v, d), unique key ud (d)) comment 'tc';
create table c (id int primary key, tid int, constraint c_t foreign key (tid) references t (id) on delete cascade, constraint ck check (id > 0));
create view vw as select id, v from t;
create procedure pr (in a int, out b varchar(10)) comment 'pc' set b = a;
create trigger tg before insert on t for each row set new.v = upper(new.v);
select table_name, table_type, engine, version, row_format, table_collation, create_options, table_comment from information_schema.tables where table_schema = database() order by table_name;
select table_catalog, table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, character_octet_length, numeric_precision, numeric_scale, datetime_precision, character_set_name, collation_name, column_type, column_key, extra, privileges, column_comment, generation_expression, srs_id from information_schema.columns where table_schema = database() and table_name = 't' order by ordinal_position;
select table_name, non_unique, index_name, seq_in_index, column_name, collation, sub_part, nullable, index_type, comment, index_comment, is_visible, expression from information_schema.statistics where table_schema = database() order by table_name, index_name, seq_in_index;
-- differs: go-mysql-server gives another value
select constraint_name, table_name, constraint_type, enforced from information_schema.table_constraints where constraint_schema = database() order by table_name, constraint_name;
select constraint_name, table_name, column_name, ordinal_position, position_in_unique_constraint, referenced_table_schema, referenced_table_name, referenced_column_name from information_schema.key_column_usage where constraint_schema = database() order by table_name, constraint_name, ordinal_position;
select constraint_name, unique_constraint_name, match_option, update_rule, delete_rule, table_name, referenced_table_name from information_schema.referential_constraints where constraint_schema = database();
select * from information_schema.check_constraints where constraint_schema = database();
select table_name, view_definition, check_option, is_updatable, security_type from information_schema.views where table_schema = database();
select routine_name, routine_type, data_type, routine_body, routine_definition, sql_data_access, security_type, routine_comment, definer from information_schema.routines where routine_schema = database();
select trigger_name, event_manipulation, event_object_table, action_order, action_statement, action_orientation, action_timing, sql_mode from information_schema.triggers where trigger_schema = database();
-- differs: another type or flag of the column, the same value
select * from information_schema.schemata where schema_name = database();
select * from information_schema.character_sets where character_set_name in ('utf8mb4', 'latin1', 'binary') order by 1;
-- differs: another type or flag of the column, the same value
select collation_name, character_set_name, id, is_default, is_compiled, sortlen, pad_attribute from information_schema.collations where collation_name in ('utf8mb4_0900_ai_ci', 'utf8mb4_general_ci', 'utf8mb4_bin', 'latin1_swedish_ci', 'binary') order by id;
-- differs: another type or flag of the column, the same value
select engine, support from information_schema.engines where engine = 'InnoDB';
select parameter_name, parameter_mode, data_type, ordinal_position from information_schema.parameters where specific_schema = database() order by ordinal_position;
show variables like 'autocommit';
-- differs: columns or rows of a SHOW statement that nobody depends on
show session variables like 'character\_set\_%';
show variables like 'collation%';
show global variables like 'max_allowed_packet';
-- differs: columns or rows of a SHOW statement that nobody depends on
show variables where variable_name in ('lower_case_table_names', 'sql_mode', 'tx_isolation', 'transaction_isolation', 'wait_timeout', 'interactive_timeout', 'net_write_timeout', 'system_time_zone', 'time_zone', 'init_connect', 'license', 'query_cache_size', 'query_cache_type', 'auto_increment_increment', 'max_connections', 'innodb_lock_wait_timeout', 'version_comment', 'sql_auto_is_null', 'foreign_key_checks', 'unique_checks', 'default_storage_engine', 'explicit_defaults_for_timestamp', 'performance_schema', 'have_ssl', 'group_concat_max_len', 'block_encryption_mode', 'default_week_format', 'div_precision_increment');
-- mask: Value
show status like 'threads_connected';
show collation like 'utf8mb4_bin';
show collation where collation = 'utf8mb4_0900_ai_ci';
show character set like 'utf8mb4';
show charset where charset = 'latin1';
show privileges like 'x';
-- mask: Created
show triggers;
-- mask: Created
show triggers like 't';
-- mask: Created
show create trigger tg;
show create procedure pr;
-- mask: Modified, Created
show procedure status where db = database();
show function status where db = database();
show events;
show open tables like 'nope';
show grants for current_user();
select current_user(), session_user(), system_user(), user() like 'root@%', database(), schema(), connection_id() > 0, version() is not null, @@version_compile_os is not null;
-- differs: go-mysql-server gives another value
select @@session.auto_increment_increment as auto_increment_increment, @@character_set_client as character_set_client, @@character_set_connection as character_set_connection, @@character_set_results as character_set_results, @@character_set_server as character_set_server, @@collation_server as collation_server, @@collation_connection as collation_connection, @@init_connect as init_connect, @@interactive_timeout as interactive_timeout, @@license as license, @@lower_case_table_names as lower_case_table_names, @@max_allowed_packet as max_allowed_packet, @@net_write_timeout as net_write_timeout, @@performance_schema as performance_schema, @@sql_mode as sql_mode, @@system_time_zone as system_time_zone, @@time_zone as time_zone, @@transaction_isolation as transaction_isolation, @@wait_timeout as wait_timeout;
-- differs: go-mysql-server gives another value
select @@max_allowed_packet, @@innodb_lock_wait_timeout, @@autocommit, @@foreign_key_checks, @@sql_safe_updates, @@group_concat_max_len, @@default_storage_engine, @@event_scheduler is not null, @@secure_file_priv, @@log_bin, @@server_id, @@hostname is not null, @@port > 0, @@version_comment is not null, @@div_precision_increment;
set @a = 1, @b = 'x', @c = 1.5, @d = null, @e := 2;
-- differs: a DECIMAL keeps its digits, and a variable that is NULL is a text
select @a, @b, @c, @d, @e, @nope, @a := 7, @a + 1;
set @x = (select max(id) from t);
set session sql_select_limit = 1;
select 1 union select 2;
set session sql_select_limit = default;
set names latin1;
select @@character_set_client, @@collation_connection;
set names utf8mb4 collate utf8mb4_bin;
select @@collation_connection, 'a' = 'A';
set names utf8mb4;
set character set utf8mb4;
set @@session.wait_timeout = 100;
set session wait_timeout = 'abc';
set @@wait_timeout = default;
set foreign_key_checks = off, unique_checks = 0;
select @@foreign_key_checks, @@unique_checks;
set foreign_key_checks = on, unique_checks = 1;
show errors;
show count(*) warnings;
-- differs: columns or rows of a SHOW statement that nobody depends on
show count(*) errors;
show session status like 'com_select_nope';
-- mask: Id, Host, Time, Info
-- differs: columns or rows of a SHOW statement that nobody depends on
show processlist;
select table_name from information_schema.tables where table_schema = 'information_schema' and table_name in ('COLUMNS', 'TABLES', 'INNODB_TRX', 'PROCESSLIST', 'FILES', 'EVENTS', 'PARTITIONS', 'PROFILING', 'KEYWORDS', 'COLUMN_STATISTICS', 'INNODB_METRICS') order by table_name;
select `TABLE_NAME` from `information_schema`.`TABLES` where TABLE_SCHEMA = database() and TABLE_TYPE = 'BASE TABLE' and TABLE_NAME = 't';
-- differs: go-mysql-server gives another value
select TABLE_NAME, Column_Name from INFORMATION_SCHEMA.COLUMNS where table_schema = database() and table_name = 'C' order by ordinal_position;
select count(*) from information_schema.partitions where table_schema = database();
SELECT COLUMN_NAME, JSON_EXTRACT(HISTOGRAM, '$."number-of-buckets-specified"') FROM information_schema.COLUMN_STATISTICS WHERE SCHEMA_NAME = 'x' AND TABLE_NAME = 't';
-- differs: another wording of the error
SELECT LOGFILE_GROUP_NAME, FILE_NAME, TOTAL_EXTENTS, INITIAL_SIZE, ENGINE, EXTRA FROM INFORMATION_SCHEMA.FILES WHERE FILE_TYPE = 'UNDO LOG' AND FILE_NAME IS NOT NULL AND LOGFILE_GROUP_NAME IS NOT NULL GROUP BY LOGFILE_GROUP_NAME, FILE_NAME, ENGINE, TOTAL_EXTENTS, INITIAL_SIZE ORDER BY LOGFILE_GROUP_NAME;
select kcu.constraint_name, kcu.column_name, rc.update_rule from information_schema.key_column_usage kcu join information_schema.referential_constraints rc on kcu.constraint_name = rc.constraint_name and kcu.constraint_schema = rc.constraint_schema where kcu.table_schema = database() and kcu.referenced_table_name is not null;
