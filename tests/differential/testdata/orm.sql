-- What the test suites of Python's ORMs ask for.

CREATE TABLE w (id INT PRIMARY KEY, d DATETIME(6), dd DATE, f DOUBLE, s VARCHAR(20), n INT, nn INT);
INSERT INTO w VALUES (1, '2015-12-31 10:00:00', '2014-12-31', 0.5, 'abc', NULL, 3), (2, '2012-12-31 10:00:00', '2012-01-01', -0.5, 'Jöhn', 2, NULL), (3, NULL, NULL, 2.5, NULL, 5, 8);

SELECT id, WEEK(d, 3), WEEK(dd, 3), WEEK(dd, 2), WEEK(dd, 6), WEEK(d, 7), WEEK(d, 0), WEEK(d, 1), WEEK(dd) FROM w;
SELECT SIGN(f), SIGN(0.4), SIGN(-0.4), SIGN(f / 10), SIGN('0.3'), SIGN(n) FROM w;
SELECT CONVERT(n & -56, SIGNED), CONVERT(n | -56, SIGNED), CAST(18446744073709551615 AS SIGNED), CAST(~id AS SIGNED), CAST(CAST(18446744073709551600 AS UNSIGNED) AS SIGNED), CONVERT(nn ^ -8, SIGNED) FROM w;
SELECT LPAD(s, 5, 'xö'), RPAD(s, 6, 'öx'), LPAD(s, 2, 'x'), RPAD(s, 3, 'x'), LPAD(s, 9, ''), RPAD(s, -1, 'x'), LPAD(s, 0, 'x'), RPAD(s, n, NULL), LPAD(s, CHAR_LENGTH(s) * 2, s) FROM w;
-- differs: no warnings of what is deprecated
SELECT s LIKE BINARY CONCAT('j', '%'), s LIKE BINARY CONCAT(REPLACE('J', '_', '\\_'), '%'), s NOT LIKE BINARY CONCAT('a', '%') FROM w;
SELECT id FROM w ORDER BY f LIMIT 18446744073709551615 OFFSET 1;
SELECT id FROM w ORDER BY id LIMIT 9223372036854775807 OFFSET 2;

-- CASE compares documents with texts as texts
CREATE TABLE j (id INT PRIMARY KEY, data JSON);
INSERT INTO j VALUES (1, '{"a": null, "b": false, "e": "null", "f": "x"}');
SELECT CASE JSON_EXTRACT(data, '$.a') WHEN 'null' THEN NULL ELSE 1 END AS a, CASE JSON_EXTRACT(data, '$.e') WHEN 'null' THEN 1 ELSE 2 END AS e FROM j;
SELECT CASE JSON_EXTRACT('"x"', '$') WHEN 'x' THEN 1 WHEN '"X"' THEN 2 WHEN '"x"' THEN 3 END AS a, CASE JSON_EXTRACT('1.0', '$') WHEN '1' THEN 1 WHEN 1 THEN 2 END AS b, CASE '"x"' WHEN JSON_EXTRACT('"x"', '$') THEN 1 END AS c;

-- foreign keys by name
CREATE TABLE u (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, a INT, b INT, CONSTRAINT zz FOREIGN KEY (b) REFERENCES w (id), FOREIGN KEY (a) REFERENCES u (id));
SHOW CREATE TABLE c;

-- an ENUM that is given no value has its first member
CREATE TABLE e (e ENUM('a', 'b') NOT NULL, n INT);
INSERT INTO e () VALUES ();
INSERT INTO e VALUES (DEFAULT, 2);
INSERT INTO e VALUES (DEFAULT, 3), ('b', 4);
INSERT INTO e VALUES (NULL, 5);
INSERT INTO e (n) VALUES (6);
SELECT * FROM e;
CREATE TABLE m (a SET('a', 'b') NOT NULL, b INT);
INSERT INTO m () VALUES ();
INSERT INTO m VALUES (DEFAULT, 1);
SELECT * FROM m;

-- lengths that choose a type
-- differs: no warnings of what is deprecated
CREATE TABLE y (a YEAR(4), b BLOB(3), c BLOB(1234), d TEXT(5), f TEXT(70000), text INT, KEY (d(2)), KEY (text));
SHOW CREATE TABLE y;

-- DISTINCT ordered by the number of a computed column
SELECT DISTINCT CAST(DATE_FORMAT(d, '%Y-01-01') AS DATE) AS df FROM w WHERE d IS NOT NULL ORDER BY 1 ASC;
SELECT DISTINCT CAST(DATE_FORMAT(d, '%Y-01-01') AS DATE) AS df, s x FROM w WHERE d IS NOT NULL ORDER BY 1 DESC, 2 LIMIT 3;
SELECT DISTINCT id % 2 AS odd, id FROM w ORDER BY 1, 2 DESC;
