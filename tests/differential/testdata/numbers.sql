-- values of an AUTO_INCREMENT column that are no numbers
create table t (id int auto_increment primary key, a varchar(20));
insert into t (id, a) values ('x', 'y');
insert into t (id) values (3), ('4x');
insert into t (id) values ('5'), (' 6 '), (null), ('0'), (7.6);
insert into t (id, a) values (99999999999, 'big');
insert into t (id) select 'z';
insert ignore into t (id) values ('x');
show warnings;
set sql_mode = '';
insert into t (id, a) values ('20x', 'y'), ('x', 'z'), ('', 'e'), (null, 'n');
show warnings;
select * from t order by id;
