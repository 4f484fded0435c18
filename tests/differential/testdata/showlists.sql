-- lists that SHOW tells: columns of views, keys and how many values they have, lists of the server
create table i1 (a int primary key, b int not null, c varchar(30), d text, e json, n int, key b (b), unique key cb (c,b), key dp (d(10)), key bd (b desc, n));
create table i2 (id int auto_increment primary key, nr int default 3, f double default 1.5, dt datetime default current_timestamp, en enum('a','b') default 'a', de decimal(10,2), vb varbinary(5) default 'x', ch char(3) character set latin1 collate latin1_bin, ts timestamp null);
insert into i1 (a,b,c,d,n) values (1,1,'a','x',1),(2,1,'b','y',1),(3,2,'c','z',2),(4,7,null,null,null);
insert into i2 (f) values (1),(2),(3);
analyze table i1, i2;
show index from i1;
show index from i2;
show keys from i1 where Key_name = 'bd';
select index_name, seq_in_index, column_name, cardinality from information_schema.statistics where table_schema = database() order by table_name, index_name, seq_in_index;
create view v1 as select a, b+1 as x, c, 1 one, 'lit' l, now() nn, cast(b as decimal(10,3)) de, null nu, date(now()) da, e, b>1 bo from i1;
create view v2 (x,y) as select id, f from i2 where id > 1 with check option;
create view v3 as select count(*) c, group_concat(en) gc, std(id) sd, min(dt) md from i2;
create view v4 as select id, nr, f, en, de, vb, ch, ts from i2;
create view v5 as select id from i2 union select a from i1;
show columns from v1;
show columns from v2;
show columns from v3;
show full columns from v4;
show columns from v5;
describe v4 ch;
desc v2;
show columns from v4 like '%e%';
show fields from v1 where `Null` = 'NO';
select table_name, column_name, column_default, is_nullable, column_type from information_schema.columns where table_schema = database() and table_name in ('v1', 'v2', 'v4') order by table_name, ordinal_position;
show collation like 'latin1%';
show collation where charset = 'latin1' and `default` = 'Yes';
show collation where id = 255;
show charset like 'utf8%';
show character set where maxlen = 1 and charset like 'latin%';
show plugins where name = 'nothing';
create procedure p1(in a int, out b varchar(10)) reads sql data comment 'c' select 1;
create function f1(a int) returns int deterministic return a+1;
-- mask: Modified, Created
show procedure status like 'p1';
-- mask: Modified, Created
show function status like 'f1';
-- mask: Modified, Created
show procedure status where name = 'p1';
show function status where name = 'nothing';
