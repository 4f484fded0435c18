-- Values at the edges of their columns: negative parameters beside unsigned columns, BITs that are too long, the last half second of a day.
-- A number is what the client says it is, and -1 is no value of an unsigned column.
CREATE TABLE t (id INT PRIMARY KEY, u BIGINT UNSIGNED, i INT UNSIGNED, b BIT(8), d DATE, KEY u (u));
INSERT INTO t (id, u, i) VALUES (1, 18446744073709551615, 4294967295), (2, 3, 3);
-- params: [-1]
INSERT INTO t (id, u) VALUES (10, ?);
-- params: [-1]
INSERT INTO t SET id = 11, u = ?;
-- params: [-40000]
INSERT INTO t (id, i) SELECT 12, ?;
-- params: [-1]
UPDATE t SET u = ? WHERE id = 2;
-- params: [-1]
INSERT IGNORE INTO t (id, u) VALUES (13, ?);
-- params: [-1]
SELECT id FROM t WHERE u = ?;
-- params: [-1]
SELECT id FROM t WHERE u > ? ORDER BY id;
-- params: [-1, 3]
SELECT id FROM t WHERE u IN (?, ?) ORDER BY id;
-- params: [-1, 7]
SELECT id FROM t WHERE i BETWEEN ? AND ?;
-- params: [-1]
SELECT id, i + ? FROM t ORDER BY id;
-- params: [-1]
UPDATE t SET i = i + ? WHERE id <= 2;
-- params: [{"uint": "18446744073709551615"}]
SELECT id FROM t WHERE u = ?;
SELECT id, u, i FROM t ORDER BY id;
INSERT INTO t (id, b) VALUES (20, 256);
INSERT IGNORE INTO t (id, b) VALUES (20, 256);
SHOW WARNINGS;
UPDATE IGNORE t SET b = -1 WHERE id = 1;
SHOW WARNINGS;
SELECT id, b + 0 FROM t WHERE b IS NOT NULL ORDER BY id;
INSERT INTO t (id, d) VALUES (30, '2024-12-31 23:59:59.5'), (31, '2024-12-31 23:59:59.499999'), (32, 20241231235959.9), (33, TIMESTAMP'2024-12-31 23:59:59.9'), (34, '2024-12-31 23:59:58.9'), (35, '2024-12-31');
SELECT id, d FROM t WHERE d IS NOT NULL ORDER BY id;
-- Texts that are equal but for spaces at their ends are one value of a key.
CREATE TABLE padded (id INT PRIMARY KEY, a VARCHAR(10) COLLATE utf8mb4_bin, n INT, KEY a (a));
INSERT INTO padded VALUES (1, '', 1), (2, ' ', 2), (3, 'a', 3), (4, 'a ', 4), (5, 'b', 5);
SELECT COUNT(*) FROM padded WHERE a IN ('a', 'a ', 'a  ') AND n > 0;
-- sorted
SELECT id FROM padded WHERE a = '' OR a = ' ' OR a > 'a';
UPDATE padded SET n = n + 1 WHERE a IN ('a', 'a ');
SELECT * FROM padded ORDER BY id;
