-- EXECUTE of a CALL whose OUT and INOUT arguments are parameters: the variables behind USING take
-- the values.
delimiter //
CREATE PROCEDURE po(IN a INT, OUT b INT, INOUT c VARCHAR(20), OUT d DECIMAL(10,2), OUT e DATETIME) BEGIN SET b = a + 1, c = CONCAT(c, 'x'), d = 1.5, e = '2026-01-02'; END//
CREATE PROCEDURE pr(OUT a INT) SET a = 7//
CREATE PROCEDURE pe(OUT a INT) BEGIN SET a = 7; SIGNAL SQLSTATE '45000'; END//
CREATE PROCEDURE px(OUT r INT) BEGIN SET @in = 2, @c = 'n'; PREPARE within FROM 'CALL po(?, ?, ?, ?, ?)'; EXECUTE within USING @in, @r, @c, @d, @e; SET r = @r * 10; END//
CREATE FUNCTION unit() RETURNS INT DETERMINISTIC RETURN 1//
delimiter ;
PREPARE s FROM 'CALL po(?, ?, ?, ?, ?)';
SET @a = 1, @b = 'zz', @c = 'c', @d = NULL;
EXECUTE s USING @a, @b, @c, @d, @e;
SELECT @a = 1, @b = 2, LENGTH(@c), @d = 1.5, @e = '2026-01-02 00:00:00';
EXECUTE s USING @a, @b, @c, @d, @e;
SELECT @a = 1, @b = 2, LENGTH(@c), @d = 1.5, @e = '2026-01-02 00:00:00';
PREPARE s FROM 'CALL pr(?)';
EXECUTE s USING @a;
SELECT @a;
-- Parameters beside variables, expressions and literals.
PREPARE s FROM 'CALL po(?, @x, ?, @y, ?)';
SET @a = 1, @c = 'q';
EXECUTE s USING @a, @c, @e;
SELECT @a = 1, @x = 2, @c = 'qx', @y = 1.5, @e = '2026-01-02 00:00:00';
PREPARE s FROM 'CALL po(unit() + ?, ?, ?, ?, ?)';
EXECUTE s USING @a, @b, @c, @d, @e;
SELECT @a = 1, @b = 3, LENGTH(@c), @d = 1.5, @e = '2026-01-02 00:00:00';
PREPARE s FROM 'CALL po(1, ? + 1, ?, ?, ?)';
EXECUTE s USING @a, @b, @c, @d;
PREPARE s FROM 'CALL po(1, 5, ?, ?, ?)';
EXECUTE s USING @b, @c, @d;
-- One variable for all; the last parameter stays.
PREPARE s FROM 'CALL po(?, ?, ?, ?, ?)';
SET @a = 3;
EXECUTE s USING @a, @a, @a, @a, @a;
SELECT @a = '2026-01-02 00:00:00';
-- A procedure that fails gives nothing.
PREPARE s FROM 'CALL pe(?)';
SET @a = 3;
EXECUTE s USING @a;
SELECT @a;
-- Within another procedure.
CALL px(@out);
SELECT @out, @in, @r, @c = 'nx', @d = 1.5, @e = '2026-01-02 00:00:00';
PREPARE s FROM 'CALL px(?)';
EXECUTE s USING @out2;
SELECT @out2;
-- A CALL behind one that was refused takes nothing of it.
PREPARE s FROM 'CALL absent(?)';
EXECUTE s USING @a;
CALL pr(@a);
SELECT @a;
