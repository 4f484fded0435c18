-- Halves in whole columns: a double goes to the even neighbour, a decimal away from zero. And the sign before what is no literal.
CREATE TABLE t (id INT PRIMARY KEY, a INT, u BIGINT UNSIGNED, m DECIMAL(6,0));
INSERT INTO t VALUES (1, 12, 1, 1), (2, 13, 1, 1);
-- params: [-188.5]
UPDATE t SET a = ?;
-- params: [-189.5]
UPDATE t SET a = ?;
-- params: [-100.5]
UPDATE t SET a = ?;
SELECT * FROM t;
-- params: [106.5, 106.5]
UPDATE t SET u = ?, m = ?;
-- params: [108.5, 108.5]
UPDATE t SET u = ?, m = ?;
SELECT * FROM t;
-- params: [7, 2.5]
INSERT INTO t (id, a) VALUES (?, ?);
-- params: [8, 4.5]
INSERT INTO t (id, a) VALUES (?, ?);
-- params: [9, 6.5]
INSERT INTO t (id, a) VALUES (?, ?);
-- params: [9, 3, 8.5]
INSERT INTO t (id, a) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = ?;
-- params: [9, 3, 10.5]
INSERT INTO t (id, a) VALUES (?, ?) ON DUPLICATE KEY UPDATE a = ?;
UPDATE t SET u = 106.5 WHERE id = 1;
UPDATE t SET u = 108.5 WHERE id = 2;
-- params: [0.5, 2]
UPDATE t SET a = a + ? WHERE id = ?;
-- params: [1.5, 1]
UPDATE t SET a = a + ? WHERE id = ?;
SELECT * FROM t;
CREATE TABLE n (id INT PRIMARY KEY, c TINYINT, b TINYINT UNSIGNED, s SMALLINT UNSIGNED, i INT UNSIGNED, l BIGINT UNSIGNED, y YEAR, k BIT(8), d DECIMAL(5,2), h TIME, x INT);
INSERT INTO n VALUES (1, 45, 200, 40000, 4000000000, 9223372036854775808, 2024, 200, 1.5, '01:00:00', 0);
SELECT -b, -s, -i, -l, -y, -k, -d FROM n;
SELECT -(134), -(40000), -(3000000000), -(9223372036854775808), -(9223372036854775809), -(18446744073709551615), -(1.5), -'5';
SELECT -(-b), -(b + 0), -(b = 200), -(SELECT b FROM n) FROM n;
-- params: [134]
SELECT c + -? AS x FROM n;
SELECT id FROM n WHERE -b = -200 AND -b < -c;
UPDATE n SET x = -(c + -134);
UPDATE n SET x = -(c + -135);
SELECT x FROM n;
UPDATE n SET x = -(c + -b);
SELECT x FROM n;
UPDATE n SET l = l + 1;
SELECT -l FROM n;
CREATE TABLE q (id INT PRIMARY KEY, a INT, x DOUBLE);
INSERT INTO q VALUES (1, 7, 1), (2, -96, 1);
-- params: [236.5]
UPDATE q SET x = a / ?;
-- params: [97.25]
UPDATE q SET x = a / ?;
SELECT * FROM q;
-- params: [70.0]
UPDATE q SET x = a / ?;
-- params: [71.5]
UPDATE q SET x = 1 + a / (2 + ?);
SELECT * FROM q;
