-- What the lists of columns and indexes say of functional keys, of keys that stand for a primary key, of expressions.

create table f (id int primary key, a int, b int, c varchar(20));
create unique index u on f ((a * 10));
create index k on f ((a + 1), b, (a - b));
insert into f values (1, 2, 3, 'x'), (2, 3, 4, 'y');
show create table f;
show columns from f;
show full columns from f;
-- sorted
select column_name, column_type, column_key, extra from information_schema.columns where table_schema = database() and table_name = 'f';
select index_name, seq_in_index, column_name, collation, nullable, expression from information_schema.statistics where table_schema = database() and table_name = 'f' order by index_name, seq_in_index;
select * from f where a * 10 = 20;
insert into f values (3, 2, 0, 'z');

create table k1 (id int not null, id2 int not null, unique key (id), unique key (id2));
show columns from k1;
create table k2 (id int, id2 int not null, id3 int not null, unique key (id), unique key (id2, id3), unique key (id3));
show columns from k2;
create table k3 (id varchar(10) not null, id2 varchar(10) not null, unique key (id(5)), unique key (id2), key (id));
show columns from k3;
create table k4 (id int primary key, id2 int not null, id3 int, unique key (id3), unique key (id2, id3), unique key (id2));
show columns from k4;
create table k5 (id int, id2 int not null, unique key (id, id2), key (id2));
show columns from k5;

create table e (a varchar(10) default (concat('x', 'y''z')), b varchar(20) as (concat(a, 'q')) stored, c int, check (c <> 1), constraint n check (not (c = 3)));
show create table e;
show columns from e;
select column_name, column_default, generation_expression from information_schema.columns where table_schema = database() and table_name = 'e' order by ordinal_position;
