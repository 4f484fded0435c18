-- Views in queries: how their columns are described, and what they give.

create table t (id int primary key auto_increment, n varchar(10) not null, g int, key (g));
insert into t (n, g) values ('a', 1), ('b', 1), ('c', null), ('d', 4);
create view v as select id, n, g + 1 h from t;
create view w as select g, count(*) c from t group by g;
create view x (a, b) as select v.id, w.c from v left join w on w.g = v.h - 1;
create algorithm=temptable view y as select * from t;
create view u as select id, n from t union select g, 'x' from t;
create view lit as select id, 'abc' s, 1.5 d, n from t where n <> 'q';
create view deep as select a, b from x where b > 1;
create view sub as select id, (select count(*) from w where w.g = t.g) k, exists (select 1 from v where v.h = t.g) e from t;
create view lim as select id from t order by id desc limit 2;
create view win as select id, row_number() over (partition by g order by id) r from t;
create view star as select * from t;
alter table t add column later int default 7;
select * from v order by id;
select v.id, z.h from v join v z on z.id = v.id order by 1;
select * from w order by g;
select * from x order by a;
select * from y order by id;
select * from u order by id, n;
select count(*) from v where h = 2;
select a.n, x.b from t a left join x on x.a = a.g order by a.id;
select * from lit order by id;
select vv.id as q from v as vv order by 1;
select h + 1 from v order by 1;
-- differs: another type or flag of the column, the same value
select * from deep order by 1, 2;
-- differs: another type or flag of the column, the same value
select * from sub order by id;
select * from lim order by id;
select max(id) from lim;
select * from win where r = 1 order by id;
select * from star order by id;
-- differs: another type or flag of the column, the same value
select v.*, w.c from v, w where w.g = v.id order by v.id;
select id from v where exists (select 1 from deep where deep.a = v.id) order by id;
select id from v where id in (select a from x) order by id;
with q as (select * from v) select q.id, v.n from q join v on q.id = v.id where q.h is not null order by 1;
with v as (select 9 id) select * from v;
select id from (select * from v where h = 2) d order by id;
select g, sum(c) over () s from w order by g;
select nosuch from v;
drop table t;
select * from v;
-- differs: the view is named that reads the table, not the one that the statement names
select count(*) from deep;
