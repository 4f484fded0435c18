-- integers against fractional numbers, decimals, doubles and texts: indexed, primary key and neither; in joins and subqueries
create table t (pid int primary key, a int, u int unsigned, key a (a), key u (u));
insert into t values (1,1,1),(3,3,3),(4,4,4),(10,10,10),(11,null,null);
select pid from t where pid not in (10, 3.7) order by 1;
select pid from t where pid not in (3.7, 10) order by 1;
select pid from t where pid <> '3.7' order by 1;
select pid from t where pid <> '3' order by 1;
select pid from t where pid = '3.7' order by 1;
select pid from t where pid = '4.0' order by 1;
select pid from t where pid = '1e1' order by 1;
select pid from t where pid = '3x' order by 1;
select pid from t where pid > '3.7' order by 1;
select pid from t where pid >= '3.7' order by 1;
select pid from t where pid < '3.7' order by 1;
select pid from t where pid <= '3.7' order by 1;
select pid from t where pid between '3.2' and '10.9' order by 1;
select pid from t where pid between 3.2 and 10.9 order by 1;
select pid from t where pid in ('3.7', '4') order by 1;
select pid from t where pid not in ('3.7', '4') order by 1;
select a from t where a not in (10, 3.7) order by 1;
select a from t where a <> 3.7 order by 1;
select a from t where a <> 3.7e0 order by 1;
select a from t where a <> '3.7' order by 1;
select a from t where a > 3.7e0 order by 1;
select a from t where a <=> '3.7' order by 1;
select a from t where a <=> 3.7 order by 1;
select u from t where u > -1.5 order by 1;
select u from t where u >= -1 order by 1;
select u from t where u < -0.5 order by 1;
select u from t where u <> '-1' order by 1;
select u from t where u > '-1' order by 1;
select u from t where u in ('-1', 4.0) order by 1;
select u from t where u between '-1' and '3.9' order by 1;
select pid from t where pid = 'nonsense' order by 1;
select pid from t where pid <> 'nonsense' order by 1;
select pid from t where pid > '' order by 1;
select pid from t where pid < 1e30 order by 1;
select pid from t where pid < 1e300 order by 1;
select pid from t where pid > -1e300 order by 1;
select pid from t where pid <> 1e300 order by 1;
select pid from t where pid not in (1e300, 3) order by 1;
create table j (d double, m decimal(6,2), s varchar(10));
insert into j values (3.7, 3.7, '3.7'), (4, 4, '4'), (10.0, 10.00, '1e1'), (-1, -1, '-1');
select pid + 0 p, d from t join j on t.pid = j.d order by pid;
select pid + 0 p, m from t join j on t.pid = j.m order by pid;
select pid + 0 p, s from t join j on t.pid = j.s order by pid;
select u + 0 k, d from t join j on t.u = j.d order by u;
select a + 0 k, d from t join j on t.a = j.d order by a;
select a + 0 k, s from t join j on t.a = j.s order by a;
select pid + 0 p, d from t join j on t.pid > j.d order by pid, d;
select pid + 0 p, m from t join j on t.pid <= j.m order by pid, m;
select pid + 0 p, s from t join j on t.pid <= j.s order by pid, s;
select d from j where d in (select pid from t) order by d;
select pid + 0 p from t where pid in (select d from j) order by pid;
select pid + 0 p from t where pid in (select s from j) order by pid;
select pid from t where pid not in (select m from j) order by pid;
select d, (select pid + 0 from t where pid = j.d) from j order by d;
select s, (select count(*) from t where pid > j.s) from j order by s;

-- numbers without an index
create table f (n int, d decimal(6,2), f float, x double);
insert into f values (1, 1, 1, 1), (3, 3.7, 3.7, 3.7), (4, 4, 4, 4), (null, null, null, null);
select '' + 1, ' ' + 1, 1 > '', 1 > ' ', 'x' + 1, ' 1 ' + 1, 1 > 'x';
-- sorted
select n from f where n > '';
-- sorted
select n from f where n <> '3.7';
-- sorted
select n from f where n not in (10, 3.7);
-- sorted
select n from f where n not in ('10', 3.7, '4.0');
-- sorted
select n from f where n in (4.0, '1e0', null);
-- sorted
select n from f where n between '0.5' and 3.0;
-- sorted
select d from f where d = '3.7';
-- sorted
select d from f where d in ('3.7', 4);
-- sorted
select d from f where d not in (4, 3.7e0);
-- sorted
select d from f where d > '3.7';
-- sorted
select f from f where f = 3.7;
-- sorted
select f from f where f = '3.7';
-- sorted
select x from f where x = '3.7';
-- sorted
select x from f where x in (1, '3.7');
-- sorted
select x from f where x between '2' and '4';
-- sorted
select n from f where (n, d) in ((3, '3.7'), ('4', 5));
-- sorted
select n from f where (n, d) = ('3', 3.7e0);
-- sorted
select n from f where n in (select d from f);
-- sorted
select n from f where n in (select x from f where x is not null);
-- sorted
select d from f where d in (select n from f);
-- sorted
select d from f where d not in (select n from f where n is not null);
-- sorted
select d from f where (d, d) not in (select n, n from f where n is not null);
-- sorted
select d, d in (select n from f), (d, 1) in (select n, 1 from f) from f;
-- sorted
select n, case n when '3.0' then 'a' when 4.2 then 'b' else 'c' end from f;
select a.n, b.d from f a join f b on a.n = b.d order by 1;
select a.n, b.d from f a left join f b on a.n = b.d and a.n = b.n order by 1;
select a.d, b.n from f a left join f b on a.d = b.n and a.n = b.n order by 1;
select a.n, b.x from f a join f b on a.n <= b.x order by 1, 2;
update f set n = 7 where n <> '3.5' and n not in (1, 3.2);
select n from f order by n;
delete from f where n = '3.2' or d > '3.99';
select n from f order by n;
