-- REPLACE ... SELECT and INSERT ... SELECT ... ON DUPLICATE KEY UPDATE: counts, what replaces what,
-- AUTO_INCREMENT values, names of both sides, values that are converted, errors in the middle.
CREATE TABLE s (id INT PRIMARY KEY, k INT, name VARCHAR(20), price DECIMAL(10,3), at DATETIME, n INT);
INSERT INTO s VALUES (1, 10, 'one', 1.125, '2024-01-01', 5), (2, 20, 'two', 2.25, '2024-02-01', NULL), (3, 10, 'three', 3, NULL, 7), (4, NULL, 'vier', NULL, '2024-04-01 10:00:00', 8);
CREATE TABLE t (id INT PRIMARY KEY, k INT, name VARCHAR(20) DEFAULT 'none', price DECIMAL(8,2), at DATETIME, n INT NOT NULL DEFAULT 0, twice INT AS (n * 2) STORED, UNIQUE KEY (k), KEY (name));
REPLACE INTO t (id, k, name) SELECT id, k, name FROM s ORDER BY id;
SELECT ROW_COUNT();
SELECT * FROM t ORDER BY id;
REPLACE INTO t (id, k, name) SELECT id, k, name FROM s ORDER BY id;
SELECT ROW_COUNT();
REPLACE INTO t (id, name) SELECT id, 'again' FROM s WHERE id > 2 ORDER BY id;
SELECT ROW_COUNT();
SELECT * FROM t ORDER BY id;
REPLACE INTO t (id, k) SELECT id + 10, id * 10 FROM s ORDER BY id;
SELECT ROW_COUNT();
SELECT * FROM t ORDER BY id;
-- Changes of the rows that are there.
INSERT INTO t (id, k, n) SELECT id, id, 1 FROM s ORDER BY id ON DUPLICATE KEY UPDATE n = t.n + 1;
SELECT ROW_COUNT();
INSERT INTO t (id, k, name) SELECT id, 1000 + id, name FROM s ORDER BY id ON DUPLICATE KEY UPDATE name = VALUES(name), k = VALUES(k);
SELECT ROW_COUNT();
SELECT * FROM t ORDER BY id;
INSERT INTO t (id, k, name) SELECT id, 1000 + id, name FROM s ORDER BY id ON DUPLICATE KEY UPDATE name = VALUES(name);
SELECT ROW_COUNT();
INSERT INTO t (id, price) SELECT id, price FROM s ORDER BY id ON DUPLICATE KEY UPDATE price = VALUES(price);
SELECT id, price FROM t ORDER BY id;
INSERT INTO t (id, at) SELECT id, at FROM s ORDER BY id ON DUPLICATE KEY UPDATE at = VALUES(at), name = 'dated';
SELECT id, at, name FROM t ORDER BY id;
-- Names of both sides.
INSERT INTO t (id, k) SELECT id, k FROM s ON DUPLICATE KEY UPDATE n = n + 1;
INSERT INTO t (id) SELECT id FROM s ON DUPLICATE KEY UPDATE twice = 3;
INSERT INTO t (id) SELECT x.id FROM (SELECT 1 AS id) x ON DUPLICATE KEY UPDATE n = n + 1;
INSERT INTO t (id) SELECT id FROM s WHERE id = 1 ON DUPLICATE KEY UPDATE n = s.k;
SELECT id, n, twice FROM t ORDER BY id;
INSERT INTO t (id, n) SELECT k, COUNT(*) FROM s WHERE k IS NOT NULL GROUP BY k ORDER BY k ON DUPLICATE KEY UPDATE n = VALUES(n);
SELECT id, n FROM t ORDER BY id;
-- Texts and NULL as values.
INSERT INTO t (id, name, k) SELECT id, 'a -- text /* of any kind */', NULL FROM s ORDER BY id ON DUPLICATE KEY UPDATE name = VALUES(name), k = VALUES(k);
SELECT id, name, k FROM t ORDER BY id;
-- Errors in the middle leave nothing.
INSERT INTO t (id, k) SELECT id + 100, 7 FROM s ORDER BY id ON DUPLICATE KEY UPDATE id = 1;
REPLACE INTO t (id, n) SELECT id, n FROM s WHERE id < 3 ORDER BY id;
REPLACE INTO t (id, k) SELECT id, name FROM s ORDER BY id;
REPLACE INTO t (id, name) SELECT id, REPEAT(name, 20) FROM s ORDER BY id;
REPLACE INTO t (id, k) SELECT id FROM s;
SELECT * FROM t ORDER BY id;
-- AUTO_INCREMENT.
CREATE TABLE a (id INT PRIMARY KEY AUTO_INCREMENT, u INT UNIQUE, v INT);
REPLACE INTO a (u, v) SELECT id, k FROM s ORDER BY id;
SELECT LAST_INSERT_ID();
SELECT * FROM a ORDER BY u;
REPLACE INTO a (u, v) SELECT id, 1 FROM s WHERE id < 3 ORDER BY id;
SELECT LAST_INSERT_ID();
SELECT u, v FROM a ORDER BY u;
INSERT INTO a (u, v) SELECT id, 2 FROM s ORDER BY id ON DUPLICATE KEY UPDATE v = a.v + 100;
SELECT u, v FROM a ORDER BY u;
INSERT INTO a (u, v) SELECT id + 3, 3 FROM s ORDER BY id ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(a.id);
SELECT u, v FROM a ORDER BY u;
-- What others ask of the rows.
CREATE TABLE parent (id INT PRIMARY KEY);
CREATE TABLE child (id INT PRIMARY KEY, p INT, c INT, FOREIGN KEY (p) REFERENCES parent (id), CHECK (c < 100));
INSERT INTO parent VALUES (1), (2), (3);
REPLACE INTO child SELECT id, id, id FROM s WHERE id < 4 ORDER BY id;
REPLACE INTO child SELECT id, id, id FROM s ORDER BY id;
INSERT INTO child SELECT id, id, id FROM s WHERE id < 4 ORDER BY id ON DUPLICATE KEY UPDATE p = 9;
INSERT INTO child SELECT id, id, id FROM s WHERE id < 4 ORDER BY id ON DUPLICATE KEY UPDATE c = child.c + 98;
INSERT INTO child SELECT id, id, id FROM s WHERE id < 4 ORDER BY id ON DUPLICATE KEY UPDATE c = child.c + 9;
SELECT * FROM child ORDER BY id;
REPLACE INTO parent SELECT id FROM s WHERE id = 1;
CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT, what VARCHAR(40));
CREATE TABLE fired (id INT PRIMARY KEY, v INT);
CREATE TRIGGER fd BEFORE DELETE ON fired FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('delete ', OLD.id));
CREATE TRIGGER fi AFTER INSERT ON fired FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('insert ', NEW.id));
CREATE TRIGGER fu AFTER UPDATE ON fired FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('update ', NEW.id));
REPLACE INTO fired SELECT id, k FROM s WHERE id < 3 ORDER BY id;
REPLACE INTO fired SELECT id, 5 FROM s WHERE id < 3 ORDER BY id;
INSERT INTO fired SELECT id, 6 FROM s WHERE id < 4 ORDER BY id ON DUPLICATE KEY UPDATE v = VALUES(v);
SELECT what FROM log ORDER BY id;
-- The table that rows go into is read.
REPLACE INTO a (u, v) SELECT u, v + 1 FROM a WHERE u < 3;
SELECT u, v FROM a ORDER BY u;
INSERT INTO a (u, v) SELECT x.u, 50 FROM a x WHERE x.u < 3 ON DUPLICATE KEY UPDATE v = VALUES(v);
SELECT u, v FROM a ORDER BY u;
-- Prepared, and of joins, unions and subqueries.
PREPARE p FROM 'REPLACE INTO t (id, k, name) SELECT id + ?, ?, name FROM s WHERE id < ? ORDER BY id';
SET @a = 200, @b = NULL, @c = 3;
EXECUTE p USING @a, @b, @c;
PREPARE q FROM 'INSERT INTO t (id, n) SELECT id + 200, ? FROM s WHERE id < 4 ORDER BY id ON DUPLICATE KEY UPDATE n = VALUES(n)';
EXECUTE q USING @c;
SELECT id, k, name, n FROM t WHERE id > 199 ORDER BY id;
REPLACE INTO t (id, name) SELECT id + 300, name FROM s WHERE id = 1 UNION ALL SELECT id + 300, 'union' FROM s WHERE id = 2;
REPLACE INTO t (id, name) SELECT s.id + 300, CONCAT(s.name, '-', x.name) FROM s JOIN s x ON x.id = s.id + 1 ORDER BY s.id;
REPLACE INTO t (id, name) SELECT id + 400, (SELECT MAX(name) FROM s x WHERE x.id < s.id) FROM s WHERE EXISTS (SELECT 1 FROM s y WHERE y.k = s.k AND y.id <> s.id) ORDER BY id;
SELECT id, name FROM t WHERE id > 299 ORDER BY id;
