create table t (a int primary key, b int, c varchar(20), d int);

-- the columns of an alias of new rows are as many as the rows' columns, and different
insert into t (a, b) values (1, 5), (2, 7) as n(a) on duplicate key update b = n.a;
insert into t values (1, 5, 'x', 1), (2, 7, 'y', 2) as n(a) on duplicate key update b = n.a;
insert into t values (1, 5, 'x', 1) as n(a, b, c, d, e) on duplicate key update b = n.a;
insert into t values (1, 5, 'x') as n(a, b, c) on duplicate key update b = n.a;
insert into t (a, b) values (1, 5), (2, 7) as n(a, a) on duplicate key update b = n.a;
insert into t (a, b) values (1, 5), (2) as n(x, y) on duplicate key update b = n.x;
insert into t (a, b) values (1, 2, 3) as n(x, y) on duplicate key update b = n.x;
insert into t set a = 1, b = 2 as n(x) on duplicate key update b = n.x;
insert into t set a = 1, b = 2 as n(x, y, z);
insert into t() values () as n(x, y) on duplicate key update b = n.x;
insert into t (a, b) values (1, 5), (2, 7) as n(x, y) on duplicate key update b = n.x;
select * from t;

-- a scalar query as the separator, within what is shown beside other columns
select concat_ws((select '-'), (select b from t where a = 1), 'x', c) from t;
select concat_ws('_', (select max(s.b) from t s where s.a = t.a), t.c) x from t order by 1;
select repeat((select 'ab'), (select 2)), replace((select 'abc'), (select 'b'), (select 'x')), t.a from t order by t.a;
select lpad((select c from t limit 1), 3, 'x'), make_set((select 3), (select 'a'), 'b'), t.a from t order by t.a;

-- what a sort meets while it evaluates
select st_astext(st_geomfromtext((select 'x'))) from t order by 1;
select json_extract((select 'x'), '$[0]') from t order by 1;
