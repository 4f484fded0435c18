-- SELECT: grouping, joins, subqueries, unions, windows, CTEs, NULLs and the types of results.

create table emp (id int primary key, name varchar(20) not null, dept int, salary decimal(10,2), hired date, boss int, bonus double, key (dept), key (name));
insert into emp values (1,'Ann',1,5000.00,'2020-01-15',null,10.5),(2,'Bob',1,4000.50,'2021-03-01',1,null),(3,'Cyd',2,3000.25,'2019-07-30',1,7.25),
 (4,'Dan',2,3000.25,'2022-11-11',3,0),(5,'Eve',3,null,'2023-05-05',3,1e10),(6,'Fay',null,2500.00,null,5,-2.5);
create table dept (id int primary key, dname varchar(20));
insert into dept values (1,'Eng'),(2,'Ops'),(3,'HR'),(4,'Void');
select count(*), count(salary), count(distinct dept), sum(salary), avg(salary), min(salary), max(salary), sum(id), avg(id), sum(bonus), avg(bonus) from emp;
select dept, count(*), sum(salary), avg(salary), max(hired) from emp group by dept order by dept;
select dept, count(*) c from emp group by dept having c > 1 order by c desc, dept;
select dept, sum(salary) as total from emp group by dept having sum(salary) > 3000 order by total;
select dept, name from emp group by dept;
select name, sum(salary) from emp;
select dept, any_value(name) from emp group by dept order by dept;
select d.dname, e.name from dept d left join emp e on e.dept = d.id order by d.id, e.id;
select d.dname, e.name from emp e right join dept d on e.dept = d.id order by d.id, e.id;
select e.name, b.name as boss from emp e join emp b on e.boss = b.id order by e.id;
select * from emp natural join (select 1 as dept) x order by id;
-- differs: another type or flag of the column, the same value
select * from emp join dept using (id) order by id;
select e.name from emp e cross join dept d where d.id = 1 order by e.id limit 2;
select std(salary), stddev_samp(salary), variance(salary), var_samp(salary), bit_and(id), bit_or(id), bit_xor(id) from emp;
select group_concat(name), group_concat(name order by name desc separator '-'), group_concat(distinct dept order by dept) from emp;
select json_arrayagg(id), json_objectagg(name, id) from emp where id < 3;
select sum(distinct salary), count(distinct salary, dept) from emp;
select dept, count(*) from emp group by dept with rollup;
select coalesce(sum(salary), 0), ifnull(sum(id), 0), sum(id)/count(*), sum(id) div 2, sum(id) % 4, sum(if(dept=1,1,0)), sum(case when dept=1 then salary else 0 end) from emp;
-- differs: another type or flag of the column, the same value
select sum(salary*2), sum(salary+id), avg(salary*0.1), round(avg(salary),2), round(sum(salary)/3, 3), max(salary)-min(salary), sum(1), sum('1'), sum(1.5), avg(1), sum(null) from emp;
select sum(id) from emp where id > 100;
select count(*), max(id), avg(id) from emp where 1 = 0;
select name from emp where salary > all (select salary from emp where dept = 2) order by id;
select name from emp where salary >= any (select salary from emp where dept = 1) order by id;
select name from emp e where exists (select 1 from dept d where d.id = e.dept and d.dname = 'Ops') order by id;
select name from emp where dept not in (select id from dept where id < 3) order by id;
select name from emp where dept not in (1, null);
select name, (select dname from dept d where d.id = e.dept) dn from emp e order by id;
select * from (select dept, count(*) c from emp group by dept) t where c = 2 order by dept;
select name from emp where (dept, salary) in (select dept, max(salary) from emp group by dept) order by id;
select 1 union select 2 union all select 2 order by 1 desc;
select 1 as a, 'x' as b union select 2.5, 'yyy' union select null, null;
select id from emp where id < 3 union select id from dept where id > 2 order by id limit 3;
(select id from emp order by id desc limit 1) union all (select id from dept order by id limit 1);
select 1 union select 'a';
select 1 union select 1.0;
-- differs: another type or flag of the column, the same value
select cast(1 as unsigned) union select -1;
select date'2024-01-01' union select '2024-01-02';
select id from emp where id < 4 intersect select id from dept where id > 1 order by id;
select id from emp except select id from dept order by id;
values row(1, 'a'), row(2, 'b');
table dept order by id limit 2;
with c as (select dept, avg(salary) s from emp group by dept) select e.name from emp e join c on e.dept = c.dept where e.salary >= c.s order by e.id;
with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select i, i*i from n;
with recursive t (id, name, lvl) as (select id, name, 0 from emp where boss is null union all select e.id, e.name, lvl + 1 from emp e join t on e.boss = t.id) select * from t order by lvl, id;
select id, row_number() over (order by salary desc, id) rn, rank() over (order by salary) rk, dense_rank() over (order by salary) dr from emp order by id;
select id, sum(salary) over (partition by dept order by id) s, avg(salary) over (partition by dept) a, lag(salary) over (order by id) l, lead(id, 1, 0) over (order by id) ld from emp order by id;
select id, first_value(name) over (partition by dept order by id) f, last_value(name) over (partition by dept order by id) l, ntile(2) over (order by id) n, percent_rank() over (order by salary) p, cume_dist() over (order by salary) c from emp order by id;
select id, sum(id) over w, count(*) over (order by id rows between 1 preceding and 1 following) from emp window w as (order by id) order by id;
select distinct dept from emp order by dept;
select distinct salary, dept from emp order by salary, dept;
select * from emp order by hired is null, hired desc;
select * from emp order by dept desc, name limit 3;
select name from emp order by field(name, 'Dan', 'Bob') desc, id;
select id as x, id + 1 from emp where id = 1;
select id `my col`, 'str', 1+1, now() > 0, @@sql_mode is null, null, true, false from emp where id = 1;
-- differs: another type or flag of the column, the same value
select e.* , d.dname from emp e, dept d where e.dept = d.id and d.dname like 'E%' order by e.id;
-- differs: go-mysql-server gives another value
select case when salary is null then 'none' when salary > 4000 then 'hi' else 'lo' end as c, case dept when 1 then 1 when 2 then 2.5 end as n from emp order by id;
-- differs: go-mysql-server gives another value
select if(dept=1, 1, 'no'), if(dept=1, 1, 2.5), ifnull(dept, 'x'), nullif(dept, 1), coalesce(null, dept, 9) from emp order by id;
select name from emp where name between 'b' and 'd' order by id;
select name from emp where name like '%A%' order by id;
select name from emp where hired > '2021-01-01' and hired < now() order by hired;
select year(hired), month(hired), count(*) from emp group by year(hired), month(hired) order by 1, 2;
select dept + 1 as d1, count(*) from emp group by d1 order by d1;
select count(*) from emp e where e.salary = (select max(salary) from emp);
select max(name), min(name), max(hired), max(bonus) from emp;
-- differs: another type or flag of the column, the same value
select null = null, null <=> null, 1 <=> null, null is null, not null, null and 0, null or 1, 1 xor null;
select 1 = 1, 1 <> 1, 'a' = 'A', 'a' = 'a ', 1 = '1', 1 = '1abc', 0 = 'abc', '10' > '9', 10 > '9', 1 in (1, 2), 1 between 0 and 2, not 0, !1;
select 1 and 1, 1 or 0, 1 xor 1, 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 3, 16 >> 2, -5 >> 1, 5 & '3';
select interval(5, 1, 10), greatest(1, 2.5, '3'), least(3, 2), greatest('a', 'b'), greatest(1, null), greatest(date'2024-01-01', date'2023-01-01'), isnull(null), isnull(1);
-- differs: refused: an earlier statement of this kind is
select 'a' 'b' "c", N'n', _utf8mb4'x', x'41', 0x41, b'1000001', 0x41 + 0, b'11' + 0, 'it''s', "q\"q";
select 1 from dual where 1 = 1;
select 5 limit 0;
select straight_join e.id from emp e join dept d on e.dept = d.id order by e.id;
select sql_no_cache id from emp where id = 1;
select all id from emp where id = 1;
select /*! 1 */, /*!80000 2 */, /*!99999 3, */ 4;
select t.* from (values row(1,2), row(3,4)) as t (a, b);
-- differs: go-mysql-server gives another value
select * from json_table('[{"a":1,"b":"x"},{"a":2}]', '$[*]' columns (rn for ordinality, a int path '$.a', b varchar(10) path '$.b' default '"d"' on empty)) jt;
select l.id, x.m from dept l, lateral (select max(salary) m from emp where dept = l.id) x order by l.id;
explain format=traditional select * from emp where id = 1;
explain format=traditional select * from emp where dept = 1;
explain format=traditional select * from emp where bonus = 1;
-- differs: go-mysql-server gives another value
explain format=traditional select e.name, d.dname from emp e join dept d on e.dept = d.id where d.id = 2;
explain format=traditional select * from emp where id between 2 and 4 order by id;
explain format=traditional update emp set bonus = 1 where id = 1;
explain format=traditional delete from emp where dept = 1;
explain format=traditional insert into dept values (9, 'x');
explain format=traditional select 1;
-- differs: go-mysql-server gives another value
explain format=traditional select dept, count(*) from emp group by dept;
explain format=traditional select * from emp where name in ('Ann', 'Bob') order by bonus;
create table big (a int, b int);
select max(a), sum(b) from big;
select sum(a) from big group by b;
