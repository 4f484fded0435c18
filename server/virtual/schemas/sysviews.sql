-- The views of sys over performance_schema and information_schema, each by the name of its unformatted form. A view
-- ends with an empty line. Columns stand in the order of schemas/sys.txt. The formatted form of a view has the same
-- rows: see server/sysviews.go. Averages of nothing are NULL, and become 0 where the column must not be NULL.

x$statement_analysis
SELECT DIGEST_TEXT, SCHEMA_NAME, IF(SUM_NO_GOOD_INDEX_USED > 0 OR SUM_NO_INDEX_USED > 0, '*', ''), COUNT_STAR, COUNT_SECONDARY,
  SUM_ERRORS, SUM_WARNINGS, SUM_TIMER_WAIT, MAX_TIMER_WAIT, AVG_TIMER_WAIT, SUM_LOCK_TIME, SUM_CPU_TIME,
  SUM_ROWS_SENT, ROUND(SUM_ROWS_SENT / COUNT_STAR), SUM_ROWS_EXAMINED, ROUND(SUM_ROWS_EXAMINED / COUNT_STAR),
  SUM_ROWS_AFFECTED, ROUND(SUM_ROWS_AFFECTED / COUNT_STAR), SUM_CREATED_TMP_TABLES, SUM_CREATED_TMP_DISK_TABLES,
  SUM_SORT_ROWS, SUM_SORT_MERGE_PASSES, MAX_CONTROLLED_MEMORY, MAX_TOTAL_MEMORY, DIGEST, FIRST_SEEN, LAST_SEEN
FROM performance_schema.events_statements_summary_by_digest ORDER BY SUM_TIMER_WAIT DESC

x$statements_with_errors_or_warnings
SELECT DIGEST_TEXT, SCHEMA_NAME, COUNT_STAR, SUM_ERRORS, 100 * SUM_ERRORS / COUNT_STAR, SUM_WARNINGS,
  100 * SUM_WARNINGS / COUNT_STAR, FIRST_SEEN, LAST_SEEN, DIGEST
FROM performance_schema.events_statements_summary_by_digest WHERE SUM_ERRORS > 0 OR SUM_WARNINGS > 0
ORDER BY SUM_ERRORS DESC, SUM_WARNINGS DESC

x$statements_with_full_table_scans
SELECT DIGEST_TEXT, SCHEMA_NAME, COUNT_STAR, SUM_TIMER_WAIT, SUM_NO_INDEX_USED, SUM_NO_GOOD_INDEX_USED,
  ROUND(100 * SUM_NO_INDEX_USED / COUNT_STAR), SUM_ROWS_SENT, SUM_ROWS_EXAMINED, ROUND(SUM_ROWS_SENT / COUNT_STAR),
  ROUND(SUM_ROWS_EXAMINED / COUNT_STAR), FIRST_SEEN, LAST_SEEN, DIGEST
FROM performance_schema.events_statements_summary_by_digest
WHERE (SUM_NO_INDEX_USED > 0 OR SUM_NO_GOOD_INDEX_USED > 0) AND DIGEST_TEXT NOT LIKE 'SHOW%'
ORDER BY ROUND(100 * SUM_NO_INDEX_USED / COUNT_STAR) DESC, SUM_TIMER_WAIT DESC

x$statements_with_runtimes_in_95th_percentile
SELECT DIGEST_TEXT, SCHEMA_NAME, IF(SUM_NO_GOOD_INDEX_USED > 0 OR SUM_NO_INDEX_USED > 0, '*', ''), COUNT_STAR, SUM_ERRORS,
  SUM_WARNINGS, SUM_TIMER_WAIT, MAX_TIMER_WAIT, AVG_TIMER_WAIT, SUM_ROWS_SENT, ROUND(SUM_ROWS_SENT / COUNT_STAR),
  SUM_ROWS_EXAMINED, ROUND(SUM_ROWS_EXAMINED / COUNT_STAR), FIRST_SEEN, LAST_SEEN, DIGEST
FROM (SELECT d.*, CUME_DIST() OVER (ORDER BY AVG_TIMER_WAIT) AS share
      FROM performance_schema.events_statements_summary_by_digest d) ranked
WHERE share > 0.95 ORDER BY AVG_TIMER_WAIT DESC

x$statements_with_sorting
SELECT DIGEST_TEXT, SCHEMA_NAME, COUNT_STAR, SUM_TIMER_WAIT, SUM_SORT_MERGE_PASSES, ROUND(SUM_SORT_MERGE_PASSES / COUNT_STAR),
  SUM_SORT_SCAN, SUM_SORT_RANGE, SUM_SORT_ROWS, ROUND(SUM_SORT_ROWS / COUNT_STAR), FIRST_SEEN, LAST_SEEN, DIGEST
FROM performance_schema.events_statements_summary_by_digest WHERE SUM_SORT_ROWS > 0 ORDER BY SUM_TIMER_WAIT DESC

x$statements_with_temp_tables
SELECT DIGEST_TEXT, SCHEMA_NAME, COUNT_STAR, SUM_TIMER_WAIT, SUM_CREATED_TMP_TABLES, SUM_CREATED_TMP_DISK_TABLES,
  ROUND(SUM_CREATED_TMP_TABLES / COUNT_STAR), ROUND(100 * SUM_CREATED_TMP_DISK_TABLES / SUM_CREATED_TMP_TABLES),
  FIRST_SEEN, LAST_SEEN, DIGEST
FROM performance_schema.events_statements_summary_by_digest WHERE SUM_CREATED_TMP_TABLES > 0
ORDER BY SUM_CREATED_TMP_DISK_TABLES DESC, SUM_CREATED_TMP_TABLES DESC

x$host_summary
SELECT h.HOST, s.n, s.took, s.took / s.n, s.scans, 0, 0, h.CURRENT_CONNECTIONS, h.TOTAL_CONNECTIONS, a.users,
  m.held, m.held
FROM performance_schema.hosts h
JOIN (SELECT HOST, SUM(COUNT_STAR) AS n, SUM(SUM_TIMER_WAIT) AS took, SUM(SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED) AS scans
      FROM performance_schema.events_statements_summary_by_host_by_event_name GROUP BY HOST) s ON s.HOST = h.HOST
JOIN (SELECT HOST, COUNT(DISTINCT USER) AS users FROM performance_schema.accounts GROUP BY HOST) a ON a.HOST = h.HOST
LEFT JOIN (SELECT HOST, SUM(CURRENT_NUMBER_OF_BYTES_USED) AS held
      FROM performance_schema.memory_summary_by_host_by_event_name GROUP BY HOST) m ON m.HOST = h.HOST
ORDER BY s.took DESC

x$user_summary
SELECT u.USER, s.n, s.took, s.took / s.n, s.scans, 0, 0, u.CURRENT_CONNECTIONS, u.TOTAL_CONNECTIONS, a.hosts,
  m.held, m.held
FROM performance_schema.users u
JOIN (SELECT USER, SUM(COUNT_STAR) AS n, SUM(SUM_TIMER_WAIT) AS took, SUM(SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED) AS scans
      FROM performance_schema.events_statements_summary_by_user_by_event_name GROUP BY USER) s ON s.USER = u.USER
JOIN (SELECT USER, COUNT(DISTINCT HOST) AS hosts FROM performance_schema.accounts GROUP BY USER) a ON a.USER = u.USER
LEFT JOIN (SELECT USER, SUM(CURRENT_NUMBER_OF_BYTES_USED) AS held
      FROM performance_schema.memory_summary_by_user_by_event_name GROUP BY USER) m ON m.USER = u.USER
ORDER BY s.took DESC

x$host_summary_by_statement_latency
SELECT HOST, SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT), MAX(MAX_TIMER_WAIT), SUM(SUM_LOCK_TIME), SUM(SUM_CPU_TIME), SUM(SUM_ROWS_SENT),
  SUM(SUM_ROWS_EXAMINED), SUM(SUM_ROWS_AFFECTED), SUM(SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED)
FROM performance_schema.events_statements_summary_by_host_by_event_name GROUP BY HOST ORDER BY SUM(SUM_TIMER_WAIT) DESC

x$user_summary_by_statement_latency
SELECT USER, SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT), SUM(MAX_TIMER_WAIT), SUM(SUM_LOCK_TIME), SUM(SUM_CPU_TIME), SUM(SUM_ROWS_SENT),
  SUM(SUM_ROWS_EXAMINED), SUM(SUM_ROWS_AFFECTED), SUM(SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED)
FROM performance_schema.events_statements_summary_by_user_by_event_name GROUP BY USER ORDER BY SUM(SUM_TIMER_WAIT) DESC

x$host_summary_by_statement_type
SELECT HOST, SUBSTRING_INDEX(EVENT_NAME, '/', -1), COUNT_STAR, SUM_TIMER_WAIT, MAX_TIMER_WAIT, SUM_LOCK_TIME, SUM_CPU_TIME,
  SUM_ROWS_SENT, SUM_ROWS_EXAMINED, SUM_ROWS_AFFECTED, SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED
FROM performance_schema.events_statements_summary_by_host_by_event_name WHERE SUM_TIMER_WAIT > 0 ORDER BY HOST, SUM_TIMER_WAIT DESC

x$user_summary_by_statement_type
SELECT USER, SUBSTRING_INDEX(EVENT_NAME, '/', -1), COUNT_STAR, SUM_TIMER_WAIT, MAX_TIMER_WAIT, SUM_LOCK_TIME, SUM_CPU_TIME,
  SUM_ROWS_SENT, SUM_ROWS_EXAMINED, SUM_ROWS_AFFECTED, SUM_NO_INDEX_USED + SUM_NO_GOOD_INDEX_USED
FROM performance_schema.events_statements_summary_by_user_by_event_name WHERE SUM_TIMER_WAIT > 0 ORDER BY USER, SUM_TIMER_WAIT DESC

x$io_global_by_file_by_bytes
SELECT FILE_NAME, COUNT_READ, SUM_NUMBER_OF_BYTES_READ, SUM_NUMBER_OF_BYTES_READ / COUNT_READ, COUNT_WRITE,
  SUM_NUMBER_OF_BYTES_WRITE, SUM_NUMBER_OF_BYTES_WRITE / COUNT_WRITE, SUM_NUMBER_OF_BYTES_READ + SUM_NUMBER_OF_BYTES_WRITE,
  IFNULL(ROUND(100 * SUM_NUMBER_OF_BYTES_WRITE / (SUM_NUMBER_OF_BYTES_READ + SUM_NUMBER_OF_BYTES_WRITE), 2), 0)
FROM performance_schema.file_summary_by_instance ORDER BY SUM_NUMBER_OF_BYTES_READ + SUM_NUMBER_OF_BYTES_WRITE DESC

x$io_global_by_file_by_latency
SELECT FILE_NAME, COUNT_STAR, SUM_TIMER_WAIT, COUNT_READ, SUM_TIMER_READ, COUNT_WRITE, SUM_TIMER_WRITE, COUNT_MISC, SUM_TIMER_MISC
FROM performance_schema.file_summary_by_instance ORDER BY SUM_TIMER_WAIT DESC

x$io_global_by_wait_by_bytes
SELECT SUBSTRING(EVENT_NAME, 14), COUNT_STAR, SUM_TIMER_WAIT, MIN_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT, COUNT_READ,
  SUM_NUMBER_OF_BYTES_READ, SUM_NUMBER_OF_BYTES_READ / COUNT_READ, COUNT_WRITE, SUM_NUMBER_OF_BYTES_WRITE,
  SUM_NUMBER_OF_BYTES_WRITE / COUNT_WRITE, SUM_NUMBER_OF_BYTES_READ + SUM_NUMBER_OF_BYTES_WRITE
FROM performance_schema.file_summary_by_event_name WHERE COUNT_STAR > 0
ORDER BY SUM_NUMBER_OF_BYTES_READ + SUM_NUMBER_OF_BYTES_WRITE DESC

x$io_global_by_wait_by_latency
SELECT SUBSTRING(EVENT_NAME, 14), COUNT_STAR, SUM_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT, SUM_TIMER_READ, SUM_TIMER_WRITE,
  SUM_TIMER_MISC, COUNT_READ, SUM_NUMBER_OF_BYTES_READ, SUM_NUMBER_OF_BYTES_READ / COUNT_READ, COUNT_WRITE,
  SUM_NUMBER_OF_BYTES_WRITE, SUM_NUMBER_OF_BYTES_WRITE / COUNT_WRITE
FROM performance_schema.file_summary_by_event_name WHERE COUNT_STAR > 0 ORDER BY SUM_TIMER_WAIT DESC

x$memory_by_host_by_current_bytes
SELECT HOST, SUM(CURRENT_COUNT_USED), SUM(CURRENT_NUMBER_OF_BYTES_USED),
  SUM(CURRENT_NUMBER_OF_BYTES_USED) / SUM(CURRENT_COUNT_USED), MAX(CURRENT_NUMBER_OF_BYTES_USED), SUM(SUM_NUMBER_OF_BYTES_ALLOC)
FROM performance_schema.memory_summary_by_host_by_event_name GROUP BY HOST ORDER BY SUM(CURRENT_NUMBER_OF_BYTES_USED) DESC

x$memory_by_user_by_current_bytes
SELECT USER, SUM(CURRENT_COUNT_USED), SUM(CURRENT_NUMBER_OF_BYTES_USED),
  SUM(CURRENT_NUMBER_OF_BYTES_USED) / SUM(CURRENT_COUNT_USED), MAX(CURRENT_NUMBER_OF_BYTES_USED), SUM(SUM_NUMBER_OF_BYTES_ALLOC)
FROM performance_schema.memory_summary_by_user_by_event_name GROUP BY USER ORDER BY SUM(CURRENT_NUMBER_OF_BYTES_USED) DESC

x$memory_by_thread_by_current_bytes
SELECT t.THREAD_ID, CONCAT(t.PROCESSLIST_USER, '@', t.PROCESSLIST_HOST), m.CURRENT_COUNT_USED, m.CURRENT_NUMBER_OF_BYTES_USED,
  m.CURRENT_NUMBER_OF_BYTES_USED / m.CURRENT_COUNT_USED, m.CURRENT_NUMBER_OF_BYTES_USED, m.SUM_NUMBER_OF_BYTES_ALLOC
FROM performance_schema.memory_summary_by_thread_by_event_name m JOIN performance_schema.threads t ON t.THREAD_ID = m.THREAD_ID
ORDER BY m.CURRENT_NUMBER_OF_BYTES_USED DESC

x$memory_global_by_current_bytes
SELECT EVENT_NAME, CURRENT_COUNT_USED, CURRENT_NUMBER_OF_BYTES_USED, CURRENT_NUMBER_OF_BYTES_USED / CURRENT_COUNT_USED,
  HIGH_COUNT_USED, HIGH_NUMBER_OF_BYTES_USED, HIGH_NUMBER_OF_BYTES_USED / HIGH_COUNT_USED
FROM performance_schema.memory_summary_global_by_event_name WHERE CURRENT_NUMBER_OF_BYTES_USED > 0
ORDER BY CURRENT_NUMBER_OF_BYTES_USED DESC

x$memory_global_total
SELECT SUM(CURRENT_NUMBER_OF_BYTES_USED) FROM performance_schema.memory_summary_global_by_event_name

x$schema_index_statistics
SELECT OBJECT_SCHEMA, OBJECT_NAME, INDEX_NAME, COUNT_FETCH, SUM_TIMER_FETCH, COUNT_INSERT, SUM_TIMER_INSERT, COUNT_UPDATE,
  SUM_TIMER_UPDATE, COUNT_DELETE, SUM_TIMER_DELETE
FROM performance_schema.table_io_waits_summary_by_index_usage WHERE INDEX_NAME IS NOT NULL ORDER BY SUM_TIMER_WAIT DESC

x$schema_tables_with_full_table_scans
SELECT OBJECT_SCHEMA, OBJECT_NAME, COUNT_READ, SUM_TIMER_WAIT
FROM performance_schema.table_io_waits_summary_by_index_usage WHERE INDEX_NAME IS NULL AND COUNT_READ > 0 ORDER BY COUNT_READ DESC

schema_unused_indexes
SELECT OBJECT_SCHEMA, OBJECT_NAME, INDEX_NAME FROM performance_schema.table_io_waits_summary_by_index_usage
WHERE INDEX_NAME IS NOT NULL AND COUNT_STAR = 0 AND INDEX_NAME <> 'PRIMARY'
  AND OBJECT_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
ORDER BY OBJECT_SCHEMA, OBJECT_NAME

x$schema_table_statistics
SELECT t.OBJECT_SCHEMA, t.OBJECT_NAME, t.SUM_TIMER_WAIT, t.COUNT_FETCH, t.SUM_TIMER_FETCH, t.COUNT_INSERT, t.SUM_TIMER_INSERT,
  t.COUNT_UPDATE, t.SUM_TIMER_UPDATE, t.COUNT_DELETE, t.SUM_TIMER_DELETE, f.count_read, f.sum_number_of_bytes_read,
  f.sum_timer_read, f.count_write, f.sum_number_of_bytes_write, f.sum_timer_write, f.count_misc, f.sum_timer_misc
FROM performance_schema.table_io_waits_summary_by_table t
LEFT JOIN sys.`x$ps_schema_table_statistics_io` f ON f.table_schema = t.OBJECT_SCHEMA AND f.table_name = t.OBJECT_NAME
ORDER BY t.SUM_TIMER_WAIT DESC

x$wait_classes_global_by_latency
SELECT SUBSTRING_INDEX(EVENT_NAME, '/', 3), SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT), MIN(MIN_TIMER_WAIT),
  SUM(SUM_TIMER_WAIT) / SUM(COUNT_STAR), MAX(MAX_TIMER_WAIT)
FROM performance_schema.events_waits_summary_global_by_event_name WHERE SUM_TIMER_WAIT > 0
GROUP BY SUBSTRING_INDEX(EVENT_NAME, '/', 3) ORDER BY SUM(SUM_TIMER_WAIT) DESC

x$wait_classes_global_by_avg_latency
SELECT SUBSTRING_INDEX(EVENT_NAME, '/', 3), SUM(COUNT_STAR), SUM(SUM_TIMER_WAIT), MIN(MIN_TIMER_WAIT),
  SUM(SUM_TIMER_WAIT) / SUM(COUNT_STAR), MAX(MAX_TIMER_WAIT)
FROM performance_schema.events_waits_summary_global_by_event_name WHERE SUM_TIMER_WAIT > 0
GROUP BY SUBSTRING_INDEX(EVENT_NAME, '/', 3) ORDER BY SUM(SUM_TIMER_WAIT) / SUM(COUNT_STAR) DESC

x$waits_global_by_latency
SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT
FROM performance_schema.events_waits_summary_global_by_event_name WHERE SUM_TIMER_WAIT > 0 ORDER BY SUM_TIMER_WAIT DESC

x$ps_digest_avg_latency_distribution
SELECT COUNT(*), ROUND(AVG_TIMER_WAIT / 1000000) AS avg_us FROM performance_schema.events_statements_summary_by_digest
GROUP BY ROUND(AVG_TIMER_WAIT / 1000000)

session_ssl_status
SELECT s.THREAD_ID, MAX(IF(s.VARIABLE_NAME = 'Ssl_version', s.VARIABLE_VALUE, NULL)), MAX(IF(s.VARIABLE_NAME = 'Ssl_cipher', s.VARIABLE_VALUE, NULL)),
  MAX(IF(s.VARIABLE_NAME = 'Ssl_sessions_reused', s.VARIABLE_VALUE, NULL))
FROM performance_schema.status_by_thread s GROUP BY s.THREAD_ID

schema_object_overview
SELECT db, object_type, n FROM (
  SELECT TABLE_SCHEMA AS db, TABLE_TYPE AS object_type, COUNT(*) AS n FROM information_schema.TABLES GROUP BY TABLE_SCHEMA, TABLE_TYPE
  UNION ALL SELECT ROUTINE_SCHEMA, ROUTINE_TYPE, COUNT(*) FROM information_schema.ROUTINES GROUP BY ROUTINE_SCHEMA, ROUTINE_TYPE
  UNION ALL SELECT TRIGGER_SCHEMA, 'TRIGGER', COUNT(*) FROM information_schema.TRIGGERS GROUP BY TRIGGER_SCHEMA
  UNION ALL SELECT EVENT_SCHEMA, 'EVENT', COUNT(*) FROM information_schema.EVENTS GROUP BY EVENT_SCHEMA
  UNION ALL SELECT TABLE_SCHEMA, CONCAT('INDEX (', INDEX_TYPE, ')'), COUNT(*) FROM information_schema.STATISTICS GROUP BY TABLE_SCHEMA, INDEX_TYPE
) objects ORDER BY db, object_type

schema_auto_increment_columns
SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, LOCATE('unsigned', COLUMN_TYPE) = 0, LOCATE('unsigned', COLUMN_TYPE) > 0,
  top, AUTO_INCREMENT, ROUND(AUTO_INCREMENT / top, 4)
FROM (SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE, c.COLUMN_TYPE, t.AUTO_INCREMENT,
        CASE c.DATA_TYPE WHEN 'tinyint' THEN 255 WHEN 'smallint' THEN 65535 WHEN 'mediumint' THEN 16777215
          WHEN 'int' THEN 4294967295 ELSE 18446744073709551615 END >> IF(LOCATE('unsigned', c.COLUMN_TYPE) > 0, 0, 1) AS top
      FROM information_schema.COLUMNS c JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
      WHERE c.EXTRA = 'auto_increment' AND t.TABLE_TYPE = 'BASE TABLE'
        AND c.TABLE_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')) a
ORDER BY AUTO_INCREMENT / top DESC, top

x$schema_flattened_keys
SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, MAX(NON_UNIQUE), MAX(IF(SUB_PART IS NULL, 0, 1)),
  GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX SEPARATOR ',')
FROM information_schema.STATISTICS
WHERE INDEX_TYPE = 'BTREE' AND TABLE_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
GROUP BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME

schema_redundant_indexes
SELECT r.table_schema, r.table_name, r.index_name, r.index_columns, r.non_unique, d.index_name, d.index_columns, d.non_unique,
  IF(r.subpart_exists OR d.subpart_exists, 1, 0),
  CONCAT('ALTER TABLE `', r.table_schema, '`.`', r.table_name, '` DROP INDEX `', r.index_name, '`')
FROM sys.`x$schema_flattened_keys` r JOIN sys.`x$schema_flattened_keys` d ON d.table_schema = r.table_schema AND d.table_name = r.table_name
WHERE r.index_name <> d.index_name AND (
  (r.index_columns = d.index_columns AND (r.non_unique > d.non_unique OR
    (r.non_unique = d.non_unique AND IF(r.index_name = 'PRIMARY', '', r.index_name) > IF(d.index_name = 'PRIMARY', '', d.index_name))))
  OR (LOCATE(CONCAT(r.index_columns, ','), d.index_columns) = 1 AND r.non_unique = 1)
  OR (LOCATE(CONCAT(d.index_columns, ','), r.index_columns) = 1 AND d.non_unique = 0))

x$innodb_buffer_stats_by_schema
SELECT IF(LOCATE('.', TABLE_NAME) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(TABLE_NAME, '.', 1), '`', '')) AS s,
  SUM(IF(COMPRESSED_SIZE = 0, 16384, COMPRESSED_SIZE)), SUM(DATA_SIZE), COUNT(*), SUM(IS_HASHED = 'YES'), SUM(IS_OLD = 'YES'),
  ROUND(SUM(NUMBER_RECORDS) / COUNT(DISTINCT INDEX_NAME))
FROM information_schema.INNODB_BUFFER_PAGE_LRU WHERE TABLE_NAME IS NOT NULL GROUP BY s ORDER BY COUNT(*) DESC

x$innodb_buffer_stats_by_table
SELECT IF(LOCATE('.', TABLE_NAME) = 0, 'InnoDB System', REPLACE(SUBSTRING_INDEX(TABLE_NAME, '.', 1), '`', '')) AS s,
  REPLACE(SUBSTRING_INDEX(TABLE_NAME, '.', -1), '`', '') AS t,
  SUM(IF(COMPRESSED_SIZE = 0, 16384, COMPRESSED_SIZE)), SUM(DATA_SIZE), COUNT(*), SUM(IS_HASHED = 'YES'), SUM(IS_OLD = 'YES'),
  ROUND(SUM(NUMBER_RECORDS) / COUNT(DISTINCT INDEX_NAME))
FROM information_schema.INNODB_BUFFER_PAGE_LRU WHERE TABLE_NAME IS NOT NULL GROUP BY s, t ORDER BY COUNT(*) DESC

x$schema_table_statistics_with_buffer
SELECT t.OBJECT_SCHEMA, t.OBJECT_NAME, t.COUNT_FETCH, t.SUM_TIMER_FETCH, t.COUNT_INSERT, t.SUM_TIMER_INSERT,
  t.COUNT_UPDATE, t.SUM_TIMER_UPDATE, t.COUNT_DELETE, t.SUM_TIMER_DELETE, f.count_read, f.sum_number_of_bytes_read,
  f.sum_timer_read, f.count_write, f.sum_number_of_bytes_write, f.sum_timer_write, f.count_misc, f.sum_timer_misc,
  b.allocated, b.data, b.allocated - b.data, b.pages, b.pages_hashed, b.pages_old, b.rows_cached
FROM performance_schema.table_io_waits_summary_by_table t
LEFT JOIN sys.`x$ps_schema_table_statistics_io` f ON f.table_schema = t.OBJECT_SCHEMA AND f.table_name = t.OBJECT_NAME
LEFT JOIN sys.`x$innodb_buffer_stats_by_table` b ON b.object_schema = t.OBJECT_SCHEMA AND b.object_name = t.OBJECT_NAME
ORDER BY t.SUM_TIMER_WAIT DESC
