SET timestamp = 1800000000

XA COMMIT 'kept', 'branch', 7

USE all_types

INSERT INTO numbers (t, lu, c, bits) VALUES (5, 6, 7.5, b'1')

UPDATE numbers SET i = 1, d = d / 2, c = c + 1 WHERE id = 1

ALTER TABLE numbers ADD COLUMN added INT DEFAULT 3, ADD KEY (s)

INSERT INTO texts (id, v) VALUES (11, 'soft'), (12, CONCAT('so', CONVERT(x'c2ad' USING utf8mb4), 'ft'))

ALTER TABLE texts ADD UNIQUE KEY w (v(20))

ALTER TABLE texts DROP KEY w

ALTER TABLE texts FORCE

ALTER TABLE texts ADD KEY w (v(20))

INSERT INTO shop.audit (what) SELECT CONCAT('by the new key: ', GROUP_CONCAT(id ORDER BY id)) FROM texts FORCE INDEX (w) WHERE v = 'soft'

UPDATE texts SET v = 'changed', lt = CONCAT(lt, 'more'), bl = REPEAT(x'03', 9000), e = 'small' WHERE id IN (1, 3)

DELETE FROM texts WHERE id = 2

ALTER TABLE texts MODIFY v VARCHAR(400) CHARACTER SET utf8mb4, DROP KEY e

UPDATE times SET t = '01:02:03.5' WHERE id = 3

INSERT INTO times (id, d) VALUES (4, '2026-02-03')

INSERT INTO documents (id, doc) VALUES (5, '{"price": 1, "tags": [8, 9], "name": "fifth"}')

UPDATE documents SET doc = JSON_SET(doc, '$.price', 99.5, '$.tags[0]', 4) WHERE id = 1

DELETE FROM documents WHERE id = 4

INSERT INTO shapes VALUES (3, POINT(1, 1), POINT(5, 5), NULL)

UPDATE shapes SET p = POINT(7, 8) WHERE id = 1

USE shop

INSERT INTO customer (name, born) VALUES ('Zoë', '1990-12-31')

UPDATE customer SET name = 'new name', id = 50 WHERE id = 1

DELETE FROM customer WHERE id = 2

INSERT INTO orders (customer, made) VALUES (50, '2026-05-05')

INSERT INTO line VALUES (1, 3, NULL)

DELETE FROM orders WHERE id = 2

SET @name = 'called'

CALL fill(3, @made, @name)

INSERT INTO audit (what) SELECT CONCAT(who, ' ', orders, ' ', COALESCE(spent, '-')) FROM of_customers

UPDATE open_orders SET note = 'by the view' WHERE id = 3

INSERT INTO audit (what) SELECT CONCAT(@name, ' ', @made, ' ', COUNT(*)) FROM customer WHERE MATCH (name) AGAINST ('new')

INSERT INTO audit (what) SELECT GROUP_CONCAT(id) FROM all_types.documents WHERE 8 MEMBER OF (doc->'$.tags')

INSERT INTO by_range VALUES (5, '2019-05-05', 'e')

UPDATE by_range SET at = '2035-02-02' WHERE id = 1

ALTER TABLE by_range TRUNCATE PARTITION now

CREATE TABLE swapped (id INT, at DATE, note VARCHAR(20), PRIMARY KEY (id, at), KEY (note))

INSERT INTO swapped VALUES (8, '2018-01-01', 'swapped'), (10, '2018-02-01', 'swapped, too')

ALTER TABLE by_range EXCHANGE PARTITION oldsp0 WITH TABLE swapped

INSERT INTO audit (what) SELECT CONCAT(COUNT(*), ' swapped') FROM by_range WHERE note LIKE 'swap%'

INSERT INTO by_list VALUES (4, 3)

ALTER TABLE by_list ADD PARTITION (PARTITION more VALUES IN (4))

INSERT INTO by_list VALUES (5, 4)

ALTER TABLE by_key COALESCE PARTITION 1

DELETE FROM by_key WHERE id = 3

UPDATE no_key SET a = 2 LIMIT 1

INSERT INTO changed (id, a) VALUES (4, 40)

UPDATE changed SET later = 6 WHERE id = 1

ALTER TABLE changed ADD COLUMN again VARCHAR(5) DEFAULT 'again' FIRST, ALGORITHM = INSTANT

DELETE FROM many WHERE v BETWEEN 100 AND 300

INSERT INTO many SELECT id + 10000, v, t FROM many

ALTER TABLE many ADD KEY (t, v), DROP KEY v

ALTER TABLE many MODIFY t VARCHAR(80)

INSERT INTO many (id, v, t) VALUES (90001, 1, 'BBB between'), (90002, 2, 'bbb+'), (90003, 3, 'zoë'), (90004, 4, '')

UPDATE many SET t = CONCAT(t, ' again') WHERE t LIKE 'c%' OR t BETWEEN 'x' AND 'y'

DELETE FROM many WHERE t >= 'd' AND t < 'f'

INSERT INTO audit (what) SELECT CONCAT(COUNT(*), ' of b, ', MIN(t), ', ', MAX(t)) FROM many FORCE INDEX (t) WHERE t LIKE 'b%'

CREATE TABLE copied (t VARCHAR(80) PRIMARY KEY) SELECT DISTINCT t FROM many

INSERT INTO audit (what) SELECT CONCAT(COUNT(*), ' in both') FROM many m JOIN copied c ON c.t = m.t

ALTER TABLE many ADD COLUMN u VARCHAR(20) DEFAULT 'new', ADD KEY (u, t)

ALTER TABLE many ENGINE = InnoDB

INSERT INTO audit (what) SELECT CONCAT(COUNT(*), ' renewed') FROM many FORCE INDEX (t_2) WHERE t LIKE 'b%'

ALTER EVENT hourly COMMENT 'changed'

CREATE OR REPLACE VIEW open_orders AS SELECT id FROM orders

DROP FUNCTION doubled

CREATE FUNCTION doubled(n DECIMAL(10,2)) RETURNS DECIMAL(12,2) DETERMINISTIC NO SQL RETURN n + n

ALTER USER 'locked'@'10.0.0.0/255.0.0.0' ACCOUNT UNLOCK

REVOKE RELOAD ON *.* FROM 'plain'@'localhost'

GRANT DELETE ON shop.audit TO 'reader'

SET PERSIST long_query_time = 4

CREATE TABLE new_one LIKE customer

INSERT INTO new_one (id, name, mail, born) SELECT id, name, mail, born FROM customer

FLUSH BINARY LOGS
