-- Groups by constants: the rows that ROLLUP adds have NULL where the key stands.
create table w(id int primary key,k int);
insert into w values(1,10),(2,20),(3,5);
create table w0(id int primary key,k int);
select 1 y, 1 z, count(*) from w group by y with rollup;
select 1 y, id+1 z, count(*)+1 from w group by z, y with rollup;
select 1+1 y, k+(1+1) z, count(*) from w group by z, y with rollup;
select 1 y, count(*) from w0 group by y with rollup;
-- sorted
select 1 y, count(*) from w0 group by y;
-- sorted
select 1 y, count(*) from w where k > 100 group by y;
select 1 y, sum(k+1), sum(1) from w group by y with rollup;
select 1 y, 2 z, sum(k) from w group by y, z with rollup;
select 1 y, sum(k) s from w group by y with rollup having y = 1;
select 1 y, sum(k) s from w group by y with rollup having y is null;
select 1 y, sum(k) s from w group by y with rollup order by y;
select 1 y, sum(k) s from w group by y with rollup order by y desc;
-- text
select 1 y, sum(k) s, rank() over (order by sum(k)) from w group by y with rollup;
select k, null z, count(*) from w group by k, z with rollup;
select k, '' z, count(*) from w group by z, k with rollup;
select k, now() > 0 z, count(*) from w group by z, k with rollup;
select k, date'2020-01-01' z, count(*) from w group by z, k with rollup;
-- sorted
select k, date'2020-01-01' z, count(*) from w group by z, k;
-- sorted
select count(*) from w group by null;
-- sorted
select count(*) from w group by null, k;
-- sorted
select count(*) from w0 group by null;
-- sorted
select count(*) from w group by 'x', 'y';
-- sorted
select count(*), max(k) from w group by 1+1 having count(*) > 1;
select distinct 1 y, count(*) from w group by y with rollup;
select 1 y, 1 from w group by y with rollup limit 1;
select k from w group by 1.5, k with rollup;
-- sorted
select count(*) from w group by true;
create view v1 as select id, 1 c, 'x' d from w;
select c, d, count(*) from v1 group by c, d with rollup;
select c, id, count(*) from v1 group by id, c with rollup;
select c, count(*) from (select 1 c, id from w) q group by c with rollup;
select (select 1) c, count(*) from w group by c with rollup;
