# Words of ENUM and SET columns as branches, the clock in seconds, and IS NOT NULL of dates that are never NULL.
CREATE TABLE words (id INT PRIMARY KEY, e ENUM('a','bb') NOT NULL, f ENUM('x'), s SET('a','b'), d TIMESTAMP NOT NULL);
INSERT INTO words VALUES (1, 'a', 'x', 'a,b', '2020-01-01'), (2, 'bb', NULL, '', '2020-01-02');
SELECT IFNULL(e, 'neutral'), IFNULL(f, e), NULLIF(e, 'a'), COALESCE(f, e, 'q'), IF(id = 1, e, f), IFNULL(s, ''), IFNULL(f, 1), IF(s = 'a', e, 5), CASE e WHEN 'a' THEN s ELSE f END FROM words ORDER BY id;
SELECT IFNULL(e, 'neutral'), UUID_SHORT() > 1 FROM words ORDER BY id;
SELECT IFNULL(f, e) = 'X', IFNULL(f, e) b FROM words ORDER BY b DESC;
SELECT MAX(IFNULL(f, 'neutral')), IFNULL(f, 'q') q FROM words GROUP BY IFNULL(f, 'q') HAVING q <> 'r' ORDER BY q;
SELECT UNIX_TIMESTAMP() - UNIX_TIMESTAMP(NOW()), UNIX_TIMESTAMP() > UNIX_TIMESTAMP(d) FROM words ORDER BY id;
SET time_zone = '+05:30';
SELECT UNIX_TIMESTAMP() - UNIX_TIMESTAMP(NOW()) FROM words ORDER BY id;
SET timestamp = 1700000000;
SELECT UNIX_TIMESTAMP(), NOW() FROM words ORDER BY id;
SELECT d IS NOT NULL, d IS NOT NULL AND e IN ('a', 'x') FROM words ORDER BY id;
DROP TABLE words;
