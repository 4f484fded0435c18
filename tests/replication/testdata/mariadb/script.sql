DROP DATABASE IF EXISTS maria
CREATE DATABASE maria
USE maria
CREATE TABLE types (id INT UNSIGNED PRIMARY KEY AUTO_INCREMENT, t TINYINT UNSIGNED, s SMALLINT, m MEDIUMINT UNSIGNED, b BIGINT UNSIGNED, f FLOAT, d DOUBLE, de DECIMAL(30,10), y YEAR, bi BIT(10), dt DATETIME(6), ts TIMESTAMP(3) NULL, ti TIME(2), da DATE, e ENUM('a','b','ü'), st SET('x','y','z'), c CHAR(10), v VARCHAR(300), tx TEXT, bl BLOB, vb VARBINARY(10), bn BINARY(4), j JSON)
SET time_zone = '+00:00'
INSERT INTO types (t, s, m, b, f, d, de, y, bi, dt, ts, ti, da, e, st, c, v, tx, bl, vb, bn, j) VALUES (255, -32768, 16777215, 18446744073709551615, 1.5, 1e300, '12345678901234567890.0123456789', 2026, b'1010101010', '2026-01-02 03:04:05.123456', '2026-01-02 03:04:05.123', '-12:34:56.78', '1000-01-01', 'ü', 'x,z', 'abc', 'häß', REPEAT('x', 3000), x'00ff00', '\0\0', x'01', '{"a": [1, 2.5, "x"]}')
INSERT INTO types (v) VALUES ('only'), (NULL), ('gone')
UPDATE types SET v = 'changed', b = 9223372036854775808, j = '{"b": null}' WHERE id = 2
DELETE FROM types WHERE id = 4
BEGIN
INSERT INTO types (v) VALUES ('t1')
SAVEPOINT a
INSERT INTO types (v) VALUES ('t2')
ROLLBACK TO a
INSERT INTO types (v) VALUES ('t3')
COMMIT
CREATE TABLE copied ENGINE=InnoDB AS SELECT id, v FROM types
CREATE TABLE keyless (a INT, b VARCHAR(10))
INSERT INTO keyless VALUES (1, 'a'), (1, 'a'), (2, 'b')
UPDATE keyless SET b = 'c' WHERE a = 2
DELETE FROM keyless WHERE a = 1 LIMIT 1
ALTER TABLE types ADD COLUMN z INT DEFAULT 7, ADD INDEX (v(20))
CREATE TABLE cut (a INT)
INSERT INTO cut VALUES (1)
TRUNCATE TABLE cut
INSERT INTO cut VALUES (2)
CREATE VIEW seen AS SELECT id FROM types
XA START 'x1'
INSERT INTO types (v) VALUES ('kept branch')
XA END 'x1'
XA PREPARE 'x1'
XA COMMIT 'x1'
XA START 'x2', 'q', 5
INSERT INTO types (v) VALUES ('lost branch')
XA END 'x2', 'q', 5
XA PREPARE 'x2', 'q', 5
XA ROLLBACK 'x2', 'q', 5
XA START 'x3'
INSERT INTO types (v) VALUES ('one phase')
XA END 'x3'
XA COMMIT 'x3' ONE PHASE
SET SESSION binlog_format = STATEMENT
INSERT INTO keyless VALUES (9, 'statement')
SET SESSION binlog_format = ROW
CREATE TEMPORARY TABLE unseen (a INT)
INSERT INTO unseen VALUES (1)
INSERT INTO keyless SELECT a, 'unseen' FROM unseen
DROP TEMPORARY TABLE unseen
CREATE TRIGGER marks BEFORE INSERT ON keyless FOR EACH ROW SET NEW.b = CONCAT(NEW.b, '!')
INSERT INTO keyless VALUES (10, 'trigger')
SET GLOBAL log_bin_compress_min_len = 10
SET GLOBAL log_bin_compress = ON
CREATE TABLE packed (a INT PRIMARY KEY, b VARCHAR(1000))
INSERT INTO packed VALUES (1, REPEAT('packed', 100)), (2, 'b')
UPDATE packed SET b = REPEAT('again', 100) WHERE a = 2
DELETE FROM packed WHERE a = 1
SET GLOBAL log_bin_compress = OFF
SET sql_mode = 'EMPTY_STRING_IS_NULL,STRICT_TRANS_TABLES'
CREATE TABLE last_of_all (a INT PRIMARY KEY)
INSERT INTO last_of_all VALUES (1)
