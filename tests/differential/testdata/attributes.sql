-- What a column's type says beyond its kind: UNSIGNED and ZEROFILL of all numbers, (M,D) of FLOAT and DOUBLE, the digits of TIME.
create table a (id int primary key, z int(5) zerofill, z2 tinyint zerofill, z3 bigint(20) unsigned zerofill, d decimal(6,2) unsigned, dz decimal(6,2) zerofill, f float(7,3), g double(10,4) unsigned, fz float zerofill, gz double(8,2) zerofill, fu float unsigned, du double unsigned, zi int zerofill default 5, fd float(5,2) default 1.5 comment 'c');
show create table a;
describe a;
show full columns from a like 'f%';
select column_name, data_type, column_type, numeric_precision, numeric_scale, column_default, column_comment from information_schema.columns where table_schema = database() order by ordinal_position;
insert into a values (1, 7, 3, 9, 1.5, 1.5, 1234.5678, 3.14159, 1.5, 2.555, 1, 2, default, default);
select * from a;
select * from a;
-- params: [1]
select * from a where id = ?;
-- params: [1]
select z, dz, f, g, fz, gz from a where id = ?;
insert into a (id, d) values (2, -1);
insert into a (id, dz) values (2, -1);
insert into a (id, d) values (2, -0.001);
insert into a (id, f) values (2, 10000);
insert into a (id, f) values (2, 9999.9999);
insert into a (id, g) values (2, -1);
insert into a (id, fu) values (2, -1.5);
insert into a (id, du) values (2, '-1');
insert into a (id, z) values (2, -1);
insert ignore into a (id, z, d, f, g, fu, du) values (2, -1, -1, 10000, -1, -1, '-1');
show warnings;
select * from a where id = 2;
update a set d = d - 5 where id = 1;
update a set f = f * 10 where id = 1;
update a set g = g - 100 where id = 1;
update a set d = d - 5 where id = 1;
update ignore a set g = g - 100, f = f*10, d = d - 5 where id = 1;
select * from a where id = 1;
update a set d = 2.345, g = 1.00005, f = 0.0005, gz = 1e2 where id = 1;
select d, g, f, gz from a where id = 1;
insert into a (id, d) values (1, 3) on duplicate key update d = values(d) - 10;
insert into a (id, d) values (1, 3) on duplicate key update d = values(d) + 1;
replace into a (id, f, du) values (4, 5.55555, -1);
replace into a (id, f, du) values (4, 5.55555, 1);
select id, d, f, du from a order by id;
select z+0, dz+0, max(z), min(f), max(gz), min(dz) from a where id = 1;
select * from a order by z, id;
select z, count(*) from a group by z order by z;
select id from a where d < -1 or g < -1 or z = -1;
select id from a where d > -1 order by id;
select id from a where f = 0.001;
-- differs: zeros and digits belong to the column: expressions, unions and derived tables do not know them
select concat(z, '|', dz), f + 0, g * 2 from a where id = 2;
-- differs: zeros and digits belong to the column: expressions, unions and derived tables do not know them
select a.z from (select z from a) a order by z;
set sql_mode = '';
insert into a (id, d, f, g, fu, du) values (3, -1, -99999, -1, -1, '-1');
show warnings;
select * from a where id = 3;
set sql_mode = default;
-- differs: deprecation warnings are not given
create table b like a;
show create table b;
-- differs: deprecation warnings are not given
create table c as select z, d, f, g, dz from a;
show create table c;
-- differs: deprecation warnings are not given
alter table a add column y int(3) zerofill, modify fu float(3,1);
show create table a;
select id, fu, y from a order by id;
alter table a modify dz decimal(6,2) unsigned;
select dz from a order by id;
alter table a modify z int;
select z from a order by id;
alter table a rename column gz to gzz;
alter table a alter column zi set default 6;
create table neg (d decimal(5,2), f double);
insert into neg values (-1, -1.55);
alter table neg modify d decimal(5,2) unsigned;
alter table neg modify f double(3,1);
select f from neg;
show create table neg;
create table t1 (a float(3,5));
create table t1 (a float(25), b float(24), c float(10), d double precision(5,2), e real(4,1), f real unsigned, g numeric(5,1) unsigned zerofill, h dec unsigned, i fixed(4) zerofill);
show create table t1;
create table t2 (a float(300,5));
create table t2 (a double(10,40));
create table t2 (a int(300));
create table t2 (a int(255), b tinyint(1) unsigned, c tinyint(1) zerofill, d year, e bool, f tinyint(1), g smallint zerofill, h mediumint zerofill, i bigint zerofill, j int unsigned zerofill, k serial);
show create table t2;
insert into t2 (b,c,g,h,i,j) values (1,2,3,4,5,6);
-- differs: flags of a key that stands for a primary one
select * from t2;
create table t4 (a float(5,2) unsigned zerofill primary key, b decimal(5,2) unsigned, key(b));
insert into t4 values (1.255, 1.255), (999.994, 999.994);
-- differs: zeros of a key are not shown
insert into t4 values (1.255, 1.255);
select * from t4 where b > -1;
select * from t4 where b < -1;
select * from t4 where a > -1;
select * from t4 where b = -1 or a = -2;
-- times
create table x (id int auto_increment primary key, t time(6), t0 time, t3 time(3) default '10:11:12.3456', key(t), key k3 (t3));
show create table x;
describe x;
select column_name, column_type, datetime_precision, column_default from information_schema.columns where table_schema = database() and table_name = 'x' order by ordinal_position;
insert into x (t, t0, t3) values ('10:11:12.123456', '10:11:12.6', '10:11:12.3455'), ('-10:11:12.9999999', '-10:11:12.5', '838:59:58.9999'), (101112.5, 101112.5, 101112.5678), (null,null,default);
insert into x (t, t0, t3) values ('10:11:12.123456', '10:11:12.6', '10:11:12.3455');
select * from x order by id;
select * from x where t = '10:11:12.123456';
select * from x where t3 > '10:11:12.345' and t3 < '10:11:12.347' order by id;
select max(t), min(t3), max(t0) from x;
select hour(t3), time_format(t, '%H:%i:%s.%f') from x where t > 0 order by id;
select concat(t3), t3 + 0 from x order by id limit 1;
create table x2 like x;
show create table x2;
create table x3 as select t, t0, t3 from x;
show create table x3;
alter table x add column n time(1) default '01:01:01.16' after t;
select n from x limit 1;
-- differs: ALTER TABLE does not count rows
alter table x modify t time(2);
select t from x order by id;
-- differs: ALTER TABLE does not count rows
alter table x modify t time;
select t from x order by id;
create table x4 (t time(7));
update x set t3 = '11:11:11.99996' where id = 1;
-- params: ["11:11:11.123456", 1]
update x set t3 = ? where id = ?;
select t3 from x where id = 1;
set sql_mode = 'TIME_TRUNCATE_FRACTIONAL';
insert into x (t3) values ('10:11:12.399999');
select t3 from x where id > 5;
set sql_mode = default;
