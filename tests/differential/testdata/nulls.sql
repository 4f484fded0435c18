-- A NULL for a column that is NOT NULL: what an INSERT stores in its place is told of once a column, what an UPDATE stores for every row; an INSERT of one row,
-- and the ON DUPLICATE KEY UPDATE of one row or of a SELECT, fail in every mode.
create table t (id int primary key, a int not null default 3, b varchar(5) not null default 'x');
insert ignore into t values (1, null, null), (2, null, null), (3, null, 'a');
show warnings;
insert ignore into t values (1, 1, 'x'), (2, 1, 'x') on duplicate key update a = null;
show warnings;
insert ignore into t values (1, null, 'x'), (2, null, 'x') on duplicate key update b = null, a = null;
show warnings;
insert ignore into t select id, null, 'y' from (select 1 as id union all select 2) as s on duplicate key update b = null;
show warnings;
insert into t values (1, 1, 'x') on duplicate key update a = null;
insert into t values (1, 1, 'x'), (2, 1, 'x') on duplicate key update a = values(a) + null;
insert into t select 1, 1, 'x' on duplicate key update a = null;
update ignore t set a = null;
show warnings;
set sql_mode = '';
insert into t values (4, null, null), (5, null, null), (6, null, 'a');
show warnings;
insert ignore into t values (7, null, null), (8, null, null);
show warnings;
insert into t values (1, 1, 'x') on duplicate key update a = null;
insert into t select id, 1, 'x' from (select 1 as id union all select 2) as s on duplicate key update a = null;
insert into t values (1, 1, 'x'), (9, null, 'x'), (2, 1, 'x') on duplicate key update a = null;
show warnings;
select * from t order by id;
