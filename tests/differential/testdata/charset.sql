-- ALTER TABLE ... CONVERT TO CHARACTER SET, and DEFAULT CHARACTER SET
create table t (id int primary key, a varchar(20), b char(5) collate latin1_bin, c text charset utf8mb4, e blob, key (a), key (c(3))) default charset latin1;
insert into t values (1, 'é', 'ü', 'ß', 'é'), (2, 'x', 'y', 'z', 'e');
select length(a), char_length(a), length(c) from t order by id;
alter table t default character set utf8mb4;
select column_name, collation_name from information_schema.columns where table_schema = database() and table_name = 't' order by ordinal_position;
select id from t where b = 'Ü';
-- differs: tells of no rows
alter table t convert to character set utf8mb4;
select column_name, collation_name from information_schema.columns where table_schema = database() and table_name = 't' order by ordinal_position;
select length(a), char_length(a), length(c) from t order by id;
select id from t where b = 'Ü';
select id from t where a = 'É';
-- differs: tells of no rows
alter table t convert to character set utf8mb4 collate utf8mb4_bin;
select id from t where a = 'É';
select id from t where a = 'é';
select id from t force index (c) where c = 'ß';
alter table t /* convert to character set latin1 */ collate utf8mb4_general_ci;
select column_name, collation_name from information_schema.columns where table_schema = database() and table_name = 't' order by ordinal_position;
create table u (a varchar(10) primary key, b int) charset utf8mb4 collate utf8mb4_bin;
insert into u values ('a', 1), ('A', 2);
alter table u convert to character set utf8mb4 collate utf8mb4_general_ci;
select * from u order by b;
-- differs: tells of no rows
alter table u convert to character set latin1 collate latin1_bin;
select column_name, collation_name from information_schema.columns where table_schema = database() and table_name = 'u' order by ordinal_position;
create table p (id varchar(5) primary key) charset latin1;
create table c (p varchar(5), foreign key (p) references p (id)) charset latin1;
alter table p convert to character set utf8mb4;
alter table c convert to character set utf8mb4;
set foreign_key_checks = 0;
alter table p convert to character set utf8mb4;
alter table c convert to character set utf8mb4;
set foreign_key_checks = 1;
insert into p values ('é');
insert into c values ('é'), ('É');
insert into c values ('x');

-- lengths of one-byte character sets count characters
create table ob (a varchar(5) character set latin1, b char(3) character set latin1, unique (a));
insert into ob values ('ééééé', 'üüü');
insert into ob values ('éééééé', 'ü');
insert into ob values ('aéaéa', 'üaü');
update ob set a = 'ööööö' where b = 'üüü';
select a, b, length(a), char_length(a), hex(a) from ob order by a;
select a from ob where a = 'ööööö';
select a from ob where a like 'ö%';
replace into ob values ('ööööö', 'öö');
insert into ob values ('ööööö', 'x') on duplicate key update b = 'äää', a = 'ÄÄÄÄÄ';
select * from ob order by a;
alter table ob modify a varchar(6) character set latin1;
select a from ob order by a;
