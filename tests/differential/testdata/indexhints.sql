-- USE, FORCE and IGNORE INDEX: what EXPLAIN tells of them, and answers that do not depend on them.
create table t (id int primary key, a int, b int, v varchar(20), key a (a), key b (b, a), key v (v(2)));
insert into t values (1, 1, 5, 'abc'), (2, 2, 4, 'abd'), (3, 3, 3, 'abc'), (4, 1, 2, 'x'), (5, null, 1, null);
select id from t ignore index (a) where a = 1 order by id;
select id from t use index () where a = 1 order by id;
select id from t force index (v) where v = 'abc' order by id;
select x.id + 0, y.id + 0 from t x ignore index (primary) join t y use index (a) on y.a = x.id order by 1, 2;
select id from t use index for order by (a) order by a, id;
select max(a) from t ignore index (a);
select a, count(*) from t force index for group by (a) group by a order by a;
select id from t use index (nope) where a = 1;
select id from t use index (a) force index (b) where a = 1;
select id from t ignore index (A) where a = 1 order by id;
select id + 0 from t where id in (select id from t ignore index (primary, b)) and a = 1 order by id for update;
update t ignore index (a) set b = b + 1 where a = 1;
delete x from t x force index (b) join t y use index (a) on x.a = y.a where y.id = 5;
select * from t order by id;
