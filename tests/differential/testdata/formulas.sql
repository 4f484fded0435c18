-- Random expressions as generated columns, defaults, CHECKs and keys, made by TestFormulas with EMBER_SEED=1:
-- those tables of the first ones that answer alike.
set timestamp = 1700000000;
create table t3 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x DECIMAL(20,4) DEFAULT (FLOOR(u)));
-- text
show create table t3;
insert into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t3 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t3 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t3 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t3 order by id;
drop table t3;
create table t5 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((JSON_MERGE_PRESERVE(JSON_OBJECT('k', 1.5), j)) IS NULL OR (JSON_MERGE_PRESERVE(JSON_OBJECT('k', 1.5), j)) <> JSON_OBJECT('k', 1.5)), x JSON DEFAULT (JSON_MERGE_PRESERVE(JSON_OBJECT('k', 1.5), j)));
-- text
show create table t5;
insert ignore into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t5 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t5 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t5 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t5 order by id;
drop table t5;
create table t6 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((MAKEDATE(JSON_DEPTH(JSON_OBJECT('k', 1.5)), PERIOD_ADD(202401, '12')))), x DATETIME DEFAULT (MAKEDATE(JSON_DEPTH(JSON_OBJECT('k', 1.5)), PERIOD_ADD(202401, '12'))));
-- text
show create table t6;
insert into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t6 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t6 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t6 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t6 order by id;
drop table t6;
create table t9 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((TIME(j->>'$.a')) IS NULL OR (TIME(j->>'$.a')) <> TIME'-25:00:00.25'));
-- text
show create table t9;
insert into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t9 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t9 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t9 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t9 order by id;
drop table t9;
create table t12 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x DOUBLE DEFAULT (ASCII(LEFT(b, 2))));
-- text
show create table t12;
insert ignore into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t12 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t12 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t12 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t12 order by id;
drop table t12;
create table t13 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((20240131010203 + INTERVAL y HOUR))), x VARCHAR(30) DEFAULT ((20240131010203 + INTERVAL y HOUR)));
-- text
show create table t13;
insert into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t13 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t13 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t13 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t13 order by id;
drop table t13;
create table t14 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x TIME DEFAULT (STR_TO_DATE('', '%Y-%m-%d %H:%i:%s')));
-- text
show create table t14;
insert ignore into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t14 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t14 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t14 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t14 order by id;
drop table t14;
create table t18 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((dt) IS NULL OR (dt) <> 20240131010203));
-- text
show create table t18;
insert ignore into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t18 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t18 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t18 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t18 order by id;
drop table t18;
create table t19 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((((7, b) = (i, s)))));
-- text
show create table t19;
insert into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t19 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t19 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t19 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t19 order by id;
drop table t19;
create table t20 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v JSON AS (j) VIRTUAL);
-- text
show create table t20;
insert into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t20 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t20 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t20 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t20 order by id;
drop table t20;
create table t21 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((OCT('12')) IS NULL OR (OCT('12')) <> '12:13:14'));
-- text
show create table t21;
insert ignore into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t21 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t21 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t21 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t21 order by id;
drop table t21;
create table t23 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((IF(i > 0, i > 0, TRUE))), v CHAR(1) AS (IF(i > 0, i > 0, TRUE)) VIRTUAL);
-- text
show create table t23;
insert ignore into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t23 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t23 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t23 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t23 order by id;
drop table t23;
create table t24 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((TIME'10:11:12' <=> '100:00:00'))), w INT AS ((TIME'10:11:12' <=> '100:00:00')) STORED);
-- text
show create table t24;
insert into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t24 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t24 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t24 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t24 order by id;
drop table t24;
create table t25 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w INT AS (TIME_TO_SEC(tm)) STORED);
-- text
show create table t25;
insert into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t25 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t25 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t25 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t25 order by id;
drop table t25;
create table t27 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v DATETIME(3) AS (TIMESTAMP(TIMESTAMP'1000-01-01 00:00:00')) VIRTUAL);
-- text
show create table t27;
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t27 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t27 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t27 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t27 order by id;
drop table t27;
create table t28 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v INT AS ((DATE'2024-01-31' - INTERVAL '1-1' YEAR_MONTH)) VIRTUAL);
-- text
show create table t28;
insert into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t28 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t28 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t28 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t28 order by id;
drop table t28;
create table t30 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((JSON_REMOVE(JSON_OBJECT('k', DATE'0999-01-01', 'l', '2024-02-29'), '$.a')) IS NULL OR (JSON_REMOVE(JSON_OBJECT('k', DATE'0999-01-01', 'l', '2024-02-29'), '$.a')) <> CAST('{"a": 2}' AS JSON)), v JSON AS (JSON_REMOVE(JSON_OBJECT('k', DATE'0999-01-01', 'l', '2024-02-29'), '$.a')) VIRTUAL);
-- text
show create table t30;
insert into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t30 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t30 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t30 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t30 order by id;
drop table t30;
create table t32 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((i > 0) IS NULL OR (i > 0) <> FALSE), KEY k ((i > 0)));
-- text
show create table t32;
insert into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t32 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t32 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t32 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t32 order by id;
drop table t32;
create table t34 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w CHAR(1) AS ((i > 0 XOR i > 0)) STORED);
-- text
show create table t34;
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t34 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t34 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t34 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t34 order by id;
drop table t34;
create table t37 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v VARCHAR(30) AS ('2024-02-29 01:02:03') VIRTUAL);
-- text
show create table t37;
insert into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t37 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t37 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t37 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t37 order by id;
drop table t37;
create table t39 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v DOUBLE AS ((TIME_TO_SEC(tm) * IFNULL(i, f))) VIRTUAL, x DOUBLE DEFAULT ((TIME_TO_SEC(tm) * IFNULL(i, f))));
-- text
show create table t39;
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t39 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t39 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t39 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t39 order by id;
drop table t39;
create table t40 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((i > 0 AND i > 0))), x CHAR(1) DEFAULT ((i > 0 AND i > 0)));
-- text
show create table t40;
insert into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t40 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t40 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t40 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t40 order by id;
drop table t40;
create table t41 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK (((1 MEMBER OF(CAST('null' AS JSON)))) IS NULL OR ((1 MEMBER OF(CAST('null' AS JSON)))) <> TRUE), x BIT(1) DEFAULT ((1 MEMBER OF(CAST('null' AS JSON)))));
-- text
show create table t41;
insert into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t41 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t41 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t41 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t41 order by id;
drop table t41;
create table t43 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((NULLIF(f, i)) IS NULL OR (NULLIF(f, i)) <> 7), v DOUBLE AS (NULLIF(f, i)) VIRTUAL);
-- text
show create table t43;
insert into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t43 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t43 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t43 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t43 order by id;
drop table t43;
create table t44 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((NULLIF(i, f)) IS NULL OR (NULLIF(i, f)) <> 2.50), w DOUBLE AS (NULLIF(i, f)) STORED);
-- text
show create table t44;
insert ignore into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t44 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t44 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t44 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t44 order by id;
drop table t44;
create table t45 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w DATETIME AS (TIMEDIFF(TIME'00:00:00', TIME'10:11:12')) STORED, x DATETIME DEFAULT (TIMEDIFF(TIME'00:00:00', TIME'10:11:12')));
-- text
show create table t45;
insert ignore into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t45 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t45 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t45 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t45 order by id;
drop table t45;
create table t47 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w DATETIME AS (LAST_DAY(20240131)) STORED);
-- text
show create table t47;
insert ignore into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t47 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t47 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t47 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t47 order by id;
drop table t47;
create table t48 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((s)));
-- text
show create table t48;
insert ignore into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t48 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t48 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t48 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t48 order by id;
drop table t48;
create table t49 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((MONTHNAME((20240131 - INTERVAL '1-1' YEAR_MONTH)))), x VARBINARY(60) DEFAULT (MONTHNAME((20240131 - INTERVAL '1-1' YEAR_MONTH))));
-- text
show create table t49;
insert ignore into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t49 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t49 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t49 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t49 order by id;
drop table t49;
create table t51 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((b)), v CHAR(4) AS (b) VIRTUAL);
-- text
show create table t51;
insert into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t51 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t51 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t51 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t51 order by id;
drop table t51;
create table t53 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((LPAD(UPPER(s), 6, NULLIF(b, s)))), v VARBINARY(60) AS (LPAD(UPPER(s), 6, NULLIF(b, s))) VIRTUAL);
-- text
show create table t53;
insert into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t53 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t53 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t53 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t53 order by id;
drop table t53;
create table t56 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((CASE WHEN FALSE THEN y ELSE f END * DATEDIFF(da, da)))));
-- text
show create table t56;
insert into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t56 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t56 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t56 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t56 order by id;
drop table t56;
create table t57 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((s IS NOT NULL))));
-- text
show create table t57;
insert into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t57 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t57 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t57 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t57 order by id;
drop table t57;
create table t58 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((i > 0 IS TRUE))), x TINYINT DEFAULT ((i > 0 IS TRUE)));
-- text
show create table t58;
insert into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t58 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t58 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t58 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t58 order by id;
drop table t58;
create table t59 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v CHAR(4) AS (OCT(MONTH(da))) VIRTUAL);
-- text
show create table t59;
insert ignore into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t59 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t59 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t59 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t59 order by id;
drop table t59;
create table t60 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x TIME(6) DEFAULT (SEC_TO_TIME((da + 0))));
-- text
show create table t60;
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t60 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t60 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t60 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t60 order by id;
drop table t60;
create table t61 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((dt)), x TIME DEFAULT (dt));
-- text
show create table t61;
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t61 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t61 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t61 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t61 order by id;
drop table t61;
create table t62 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x JSON DEFAULT (JSON_REMOVE(JSON_MERGE_PRESERVE(j, CAST('null' AS JSON)), '$.a')));
-- text
show create table t62;
insert into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t62 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t62 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t62 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t62 order by id;
drop table t62;
create table t63 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((FLOOR(FIELD('a', 'a', s))) IS NULL OR (FLOOR(FIELD('a', 'a', s))) <> 0), w INT AS (FLOOR(FIELD('a', 'a', s))) STORED);
-- text
show create table t63;
insert into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t63 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t63 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t63 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t63 order by id;
drop table t63;
create table t64 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w BIGINT AS ((u - u)) STORED);
-- text
show create table t64;
insert into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t64 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t64 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t64 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t64 order by id;
drop table t64;
create table t68 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  x DATE DEFAULT ((da + INTERVAL '1:2' HOUR_MINUTE)));
-- text
show create table t68;
insert into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t68 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t68 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t68 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t68 order by id;
drop table t68;
create table t70 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k (((tm <=> tm))), w BIT(1) AS ((tm <=> tm)) STORED);
-- text
show create table t70;
insert into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t70 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t70 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t70 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t70 order by id;
drop table t70;
create table t71 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((CAST('é' AS JSON))), v JSON AS (CAST('é' AS JSON)) VIRTUAL);
-- text
show create table t71;
insert ignore into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t71 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t71 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t71 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t71 order by id;
drop table t71;
create table t72 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v TINYINT AS (JSON_CONTAINS(JSON_SET(j, '$.a', u), '1')) VIRTUAL, x TINYINT DEFAULT (JSON_CONTAINS(JSON_SET(j, '$.a', u), '1')));
-- text
show create table t72;
insert into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t72 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t72 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t72 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t72 order by id;
drop table t72;
create table t75 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w CHAR(1) AS (JSON_CONTAINS(j, '1')) STORED);
-- text
show create table t75;
insert into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t75 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t75 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t75 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t75 order by id;
drop table t75;
create table t76 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  CHECK ((IFNULL(j, JSON_EXTRACT(j, '$.a'))) IS NULL OR (IFNULL(j, JSON_EXTRACT(j, '$.a'))) <> JSON_OBJECT('k', 1.5)));
-- text
show create table t76;
insert into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t76 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t76 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t76 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t76 order by id;
drop table t76;
create table t77 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v TINYINT AS ((u BETWEEN i AND d)) VIRTUAL, x TINYINT DEFAULT ((u BETWEEN i AND d)));
-- text
show create table t77;
insert ignore into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert ignore into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert ignore into t77 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t77 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t77 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t77 order by id;
drop table t77;
create table t79 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  KEY k ((dt)), w TIME AS (dt) STORED);
-- text
show create table t79;
insert into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert ignore into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t79 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t79 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t79 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t79 order by id;
drop table t79;
create table t80 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  w VARCHAR(30) AS (TIME(ELT(3, b, b))) STORED);
-- text
show create table t80;
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t80 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t80 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t80 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t80 order by id;
drop table t80;
create table t81 (id INT PRIMARY KEY, i INT, u BIGINT UNSIGNED, f DOUBLE, d DECIMAL(12,4), s VARCHAR(20), b VARBINARY(8), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, j JSON,
  v VARCHAR(200) AS (JSON_OBJECT('k', 0, 'l', u)) VIRTUAL, w VARCHAR(200) AS (JSON_OBJECT('k', 0, 'l', u)) STORED);
-- text
show create table t81;
insert ignore into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (0, 1, 2, 2.5, 3.1250, 'abc', 'xyz', '2024-02-29', '2024-02-29 23:59:59.999', '10:11:12.13', 2024, '{"a": 1, "b": [1, 2.5]}');
insert into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
insert into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (2, -2147483648, 18446744073709551615, -1e20, -12345678.9999, '', '', '0999-12-31', '0001-01-01 00:00:00', '-838:59:59', 1901, '[]');
insert ignore into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (3, 0, 0, -0.5, 0.0001, ' 12 ', '12', '9999-12-31', '9999-12-31 23:59:59.999', '-00:00:00.5', 2155, '"2024-01-02"');
insert ignore into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (4, 2147483647, 20240131, 1e15, 99999999.9999, '2024-01-31', '\0a', '2023-01-31', '2023-03-26 02:30:00.500', '25:00:00', 1970, '1e15');
insert into t81 (id, i, u, f, d, s, b, da, dt, tm, y, j) values (5, 7, 99, 0.1, -0.5000, '10:20:30', 'é', '1970-01-01', '1970-01-01 00:00:01', '00:00:00', 2000, 'null');
update t81 set i = i % 100, s = concat(s, '1'), da = '2024-03-31', dt = '2000-01-01' where id in (0, 5);
update ignore t81 set i = 5, d = 1, tm = '-01:02:03', dt = '0000-00-00', da = '2024-02-31' where id > 1;
select * from t81 order by id;
drop table t81;
