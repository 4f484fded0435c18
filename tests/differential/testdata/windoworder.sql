# Window functions beside HAVING, ORDER BY and DISTINCT of the same query.
create table t(i int, j int);
insert into t values (1,1),(1,4),(2,3),(1,2),(1,4);
create table u(k int, l int);
insert into u values (3,1),(2,9),(1,5);
-- HAVING without groups comes before windows
select i, j, ntile(2) over (order by j) n from t having j > 2 order by j, n;
select i, j, count(*) over () n from t having j > 2 order by i, j;
select i x, j+1 y from t having y > 2 and x = 1 order by y;
select i x, j+1 y from t having y > 2 limit 1;
select i from t having exists (select 1 from u where k = i and l > 5);
select i, sum(j) over () n from t having n > 1;
select i, row_number() over (order by j) + 1 n from t having i and n > 1;
select row_number() over (order by j) n from t group by n;
-- rows of one table are ordered before windows that have no order of their own
select j, row_number() over () n from t order by j;
select j, row_number() over () n from t order by j desc limit 2;
select j, row_number() over () n, lag(j) over () l, sum(j) over (rows 1 preceding) s from t order by j desc;
select j, row_number() over () n from t order by -j;
select j, row_number() over w n from t window w as () order by j limit 1, 2;
select j, row_number() over () n from t order by (select max(k) from u where k < j) desc, j;
select * from (select j, row_number() over () n from t order by j desc) x order by n;
select j, row_number() over () n from t having j > 1 order by j desc;
create table numbered as select j, row_number() over () n from t order by j desc;
select * from numbered order by n;
-- but not where a window has an order, or the order is that of a window
select j, row_number() over () n, row_number() over (order by j desc) m from t order by j, n;
select j, row_number() over () n from t order by n desc;
select distinct j, row_number() over () n from t order by j, n;
-- DISTINCT ordered by a window function of the list
-- differs: prepared, the name is ambiguous
select distinct i, row_number() over (order by j) n from t order by row_number() over (order by j), i;
-- differs: prepared, the name is ambiguous
select distinct i, ntile(3) over (order by i) from t order by ntile(3) over (order by i);
