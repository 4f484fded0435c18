-- Aggregates of the same text in a query and its subqueries, subqueries beside GROUP BY.
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(20), age INT, e ENUM('x','b'));
INSERT INTO t VALUES (1, 'a', 10, 'x'), (2, 'b', 20, 'b'), (3, 'c', 30, 'x'), (4, 'c', 40, 'b');

SELECT MAX(age), (SELECT MAX(age) FROM t WHERE id < 3) AS m FROM t;
SELECT MAX(age), (SELECT SUM(age) + MAX(age) FROM t WHERE id < 3) AS m FROM t WHERE id < 4;
SELECT MAX(age), (SELECT MAX(t.age) FROM t WHERE id < (SELECT MAX(age) / 10 FROM t)) AS m FROM t;
SELECT MAX(age), (SELECT CONCAT(MAX(age), (SELECT MAX(age) FROM t WHERE id < 2)) FROM t WHERE id < 3) AS m FROM t;
SELECT COUNT(DISTINCT age), (SELECT COUNT(DISTINCT age) FROM t WHERE id < 3) AS n FROM t;
SELECT MAX(age) FROM t HAVING MAX(age) = (SELECT MAX(age) FROM t WHERE id < 3);
SELECT MAX(age) FROM t HAVING MAX(age) IN (SELECT MAX(age) FROM t GROUP BY name);
-- sorted
SELECT AVG(age) AS a FROM t GROUP BY name HAVING AVG(age) > (SELECT AVG(age) FROM t);
SELECT name, AVG(age) AS a FROM t GROUP BY name ORDER BY AVG(age) > (SELECT AVG(age) FROM t), name DESC;
-- sorted
SELECT name, AVG(age) > (SELECT AVG(age) FROM t) AS x FROM t GROUP BY name;
-- sorted
SELECT name, (SELECT MAX(b.age) FROM t b WHERE b.name = t.name) AS m, COUNT(*) FROM t GROUP BY name;
SELECT name FROM t GROUP BY name ORDER BY (SELECT MAX(b.age) FROM t b WHERE b.name = t.name) DESC;
SELECT name, (SELECT b.age FROM t b WHERE b.id = t.id) AS m FROM t GROUP BY name;

-- The session's transactions are READ ONLY: so would be those of statements that commit of themselves.
SET SESSION TRANSACTION READ ONLY;
DROP TABLE t;
DROP TABLE IF EXISTS nothing;
CREATE TABLE u (a INT);
ALTER TABLE t ADD c INT;
TRUNCATE t;
CREATE VIEW v AS SELECT 1;
INSERT INTO t VALUES (9, 'x', 1, 'x');
SET SESSION TRANSACTION READ WRITE;
START TRANSACTION READ ONLY;
ALTER TABLE t ADD c INT;
SELECT COUNT(*), MAX(c) FROM t;

-- LIMIT over all of a table in FROM.
SELECT * FROM (SELECT * FROM t) x LIMIT 1;
WITH x AS (SELECT * FROM t) SELECT * FROM x LIMIT 2;
WITH x AS (SELECT id, name FROM t) SELECT id, name FROM x LIMIT 1 OFFSET 2;
SELECT COUNT(*) FROM (SELECT * FROM (SELECT * FROM t) y LIMIT 3) x;
