# columns in every clause
SELECT t.a FROM w1.t WHERE t.a = 1
~ the planner reads every column below HAVING without GROUP BY
SELECT a AS z FROM w1.t HAVING z > 0
SELECT SUM(c) FROM w1.t
SELECT a FROM w1.t ORDER BY c DESC
SELECT a FROM w1.t GROUP BY a ORDER BY MIN(b)
SELECT COUNT(*) FROM w1.t WHERE c IS NOT NULL
SELECT a, ROW_NUMBER() OVER (PARTITION BY b) FROM w1.t
SELECT a, SUM(a) OVER w FROM w1.t WINDOW w AS (ORDER BY c)
SELECT g FROM w1.t
~ the error names the column
SELECT t.* FROM w1.t
SELECT a FROM w1.t JOIN w1.u USING (a)
SELECT t.a FROM w1.t NATURAL JOIN w1.u
SELECT t.a FROM w1.t LEFT JOIN w2.t s ON s.a = t.a
SELECT t.a FROM w1.t LEFT JOIN w1.u ON u.b = t.b
SELECT (SELECT MAX(s.d) FROM w2.t s WHERE s.a = t.a) FROM w1.t
SELECT a FROM w1.t WHERE EXISTS (SELECT 1 FROM w1.u WHERE u.b = t.c)
SELECT a FROM w1.t WHERE (a, c) IN (SELECT a, b FROM w1.u)
SELECT x FROM (SELECT c AS x FROM w1.t) q
WITH q AS (SELECT a FROM w1.t) SELECT a FROM q
~ MySQL asks for no right on columns that nothing reads
WITH q AS (SELECT c FROM w1.t) SELECT 1 FROM q
WITH RECURSIVE q AS (SELECT a FROM w1.t UNION ALL SELECT a + 10 FROM q WHERE a < 5) SELECT MAX(a) FROM q
SELECT a FROM w1.t UNION SELECT c FROM w1.t
SELECT DISTINCT a FROM w1.t
SELECT GROUP_CONCAT(a ORDER BY c) FROM w1.t
SELECT IF(a > 1, b, a) FROM w1.t
SELECT 1 FROM w1.t LIMIT 1
SELECT a INTO @wx FROM w1.t LIMIT 1
SELECT j.x FROM w1.t, JSON_TABLE(JSON_ARRAY(c), '$[*]' COLUMNS (x INT PATH '$')) j
SELECT l.m FROM w1.u, LATERAL (SELECT MAX(c) m FROM w1.t WHERE t.a = u.a) l
SET @wx = (SELECT MAX(c) FROM w1.t)
DO (SELECT MAX(a) FROM w1.t)
# locks
SELECT a FROM w1.t WHERE a = 1 FOR UPDATE
SELECT a FROM w1.t WHERE a = 1 FOR SHARE
~ the planner does not find the table beside USING
SELECT t.a FROM w1.t JOIN w1.u USING (a) FOR UPDATE OF u
SELECT a FROM (SELECT a FROM w1.t FOR UPDATE) q
# views
SELECT a FROM w1.v
SELECT b FROM w1.v
SELECT COUNT(*) FROM w1.x
SELECT d FROM w1.i
SELECT * FROM w1.vv
SELECT v.a FROM w1.v JOIN w1.t USING (a)
UPDATE w1.v SET b = 4 WHERE a = 1
~ views are not changed in programs
UPDATE w1.x SET d = 4
UPDATE w1.i SET d = 4
~ views are not changed in programs
INSERT INTO w1.v (a, b) VALUES (9, 9)
DELETE FROM w1.v WHERE a = 1
# changes
INSERT INTO w1.t (a) VALUES (7)
INSERT INTO w1.t (a, c) VALUES (7, 7)
INSERT INTO w1.d () VALUES ()
INSERT INTO w1.t SET a = 7
INSERT INTO w1.u SELECT a + 20, b FROM w1.t
INSERT INTO w1.t (a) SELECT d FROM w2.t
INSERT INTO w1.t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = a + 100
INSERT INTO w1.t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a) + 100
INSERT INTO w1.t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = 5
INSERT IGNORE INTO w1.t (a) VALUES (1)
INSERT INTO w1.t (a) VALUES ((SELECT MAX(d) FROM w2.t))
REPLACE INTO w1.u VALUES (1, 5)
REPLACE INTO w1.t (a) VALUES (1)
UPDATE w1.t SET a = 40 WHERE a = 2
UPDATE w1.t SET a = 40 LIMIT 1
UPDATE w1.t SET c = 1 WHERE a = 1
UPDATE w1.t SET a = c WHERE a = 1
UPDATE w1.t SET a = 50 + (SELECT MAX(d) FROM w2.t) WHERE a = 1
UPDATE w1.t SET c = DEFAULT
~ MySQL reads the columns of USING without SELECT in a text, and refuses that when it is prepared
UPDATE w1.t JOIN w1.u USING (a) SET t.b = 1
UPDATE w1.t, w2.t s SET t.b = s.d
UPDATE w1.u, w1.t SET u.b = 2 WHERE t.c = 100
UPDATE w1.u JOIN (SELECT d FROM w2.t) q SET u.b = q.d
DELETE FROM w1.u WHERE b = 1
DELETE FROM w1.u LIMIT 1
DELETE FROM w1.t ORDER BY c LIMIT 1
DELETE w1.u FROM w1.u JOIN w1.t USING (a)
DELETE FROM w1.u USING w1.u JOIN w2.t USING (a)
DELETE FROM w1.u WHERE a IN (SELECT a FROM w2.t)
# programs
CALL w1.p()
CALL w1.pi()
SELECT w1.f()
SELECT a FROM w1.t WHERE a = w1.f()
# EXPLAIN, DESCRIBE, SHOW
EXPLAIN SELECT c FROM w1.t
EXPLAIN SELECT a FROM w1.x
EXPLAIN SELECT a FROM w1.v
EXPLAIN UPDATE w1.t SET a = 9 WHERE b = 1
EXPLAIN DELETE FROM w1.u WHERE b = 9
SHOW COLUMNS FROM w1.t
SHOW INDEX FROM w1.u
SHOW TABLES FROM w1
SHOW TABLE STATUS FROM w2
SHOW TRIGGERS FROM w1
~ a new session without a database is asked for one
SHOW EVENTS FROM w1
SHOW CREATE TABLE w1.u
SHOW CREATE TABLE w1.v
SHOW CREATE VIEW w1.x
SHOW CREATE PROCEDURE w1.p
SHOW CREATE FUNCTION w1.f
SHOW CREATE TRIGGER w1.tr
SHOW CREATE EVENT w1.ev
SHOW CREATE DATABASE w1
~ the database is looked at before the condition
SHOW TABLES FROM w1 WHERE (SELECT MAX(d) FROM w1.i) = 7
SELECT COUNT(*) FROM information_schema.innodb_tables
SELECT COUNT(*) FROM performance_schema.global_status
SELECT COUNT(*) FROM performance_schema.threads
SELECT COUNT(*) FROM mysql.user
UPDATE information_schema.schemata SET schema_name = 'x'
DELETE FROM performance_schema.accounts
# definitions
CREATE TABLE w1.n (x INT) => DROP TABLE w1.n
CREATE TABLE w1.n LIKE w1.u => DROP TABLE w1.n
CREATE TABLE w1.n AS SELECT a FROM w1.t => DROP TABLE w1.n
CREATE TABLE w1.n (x INT PRIMARY KEY, FOREIGN KEY (x) REFERENCES w1.t (a)) => DROP TABLE w1.n
CREATE TABLE w2.n (x INT) => DROP TABLE w2.n
CREATE TEMPORARY TABLE w1.tmp (x INT) => DO 0
ALTER TABLE w1.u ADD COLUMN z INT => ALTER TABLE w1.u DROP COLUMN z
~ in a program ALTER TABLE and CREATE INDEX look alike: both rights are asked for
ALTER TABLE w1.u ADD INDEX (b) => ALTER TABLE w1.u DROP INDEX b
ALTER TABLE w1.u RENAME TO w1.u2 => RENAME TABLE w1.u2 TO w1.u
RENAME TABLE w1.u TO w2.u => RENAME TABLE w2.u TO w1.u
CREATE INDEX k ON w1.u (b) => DROP INDEX k ON w1.u
TRUNCATE TABLE w1.d => DO 0
DROP TABLE w1.d => CREATE TABLE w1.d (a INT DEFAULT 5, b INT DEFAULT (a + 1), CHECK (b > 0))
DROP TABLE IF EXISTS w2.nosuch => DO 0
~ without a database it is not prepared
CREATE VIEW w1.nv AS SELECT a FROM w1.u => DROP VIEW w1.nv
~ without a database it is not prepared
CREATE VIEW w1.nv AS SELECT d FROM w2.t => DROP VIEW w1.nv
~ without a database it is not prepared
CREATE OR REPLACE VIEW w1.vv AS SELECT a FROM w1.v => CREATE OR REPLACE VIEW w1.vv AS SELECT a FROM w1.v WHERE b > 0
~ without a database it is not prepared
CREATE DEFINER = root@localhost VIEW w1.nv AS SELECT 1 => DROP VIEW w1.nv
DROP VIEW w1.vv => CREATE VIEW w1.vv AS SELECT a FROM w1.v WHERE b > 0
~ a program that would always fail can be made
CREATE VIEW information_schema.nv AS SELECT 1 => DO 0
~ MySQL does not prepare it
ALTER DATABASE w1 CHARACTER SET utf8mb4 => DO 0
CREATE DATABASE w3 => DROP DATABASE w3
DROP EVENT w1.ev => CREATE EVENT w1.ev ON SCHEDULE EVERY 1 DAY DISABLE DO DELETE FROM w1.d
ALTER EVENT w1.ev COMMENT 'x' => DO 0
# the server
ANALYZE TABLE w1.u
~ MySQL does not prepare it
CHECK TABLE w1.u
OPTIMIZE TABLE w2.t
CHECKSUM TABLE w1.t
FLUSH TABLES
FLUSH STATUS
KILL 4000000000
SELECT LOAD_FILE('/etc/hostname')
SELECT 1 INTO OUTFILE '/nosuch/x'
~ the table is looked at before the file
SELECT a FROM w1.t INTO DUMPFILE '/etc/x'
SET GLOBAL sort_buffer_size = 262144
SET GLOBAL mandatory_roles = ''
SET GLOBAL offline_mode = OFF
~ not in programs
SET PERSIST_ONLY sort_buffer_size = 262144
SET SESSION sql_log_bin = 1
SET SESSION innodb_strict_mode = 1
SHOW BINARY LOG STATUS
SHOW ENGINE INNODB STATUS
