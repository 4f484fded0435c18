-- What lenient sql_mode makes of bad values, and warnings.

create table t (id int primary key auto_increment, i int, u int unsigned, ti tinyint, v varchar(3), d date, dt datetime, e enum('a','b'), nn int not null, dc decimal(5,2));
insert into t (id, i) values (1, 1);
set sql_mode = '';
insert into t (i) values (1);
show warnings;
insert into t (i, nn) values (99999999999, 1);
show warnings;
insert into t (u, nn) values (-5, 1);
show warnings;
insert into t (ti, nn) values (300, 1), (-300, 1);
show warnings;
insert into t (v, nn) values ('abcdef', 1);
show warnings;
insert into t (i, nn) values ('12abc', 1), ('abc', 1);
show warnings;
insert into t (d, dt, nn) values ('0000-00-00', '0000-00-00 00:00:00', 1);
insert into t (d, dt, nn) values ('2024-00-00', '2024-13-01', 1);
show warnings;
insert into t (e, nn) values ('zzz', 1);
show warnings;
insert into t (nn) values (null);
-- differs: another generated id or count in the OK packet
insert into t (nn) values (1), (null);
show warnings;
-- differs: another generated id or count in the OK packet
insert into t (dc, nn) values (12345.678, 1), (1.239, 1);
show warnings;
-- differs: go-mysql-server gives another value
select * from t order by id;
select 1/0, '1abc' + 1, cast('abc' as signed);
show warnings;
set sql_mode = 'STRICT_TRANS_TABLES';
-- differs: another generated id or count in the OK packet
insert into t (d, nn) values ('0000-00-00', 1);
-- differs: another generated id or count in the OK packet
insert into t (d, nn) values ('2024-00-01', 1);
insert into t (d, nn) values ('2024-02-30', 1);
set sql_mode = 'NO_ZERO_DATE,STRICT_TRANS_TABLES';
insert into t (d, nn) values ('0000-00-00', 1);
set sql_mode = 'ALLOW_INVALID_DATES';
-- differs: another generated id or count in the OK packet
insert into t (d, nn) values ('2024-02-30', 1);
select d from t order by id desc limit 1;
set sql_mode = 'ANSI_QUOTES';
select "id" from t order by "id" limit 1;
set sql_mode = 'PIPES_AS_CONCAT';
select 'a' || 'b';
set sql_mode = 'NO_BACKSLASH_ESCAPES';
select 'a\nb';
set sql_mode = 'NO_UNSIGNED_SUBTRACTION';
select cast(1 as unsigned) - 2;
set sql_mode = 'ONLY_FULL_GROUP_BY';
select i, count(*) from t group by u;
set sql_mode = '';
select count(*), nn from t where i = 1 group by u;
set sql_mode = 'ERROR_FOR_DIVISION_BY_ZERO,STRICT_TRANS_TABLES';
insert into t (i, nn) values (1/0, 1);
set sql_mode = 'STRICT_TRANS_TABLES';
-- differs: another generated id or count in the OK packet
insert into t (i, nn) values (1/0, 1);
set sql_mode = 'bogus';
set sql_mode = default;
select @@sql_mode;
-- differs: another generated id or count in the OK packet
insert ignore into t (i, nn) values ('abc', null);
show warnings;
-- differs: another generated id or count in the OK packet
insert ignore into t (v, nn) values ('abcdefg', 1);
show warnings;
update ignore t set v = 'toolong' where id = 1;
show warnings;
set sql_mode = 'TRADITIONAL';
select @@sql_mode;
-- differs: other warnings
set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH';
create table pc (c char(5));
insert into pc values ('ab');
-- differs: go-mysql-server gives another value
select concat(c, '|') from pc;
set sql_mode = 'HIGH_NOT_PRECEDENCE';
select not 1 between -5 and 5;
