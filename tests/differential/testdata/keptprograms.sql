-- Procedures and functions are kept by a session when they have run: what they are by now counts.
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, s VARCHAR(20));
delimiter //
CREATE PROCEDURE p1(IN a INT, OUT b VARCHAR(10), INOUT c INT) BEGIN SET b = CONCAT('x', a); SET c = c + 1; END//
CREATE PROCEDURE p2(n INT) BEGIN
  DECLARE i INT DEFAULT 0; DECLARE z VARCHAR(10); DECLARE q INT DEFAULT 5;
  WHILE i < n DO CALL p1(i, z, q); SET i = i + 1; END WHILE;
  SELECT i, z, q;
END//
CREATE PROCEDURE deep(n INT) BEGIN IF n > 0 THEN CALL deep(n - 1); END IF; INSERT INTO t (a) VALUES (n); END//
CREATE PROCEDURE three(a INT, s VARCHAR(10), d DECIMAL(10, 2)) SELECT a, s, d, UPPER(s) AS u//
CREATE FUNCTION f1(x INT) RETURNS INT DETERMINISTIC RETURN x * 2 + 1//
CREATE FUNCTION f2(x INT) RETURNS VARCHAR(30) READS SQL DATA BEGIN DECLARE v VARCHAR(30); SELECT CONCAT(a, '/', f1(x)) INTO v FROM t WHERE id = x; RETURN v; END//
delimiter ;
SET @c = 5;
CALL p1(3, @b, @c);
SELECT @b, @c;
CALL p1(-3, @b, @c);
SELECT @b, @c;
CALL p1(NULL, @b, @nothing);
SELECT @b, @nothing;
CALL p2(5);
CALL p2(6);
CALL deep(1);
SET max_sp_recursion_depth = 10;
CALL deep(3);
CALL deep(3);
SELECT * FROM t;
CALL three(NULL, NULL, NULL);
CALL three(1, 'abc', 1.5);
CALL three(1 + 1, LOWER('ABC'), -1.55);
CALL three('7', 8, '9.999');
CALL three(@c, @b, 3e2);
CALL three(1, 2);
CALL nowhere();
CALL p1(1, 2, 3);
CALL p1(1, @b, 3);
CALL three('abc', 1, 1);
CALL three(1, '12345678901', 1);
CALL three(3000000000, 'a', 1);
SET sql_mode = '';
CALL three('abc', '12345678901', 1);
SET sql_mode = DEFAULT;
CALL three('abc', 1, 1);
SELECT f1(1), f1(f1(2)), f2(3), f2(77);
SELECT id, f1(id), f2(id) FROM t ORDER BY id;
SELECT f1(1, 2);
DROP FUNCTION f1;
SELECT f1(1);
SELECT f2(3);
CREATE FUNCTION f1(x VARCHAR(9)) RETURNS VARCHAR(20) DETERMINISTIC RETURN CONCAT('<', x, '>');
SELECT f1(1), f2(3);
DROP PROCEDURE three;
CALL three(1, 'abc', 1.5);
CREATE PROCEDURE three(x INT) SELECT x * 2 AS y;
CALL three(4);
CALL three(1, 'abc', 1.5);
ALTER TABLE t ADD b INT DEFAULT 7, DROP s;
CALL deep(1);
SELECT * FROM t WHERE id > 8;
DROP TABLE t;
CALL deep(0);
CREATE TEMPORARY TABLE t (a INT, z INT);
CALL deep(1);
SELECT * FROM t;
SELECT f2(3);
DROP TEMPORARY TABLE t;
CREATE TABLE t (a TINYINT);
CALL deep(0);
SELECT * FROM t;
CALL deep(-300);
SET autocommit = 0;
CALL deep(0);
ROLLBACK;
SELECT COUNT(*) FROM t;
SET autocommit = 1;
START TRANSACTION;
CALL deep(0);
ROLLBACK;
SELECT COUNT(*) FROM t;
-- params: [21]
CALL three(?);
-- params: ["22"]
CALL three(?);
-- params: [null]
CALL three(?);
-- params: ["x"]
CALL three(?);
CREATE DATABASE kept_other;
CREATE PROCEDURE kept_other.three(x INT) SELECT DATABASE() AS d, x;
CALL kept_other.three(1);
SELECT DATABASE();
USE kept_other;
CALL three(2);
DROP PROCEDURE three;
CALL three(2);
USE information_schema;
DROP DATABASE kept_other;
CALL kept_other.three(1);
