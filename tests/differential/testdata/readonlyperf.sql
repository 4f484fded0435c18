-- What is counted changes on a read-only server, too.
SET GLOBAL super_read_only = ON;
UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_statements_history';
CREATE TABLE t (a INT);
UPDATE mysql.db SET Select_priv = 'Y' WHERE 1 = 0;
SET GLOBAL super_read_only = OFF;
SET GLOBAL read_only = OFF;
START TRANSACTION READ ONLY;
UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_statements_history';
COMMIT;
SET GLOBAL super_read_only = ON;
TRUNCATE performance_schema.accounts;
TRUNCATE TABLE performance_schema.events_statements_summary_by_digest;
TRUNCATE TABLE performance_schema.threads;
TRUNCATE TABLE performance_schema.nosuch;
TRUNCATE TABLE mysql.db;
SET GLOBAL super_read_only = OFF;
SET GLOBAL read_only = OFF;
