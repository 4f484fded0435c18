flush tables
flush tables t, d.u
flush table t
flush tables t with read lock
flush tables with read lock
flush tables t, u for export
flush tables for export
flush local privileges
flush no_write_to_binlog logs
flush privileges, status
flush binary logs, engine logs, error logs, general logs, slow logs, relay logs
flush relay logs for channel 'c'
flush relay logs for channel c, status
flush user_resources, optimizer_costs, status
flush hosts
flush des_key_file
flush query cache
flush tables, status
flush status, tables
flush tables t, status
flush tables with read lock, status
flush
flush local
kill 5
kill connection 5
kill query 5+1
kill query @a
kill hard 5
kill
kill query
kill (select 1)
shutdown
shutdown now
restart
restart now
reset replica
reset slave all for channel 'c'
reset replica all
reset binary logs and gtids
reset binary logs and gtids to 5
reset master
reset master to 5
reset replica, binary logs and gtids
reset persist
reset persist a
reset persist if exists a.b
reset persist if exists
reset query cache
reset
analyze table t
analyze local tables t, d.u
analyze no_write_to_binlog table t
analyze table t update histogram on a, b
analyze table t update histogram on a with 5 buckets
analyze table t update histogram on a with 5 buckets auto update
analyze table t update histogram on a with 5 buckets manual update
analyze table t update histogram on a auto update
analyze table t update histogram on a using data '{}'
analyze table t update histogram on a using data '{}' with 5 buckets
analyze table t drop histogram on a, b
analyze table t, u drop histogram on a
analyze table t update histogram
analyze t
check table t, u for upgrade quick fast medium extended changed
check table t
check tables t
check t
checksum table t, u quick
checksum tables t extended
checksum table t quick extended
optimize table t
optimize local tables t, u
optimize no_write_to_binlog table t
repair table t quick extended use_frm
repair local table t
repair table t fast
cache index t in default
cache index t, u key (a, b), v index (primary) in c
cache index t partition (p0, p1) in c
cache index t partition (all) key (a) in c
cache index t
load index into cache t
load index into cache t key (a) ignore leaves, u
load index into cache t partition (all) ignore leaves
install plugin p soname 'x'
install plugin p
uninstall plugin p
install component 'file://x', 'y'
install component 'x' set global a.b = 5, persist c.d = 'x', a.e := 1
install component 'x' set a.b = 5
install component 'x' set session a.b = 5
uninstall component 'x', 'y'
uninstall component x
create function f returns string soname 'x'
create aggregate function f returns integer soname 'x'
create function if not exists f returns real soname 'x'
create function f returns decimal soname 'x'
create function f returns int soname 'x'
clone local data directory 'x'
clone local data directory = 'x'
clone instance from u@h:3306 identified by 'x'
clone instance from 'u'@'h':3306 identified by 'x' data directory = 'd' require ssl
clone instance from u@h:3306 identified by 'x' require no ssl
clone instance from u@h identified by 'x'
clone instance
binlog 'abc'
binlog 'a' 'b'
binlog abc
purge binary logs to 'x'
purge master logs to 'x'
purge binary logs before now()
purge binary logs before '2000-01-01' + interval 1 day
purge binary logs
purge logs to 'x'
lock tables t read, u as x write, d.v read local, w low_priority write
lock table t read
lock tables t x read
lock tables t
lock tables t write local
lock instance for backup
lock instance
unlock tables
unlock table
unlock instance
unlock
set resource group g for 1,2
set resource group g for 1 2
set resource group g
set resource group g for 1,
start group_replication
start group_replication user='x', password='y', default_auth='z'
start group_replication user='x' password='y'
start group_replication password='y'
stop group_replication
start replica
start slave
start replica io_thread, sql_thread
start replica sql_thread until sql_before_gtids = 'x'
start replica until sql_after_gtids='x' user='u' password='p' default_auth='d' plugin_dir='e' for channel 'c'
start replica until source_log_file='x', source_log_pos=5
start replica until master_log_file='x', master_log_pos=5
start replica until relay_log_file='x', relay_log_pos=5
start replica until sql_after_mts_gaps
start replica until sql_after_mts_gaps, sql_before_gtids='x'
start replica io_thread io_thread
start replica for channel c
start replica user='u' until sql_after_mts_gaps
start replica io_thread, foo
start replica relay_thread
stop replica io_thread for channel 'c'
stop replica
stop slave sql_thread
stop
change replication source to source_host='h', source_port=3306, source_user='u', source_password='p', source_auto_position=1
change replication source to source_host='h' for channel 'c'
change replication source to source_log_file='x', source_log_pos=4, source_connect_retry=5, source_retry_count=6, source_delay=7, source_heartbeat_period=1.5, source_ssl=1, source_ssl_ca='a', source_ssl_capath='', source_ssl_cert='c', source_ssl_cipher='d', source_ssl_key='e', source_ssl_verify_server_cert=1, source_ssl_crl='f', source_ssl_crlpath='g', source_tls_version='h', source_tls_ciphersuites=null, source_public_key_path='i', get_source_public_key=1, network_namespace='n', ignore_server_ids=(), privilege_checks_user=null, require_row_format=1, require_table_primary_key_check=stream, assign_gtids_to_anonymous_transactions=off, gtid_only=1, source_bind='b', source_compression_algorithms='zstd', source_zstd_compression_level=3, source_connection_auto_failover=0, relay_log_file='r', relay_log_pos=4
change replication source to ignore_server_ids=(1,2), privilege_checks_user=u@h, assign_gtids_to_anonymous_transactions=local
change replication source to assign_gtids_to_anonymous_transactions='x', require_table_primary_key_check=generate, source_tls_ciphersuites='x'
change replication source to require_table_primary_key_check=foo
change replication source to
change replication source to source_host=5
change replication source to source_host 'x'
change master to master_host='h'
change replication source to master_host='h'
change replication filter replicate_do_db=(a,b)
change replication filter replicate_do_db=(), replicate_ignore_db=(a), replicate_do_table=(a.b), replicate_ignore_table=(c.d,e.f), replicate_wild_do_table=('a%.b'), replicate_wild_ignore_table=('x.y','z.w'), replicate_rewrite_db=((a,b),(c,d)) for channel 'c'
change replication filter replicate_do_table=(a)
change replication filter replicate_do_db=a
change replication filter
xa start 'a'
xa begin 'a','b',5 join
xa start 'a' resume
xa end 'a' suspend for migrate
xa end 'a' suspend
xa prepare 'a'
xa commit 'a' one phase
xa rollback x'41',0x42
xa recover
xa recover convert xid
xa start a
xa start 'a','b','c'
xa
get diagnostics @a = number, @b = row_count
get current diagnostics condition 1 @a = returned_sqlstate, @b = message_text
get stacked diagnostics condition @x @a = mysql_errno
get diagnostics condition 1+1 @a = mysql_errno
get diagnostics a = number
get diagnostics @a = foo
get diagnostics
signal sqlstate '45000'
signal sqlstate value '45000' set message_text = 'x', mysql_errno = 5
signal sqlstate '45000' set message_text = 'a' 'b'
signal sqlstate '4500'
signal sqlstate '45000' set message_text = @a, class_origin = 'a', subclass_origin='b', constraint_catalog='c', constraint_schema='d', constraint_name='e', catalog_name='f', schema_name='g', table_name='h', column_name='i', cursor_name='j'
signal sqlstate '45000' set foo = 1
signal sqlstate '45000' set message_text = 1+1
signal c
signal sqlstate '00000'
signal
resignal
resignal sqlstate '45000' set message_text = 'x'
resignal set message_text = 'x'
resignal set
xa start 'a','b',18446744073709551615
xa start 'a','b',9223372036854775807
xa start 'a','b',0x10 join
xa start 'a','b',1e3
xa start 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' join
xa start 'a',X'6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161',1
set default role r to current_user()
PURGE BINARY LOGS BEFORE 1+(SELECT 1 FROM x) + 2
PURGE BINARY LOGS BEFORE 1 IN (SELECT 2)
PURGE BINARY LOGS BEFORE EXISTS(SELECT 2)
PURGE BINARY LOGS BEFORE ((SELECT 2))
PURGE BINARY LOGS BEFORE (SELECT 1
