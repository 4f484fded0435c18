-- Rights on procedures and functions that a session keeps are asked for at every call.
CREATE TABLE t (a INT);
INSERT INTO t VALUES (1);
CREATE USER kept_rights@'%', kept_definer@'%';
GRANT SELECT ON mysql.help_topic TO kept_rights@'%';
delimiter //
CREATE DEFINER = kept_definer@'%' PROCEDURE kept_rights_p(x INT) BEGIN SELECT a + x FROM t; END//
CREATE DEFINER = kept_definer@'%' FUNCTION kept_rights_f(x INT) RETURNS INT READS SQL DATA RETURN (SELECT a + x FROM t)//
delimiter ;
CALL kept_rights_p(1);
SELECT kept_rights_f(1);
GRANT EXECUTE ON *.* TO kept_definer@'%';
CALL kept_rights_p(1);
SELECT kept_rights_f(1);
GRANT SELECT ON *.* TO kept_definer@'%';
CALL kept_rights_p(1);
SELECT kept_rights_f(1);
REVOKE SELECT ON *.* FROM kept_definer@'%';
CALL kept_rights_p(1);
SELECT kept_rights_f(1);
GRANT SELECT ON *.* TO kept_definer@'%';
CALL kept_rights_p(2);
SELECT kept_rights_f(2);
DROP USER kept_definer@'%';
CALL kept_rights_p(2);
SELECT kept_rights_f(2);
DROP USER kept_rights@'%';
