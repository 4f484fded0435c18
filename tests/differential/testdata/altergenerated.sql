# ALTER TABLE of generated columns and of what is below them: the values of each row are computed
# again, the keys over them are made anew, and UNIQUE, NOT NULL and CHECK are held against them.
create table t (id int primary key, a int, b varchar(20), g int as (a + 1) stored, h int as (a * 2) virtual, key kg (g), key kh (h));
insert into t (id, a, b) values (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z');
alter table t modify g int as (a + 10) stored;
select * from t;
select id from t force index (kg) where g >= 12;
alter table t modify h int as (a * 20) virtual;
select id, h from t force index (kh) where h >= 40;
alter table t modify h int as (a * 20) stored;
alter table t modify g int as (a * 20) virtual;
alter table t modify h int;
alter table t modify b varchar(20) as (a) virtual;
alter table t change g gg int as (a) virtual;
alter table t modify g int;
select * from t;
alter table t modify g int as (a + 5) stored;
alter table t modify b varchar(20) as (a) stored;
select * from t;
# the type of a column below
alter table t modify a decimal(5, 1);
select * from t;
select id from t force index (kh) where h >= 40;
alter table t modify a varchar(20);
select * from t;
select id from t force index (kh) where h >= 40;
# what the new values must keep
alter table t add unique key ug (g);
alter table t modify g int as (1) stored;
alter table t modify g int as (a + 1) stored not null, add check (g < 100);
alter table t modify g int as (a + 1000) stored not null;
alter table t modify g int as (nullif(a, 2)) stored not null;
alter table t modify g tinyint as (a * 100) stored;
alter table t modify g int as (a mod 0) stored;
alter table t change g gg int as (a + 3) stored, drop check t_chk_1, drop key ug;
select * from t;
show create table t;
check table t;
drop table t;
# chains, and several parts in one statement
create table c (id int primary key, a int, g int as (a + 1) stored, h int as (g * 2) virtual, i int as (h + g) stored, unique key (h), key (i));
insert into c (id, a) values (1, 1), (2, 2), (3, 3);
alter table c modify g int as (a + 100) stored;
select * from c;
select id from c force index (h) where h = 204;
select id from c force index (i) where i = 306;
alter table c modify a varchar(10), modify g varchar(10) as (concat(a, '0')) stored;
select * from c;
alter table c modify h int as (g * 3) virtual, modify a int;
select * from c;
alter table c modify i varchar(20) as (concat(h, '-', g)) stored, add column z int as (id + 1) stored;
select * from c;
check table c;
drop table c;
# functional and multi-valued keys
create table f (id int primary key, s varchar(10) collate utf8mb4_0900_ai_ci, j json, key u ((upper(s))), key e ((s = 'A')), key m ((cast(j as unsigned array))));
insert into f values (1, 'a', '[1, 2]'), (2, 'A', '[2, 3]'), (3, 'ä', '[4]');
alter table f modify s varchar(10) collate utf8mb4_bin, algorithm = copy;
select id from f force index (e) where (s = 'A') = 1;
select id from f where upper(s) = 'A';
alter table f drop key m, modify j longtext;
select * from f;
alter table f modify j json;
-- differs: MySQL makes a new table for a multi-valued key, and tells how many rows it copied
alter table f add key m ((cast(j as unsigned array)));
select id from f where 2 member of (j);
check table f;
drop table f;
# character sets and collations
create table u (id int primary key, s varchar(10), n int as (s = 'A') stored, v int as (s = 'A') virtual, w int as (length(s)) stored, key (v));
insert into u (id, s) values (1, 'a'), (2, 'A'), (3, 'ä');
alter table u modify s varchar(10) collate utf8mb4_bin, algorithm = copy;
select * from u;
select id from u force index (v) where v = 1;
alter table u convert to character set utf8mb4 collate utf8mb4_general_ci, algorithm = copy;
select * from u;
select id from u force index (v) where v = 1;
alter table u modify s varchar(10) character set latin1;
select * from u;
alter table u convert to character set utf16;
select * from u;
select id from u force index (v) where v = 1;
check table u;
drop table u;
# partitions by a generated column
create table p (id int, a int, g int as (a) stored, unique key (id, g)) partition by range (g) (partition p0 values less than (10), partition p1 values less than (1000));
insert into p (id, a) values (1, 1), (2, 20);
alter table p modify a varchar(10);
select * from p partition (p1);
alter table p modify g int as (a * 30) stored;
select * from p partition (p1);
alter table p modify g int as (a * 3000) stored;
select * from p;
drop table p;
# CHECKs over columns that change
create table k (a varchar(10), b int, check (a < '5'));
insert into k values ('10', 1), ('4', 2);
alter table k modify a int;
drop table k;
# temporary tables
create temporary table w (id int primary key, a int, g int as (a + 1) stored, h int as (a + 2) virtual, key (h));
insert into w (id, a) values (1, 1), (2, 2);
alter table w modify g int as (a + 10) stored;
alter table w modify h int as (a + 20) virtual;
select * from w;
select id from w force index (h) where h = 22;
drop table w;
# a primary key that goes, and one that comes in its place
create table d (a int not null primary key, b int not null);
alter table d add primary key (b), drop primary key;
show create table d;
alter table d modify b bigint, drop primary key;
show create table d;
alter table d add key kk (a), add check (a < 9);
alter table d add key kk (b), drop key kk, add constraint d_chk_1 check (b < 8), drop check d_chk_1;
show create table d;
drop table d;
-- parts over columns that the statement makes or names anew
create table n (a int, b int);
insert into n values (1, 2);
alter table n add check (c < 5), add column c int;
alter table n add column d int default 3, add column e int as (d + 1), add key (e), add column h int as (e + d) stored;
-- differs: the count of rows that MySQL copies for a check over a renamed column
alter table n rename column a to aa, add check (aa < 10), add constraint named check (b > 0), add key ((aa + 1));
alter table n change b bb int, add column k int as (bb + 1);
alter table n drop check named, change b bb bigint, add (k int as (bb + 1), check (k < 9), l int default (k + 1));
select * from n;
select aa from n force index (e) where e = 4;
show create table n;
insert into n (aa) values (20);
alter table n add column x int as (nope + 1), add column y int;
-- differs: the place that MySQL names
alter table n add column z int, add check (z < w);
alter table n rename column aa to a, add check (aa < 10);
drop table n;
-- RENAME TABLE sees no temporary tables
create temporary table tt (a int);
rename table tt to tu;
alter table tt rename tu;
select * from tu;
drop table tu;
-- foreign keys are held against their parents without foreign_key_checks, too
create table par (id int primary key, v varchar(10), unique key (v));
set foreign_key_checks = 0;
create table ch (a int, b bigint, foreign key (a) references par (nope));
create table ch (a int, b bigint, foreign key (b) references par (id));
create table ch (a int, b varchar(20) collate utf8mb4_bin, foreign key (b) references par (v));
create table ch (a int unsigned, b char(20), foreign key (b) references par (v));
alter table ch add foreign key (a) references par (id);
alter table ch modify a int, add foreign key (a) references par (id);
set foreign_key_checks = 1;
drop table ch, par;
-- names that InnoDB has for itself
create table r (db_row_id int);
create table r (a int, FTS_DOC_ID int);
create table r (FTS_DOC_ID bigint unsigned not null primary key, a int);
alter table r add column DB_TRX_ID int;
alter table r change a DB_ROLL_PTR int;
drop table r;
-- keys over virtual columns come last
create table o (a int, b int not null, g int as (a + 1) virtual, key k0 (g), key k1 (a), unique u1 (g), unique u2 (a), unique u3 (b), key k4 ((a + 1)), unique u4 (g, b));
show create table o;
drop table o;
-- a generated column reads generated columns in front of it alone, in the order that the statement leaves
create table q (a int, b int as (a + 1), c int as (b + 1) stored, d int);
alter table q modify c int as (b + 1) stored first;
alter table q modify b int as (a + 1) after c;
alter table q change c c2 int as (b + 1) stored first;
alter table q add column e int as (c + 1) first;
alter table q modify b int as (a + 1) first;
alter table q modify a int after d;
alter table q modify c int as (b + 1) stored first, modify b int as (a + 1) first;
insert into q (a, d) values (1, 2);
select * from q;
show create table q;
drop table q;
