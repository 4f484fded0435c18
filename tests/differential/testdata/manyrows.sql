-- Rows that go into a table of one column in several parts.
create table one (d int);
create table r (d int);
set cte_max_recursion_depth = 100000;
insert into r with recursive n (d) as (select 1 union all select d + 1 from n where d < 700) select d from n;
insert into one select a.d + 1000 * b.d from r a join r b;
select count(*), sum(d), min(d), max(d) from one;
insert into one select 1 + d from one union select 2 + d from one where d < 5000;
select count(*), sum(d) from one;
