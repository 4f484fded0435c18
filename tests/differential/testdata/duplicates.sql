-- INSERT ... ON DUPLICATE KEY UPDATE and REPLACE: affected rows, insert ids, LAST_INSERT_ID(), AUTO_INCREMENT values. Every kind of statement is run
-- three times, for the first run is the SQL layer's and the next are a compiled program's.

create table d (id int primary key auto_increment, u int, w int, v int not null default 0, unique key (u), unique key (w));
insert into d (u, w, v) values (1, 1, 10);
select last_insert_id(), row_count();
insert into d (u, w, v) values (2, 2, 20);
select last_insert_id(), row_count();

-- a new row
insert into d (u, w, v) values (3, 3, 30) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (4, 4, 40) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (5, 5, 50) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();

-- one that is there: changed
insert into d (u, w, v) values (3, 3, 31) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (4, 4, 41) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();

-- one that is there: not changed
insert into d (u, w, v) values (4, 4, 41) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (3, 3, 31) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();

-- the next number
insert into d (u, w, v) values (6, 6, 60);
select last_insert_id(), row_count();
select * from d order by id;

-- several rows
insert into d (u, w, v) values (3, 3, 32), (7, 7, 70), (4, 4, 41), (8, 8, 80) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (3, 3, 33), (9, 9, 90), (4, 4, 41), (10, 10, 100) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (11, 11, 33), (9, 9, 91), (12, 12, 41), (10, 10, 100) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (3, 3, 34), (9, 9, 92), (4, 4, 42), (10, 10, 101) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
insert into d (u, w, v) values (3, 3, 34), (9, 9, 92), (4, 4, 42), (10, 10, 101) as x on duplicate key update v = x.v;
select last_insert_id(), row_count();
select * from d order by id;
insert into d (u, w, v) values (13, 13, 130);
select last_insert_id(), row_count();

-- values the statement gives
insert into d (id, u, w, v) values (100, 14, 14, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (101, 15, 15, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (101, 15, 15, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (102, 15, 15, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (102, 15, 15, 1), (null, 16, 16, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (null, 15, 15, 1), (200, 17, 17, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (null, 18, 18, 1), (300, 19, 19, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (null, 18, 18, 1), (300, 19, 19, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
insert into d (id, u, w, v) values (0, 20, 20, 1), (0, 21, 21, 1) on duplicate key update v = v + 1;
select last_insert_id(), row_count();
select * from d order by id;

-- the id is asked for
insert into d (u, w, v) values (3, 3, 0) on duplicate key update id = last_insert_id(id), v = v + 1;
select last_insert_id(), row_count();
insert into d (u, w, v) values (4, 4, 0) on duplicate key update id = last_insert_id(id), v = v + 1;
select last_insert_id(), row_count();
insert into d (u, w, v) values (4, 4, 0) on duplicate key update id = last_insert_id(id);
select last_insert_id(), row_count();
insert into d (u, w, v) values (22, 22, 0) on duplicate key update id = last_insert_id(id), v = v + 1;
select last_insert_id(), row_count();

-- the update meets another row
insert into d (u, w, v) values (3, 4, 0) on duplicate key update w = 5;
select last_insert_id(), row_count();
insert into d (u, w, v) values (3, 4, 0) on duplicate key update w = 5;
insert into d (u, w, v) values (3, 4, 0) on duplicate key update v = 77;
select * from d where v = 77;

-- REPLACE
replace into d (u, w, v) values (30, 30, 1);
select last_insert_id(), row_count();
replace into d (u, w, v) values (31, 31, 1);
select last_insert_id(), row_count();
replace into d (u, w, v) values (31, 31, 2);
select last_insert_id(), row_count();
replace into d (u, w, v) values (31, 31, 2);
select last_insert_id(), row_count();
-- two rows are in the way
replace into d (u, w, v) values (30, 31, 3);
select last_insert_id(), row_count();
replace into d (u, w, v) values (1, 2, 3);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (500, 3, 4, 4);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (500, 3, 4, 4);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (500, 3, 5, 4);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (500, 3, 5, 5);
select last_insert_id(), row_count();
replace into d (u, w, v) values (40, 40, 1), (41, 41, 1), (40, 42, 1);
select last_insert_id(), row_count();
replace into d (u, w, v) values (40, 40, 1), (41, 41, 1), (40, 42, 2);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (null, 40, 40, 1), (600, 41, 41, 1), (null, 42, 42, 2);
select last_insert_id(), row_count();
replace into d (id, u, w, v) values (601, 40, 40, 1), (602, 41, 41, 1), (603, 42, 42, 2);
select last_insert_id(), row_count();
replace into d set u = 42, w = 43;
select last_insert_id(), row_count();
replace into d set u = 42, w = 43;
select last_insert_id(), row_count();
select * from d order by id;

-- INSERT IGNORE
insert ignore into d (u, w, v) values (42, 44, 1);
select last_insert_id(), row_count();
show warnings;
insert ignore into d (u, w, v) values (42, 44, 1);
select last_insert_id(), row_count();
insert ignore into d (u, w, v) values (50, 50, 1), (42, 44, 1), (51, 51, 1);
select last_insert_id(), row_count();
insert ignore into d (u, w, v) values (42, 44, 1), (52, 52, 1), (53, 53, 1);
select last_insert_id(), row_count();
insert ignore into d (u, w, v) values (42, 44, 1), (52, 52, 1), (53, 53, 1);
select last_insert_id(), row_count();
insert into d (u, w, v) values (54, 54, 1), (55, 55, 1);
select last_insert_id(), row_count();
insert into d (u, w, v) values (56, 56, 1), (54, 55, 1);
select last_insert_id(), row_count();
insert into d (u, w, v) values (57, 57, 1), (58, 58, 1);
select last_insert_id(), row_count();
select * from d order by id;

-- no AUTO_INCREMENT
create table n (k int primary key, u int unique, v int, c timestamp null on update current_timestamp);
insert into n values (1, 1, 1, null), (2, 2, 2, null), (3, 3, 3, null) on duplicate key update v = 5;
insert into n values (1, 1, 1, null), (2, 2, 2, null), (4, 4, 3, null) on duplicate key update v = 5;
insert into n values (1, 1, 1, null), (2, 2, 2, null), (4, 4, 3, null) on duplicate key update v = 5;
insert into n values (1, 1, 1, null), (2, 2, 2, null), (5, 5, 3, null) as x on duplicate key update v = x.v;
insert into n values (1, 1, 1, null), (2, 2, 2, null), (5, 5, 3, null) as x on duplicate key update v = x.v;
select row_count(), last_insert_id();
select k, u, v, c is null from n order by k;
replace into n values (1, 2, 1, null);
replace into n values (3, 4, 1, null);
replace into n values (1, 3, 1, null), (3, 4, 1, null);
replace into n values (7, 7, 1, null), (7, 8, 2, null);
replace into n values (7, 8, 1, null), (9, 9, 2, null);
select row_count(), last_insert_id();
select k, u, v from n order by k;
-- the same row: MySQL updates it in place
replace into n values (9, 9, 2, null);
replace into n values (9, 9, 3, null);
replace into n values (9, 9, 3, null);
select row_count();
update n set v = v + 1 where k > 5;
update n set v = v + 1 where k > 5;
update n set v = 4 where k > 5;
update n set v = 4 where k > 5;
select row_count();
insert into n select k + 1, u, v, c from (select * from n) s on duplicate key update v = n.v + 1;
select row_count();
replace into n select k + 1, u, v, c from n where k < 3;
select row_count(), last_insert_id();
replace into d (u, w, v) select k, k, 1 from n;
select row_count(), last_insert_id();
insert into d (u, w, v) select k, k, 2 from n on duplicate key update v = d.v + 1;
select row_count(), last_insert_id();
insert into d (u, w, v) select k + 70, k + 70, 2 from n on duplicate key update v = d.v + 1;
select row_count(), last_insert_id();
insert into d (u, w, v) values (90, 90, 90);
select last_insert_id();
select * from d order by id;

-- ALTER TABLE: rows are told where the table is copied
create table al (id int primary key, a int, b varchar(10));
insert into al values (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
alter table al add column c int;
alter table al add index (a);
alter table al modify a bigint;
alter table al change b bb varchar(10);
alter table al modify bb char(20);
alter table al drop column c;
alter table al comment 'x';
alter table al engine = innodb;
alter table al force;
alter table al convert to character set latin1;
alter table al add column g int as (a + 1) stored;
alter table al drop primary key, add primary key (a);
alter table al auto_increment = 10;
alter table al alter column a set default 5;
alter table al rename index a to a2;
alter table al add column h int, algorithm = copy;
alter table al add check (a > 0);
drop index a2 on al;
create index a3 on al (a);
truncate table al;

-- what a collation calls equal is a change
create table s (id int primary key, v varchar(10), c char(5) collate utf8mb4_bin, t text, p int not null default 0, u timestamp null on update current_timestamp);
insert into s (id, v, c, t) values (1, 'bob', 'x', 'long'), (2, 'e', 'x', 'long');
update s set v = 'Bob' where id = 1;
update s set v = 'BOB' where id = 1;
update s set v = 'BOB' where id = 1;
update s set v = 'É', t = 'LONG' where id = 2;
update s set v = 'é', t = 'LONG' where id = 2;
select id, v, c, t, u is null from s order by id;
update s a join s b on a.id = b.id - 1 set a.v = 'bOb', b.v = 'e';
select id, v, c, t from s order by id;
update s a left join n b on a.id = b.k + 100 set a.v = 'bob';
insert into s (id, v) values (1, 'x') on duplicate key update v = 'BoB';
insert into s (id, v) values (1, 'x') on duplicate key update v = 'BOb';
insert into s (id, v) values (1, 'x') on duplicate key update v = 'BOb';
replace into s (id, v) values (1, 'bob');
replace into s (id, v) values (1, 'BOB');
replace into s (id, v) values (1, 'BOB');
replace into s (id, v) values (1, 'BOB');
select id, v from s order by id;
create table sk (v varchar(10) primary key, n int);
insert into sk values ('a', 1);
update sk set v = 'A';
update sk set v = 'a';
select * from sk;
create table sf (id int primary key, v varchar(10), s int, foreign key (s) references s (id));
insert into sf values (1, 'a', 1);
update sf set v = 'A' where id = 1;
update sf set v = 'A' where id = 1;
select * from sf;

-- auto_increment_increment
set auto_increment_increment = 10, auto_increment_offset = 3;
create table ai (id int primary key auto_increment, v int);
insert into ai (v) values (1), (2);
select last_insert_id();
insert into ai (v) values (1);
insert into ai (id, v) values (44, 1);
insert into ai (v) values (1);
select * from ai;
set auto_increment_increment = 1, auto_increment_offset = 1;
insert into ai (v) values (1);
insert into ai (v) select v from ai;
insert into ai (v) values (1);
insert into ai (v) values (1);
select * from ai;

-- a counter in a row
create table seq (id bigint not null);
insert into seq values (0);
update seq set id = last_insert_id(id + 1);
select last_insert_id();
update seq set id = last_insert_id(id + 5);
select last_insert_id();
update seq set id = 7;
select last_insert_id();
