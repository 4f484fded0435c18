-- Upkeep of views: they are checked, and nothing else is done with them.
CREATE TABLE t1 (a INT);
CREATE VIEW v AS SELECT a FROM t1;
ANALYZE TABLE v;
REPAIR TABLE v;
OPTIMIZE TABLE v;
CHECK TABLE v;
CHECK TABLE t1, v, nosuch;
