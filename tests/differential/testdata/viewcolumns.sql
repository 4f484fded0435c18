-- Columns of views are listed whatever the current schema is, and whether there is one.
CREATE DATABASE vc_side;
USE vc_side;
CREATE TABLE kept (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(100), KEY (s));
CREATE VIEW w AS SELECT id FROM kept;
CREATE VIEW w2 AS SELECT w.id AS j, k.id FROM w, kept k;
CREATE VIEW w3 (`a-b`) AS SELECT CONCAT(s, 'x') FROM kept;
CREATE DATABASE vc_other;
USE vc_other;
CREATE TABLE kept (xx INT);
CREATE VIEW vc_side.v7 AS SELECT id FROM vc_side.kept;
CREATE VIEW vc_side.v8 AS SELECT xx FROM kept;
SELECT table_name, column_name, column_type FROM information_schema.columns WHERE table_schema = 'vc_side' ORDER BY 1, 2;
-- No schema is current.
CREATE DATABASE vc_current;
USE vc_current;
DROP DATABASE vc_current;
SELECT DATABASE();
SELECT table_name, column_name, column_type FROM information_schema.columns WHERE table_schema = 'vc_side' ORDER BY 1, 2;
SELECT COUNT(*) FROM information_schema.columns WHERE CONCAT(table_schema, '.', table_name) = 'vc_side.v7';
DROP DATABASE vc_side;
DROP DATABASE vc_other;
