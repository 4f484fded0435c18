# FLOAT and DOUBLE of a fixed number of digits: what is computed of them is shown with as many.
set sql_mode = '';
create table f(a double(40,20), b double(20,5), c float(7,2), d float(20,10), k int);
insert into f values (0.1 + 2e-1, 92233720368.1, 1.005, 1.1, 1), (1e10 + 0.1, 1234567890.12345, 99999.99, 1234567.1, 2), (1e15 / 3, 1e14 / 3, 0.1, 1/3, 3);
select * from f order by k;
select a+0, b+0, c+0, d+0 from f order by k;
select a*1, b/1, -c, abs(c), c*2, c+c, c*c, c/3, c+1.5, c+d, a+b, b-c, c%2, 3-c, c+1e0 from f order by k;
select sum(c), avg(c), min(c), max(c), sum(b), avg(b), sum(c+1), count(distinct c) from f;
select concat(c, '|', b), length(c) from f order by k;
select coalesce(c, 1), coalesce(c, 1.5), ifnull(c, b), if(1, c, d), case when 1 then c end, nullif(c, 3), ifnull(c, 2.5e0) from f order by k;
select group_concat(c order by k) from f;
select * from (select c from f union select 1) x order by c;
select c from f union all select d from f order by 1;
select (select c from f where k = 1), (select max(c) from f);
select x.c, x.b, x.m from (select distinct c, b, c*2 m from f) x order by x.c;
with q as (select c, b from f order by k limit 5) select * from q;
create view v as select c, b, c+1 y from f;
select * from v order by c;
-- differs: the warnings of the digits
create table made as select c, b, c+1 y, sum(c) over () s, coalesce(c, b) z from f;
show -- differs: the warnings of the digits
create table made;
select * from made order by c;
select lag(c) over (order by c) l, sum(c) over (order by c) s, max(c) over () m, lead(c, 1, 5) over (order by c) n from f order by c;
select c+0 x, count(*) from f group by x having x > 1 order by x;
-- numbers are equal that are shown alike, but in lists
select k from f where c = 0.1;
select k from f where c <= 0.1;
select k from f where c < 0.1;
select k from f where c <> 0.1 order by k;
select k from f where not c = 0.1 order by k;
select k from f where c = 1.005;
select k from f where b = 92233720368.1;
select c in (1.00, 0.1), c between 0 and 1, c < b from f order by k;
select x.k from f x join made y on x.c = y.y - 1 order by x.k;
