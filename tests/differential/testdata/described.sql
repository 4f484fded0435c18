-- How MySQL describes columns that come out of temporary tables: groups, totals, windows, DISTINCT, derived tables, unions.
create table s (y int, c varchar(10), p int, t text, d date, u int unsigned not null default 3, k smallint, b bigint, dc decimal(10,2), f double, dt datetime(3), e enum('a','b'), ch char(5), bl blob, yr year, ti tinyint);
insert into s select 2000,'fi',1500,'tx','2024-01-02',1,2,3,4.5,1.5,'2024-01-01 10:00:00.123','a','abc','bin',2001,1 from (select 1 union all select 2) two;
create table pk (id int auto_increment primary key, n varchar(20) not null, g int, key(g));
insert into pk values (1,'a',1),(2,'a',1);
select (select max(p) from s) from s limit 1;
select c, (select max(x.p) from s x where x.c=s.c) m, (select max(ti) from s x where x.c=s.c) m2, (select max(c) from s x where x.c=s.c) m3, count(*) from s group by c limit 1;
select lag(p) over (order by u) x1, lead(k,1,0) over (order by u) x2, nth_value(p,2) over (order by u) x3, last_value(c) over (order by u) x4, max(p) over (order by u) x5, min(c) over (order by u) x6, sum(p) over (order by u) x7, count(*) over () x8, avg(p) over () x9, p+1, p, concat(c,'x'), row_number() over () r, ntile(2) over (order by u) nt, rank() over (order by u) rk, percent_rank() over (order by u) pr, cume_dist() over (order by u) cd, if(p>1,1,0), year(d), max(d) over() xd, max(f) over () xf, length(c), p>1 from s limit 1;
select distinct first_value(p) over () x from s limit 1;
select distinct p, p+1, c, length(c), year(d), ifnull(p,0), p>1, concat(c,'x') from s limit 1;
select p+1 x, count(*) from s group by x limit 1;
select year(d)*100+month(d) ym, count(*) from s group by ym limit 1;
select year(d), month(d), count(*) from s group by year(d), month(d) limit 1;
select id, n, count(*) from pk group by id limit 1;
select id, n, count(*) from pk group by id, n limit 1;
select id, n, count(*) from pk group by id order by n limit 1;
select g, count(*) from pk group by g limit 1;
select g, count(*) from pk group by g order by count(*) limit 1;
select n, count(*) from pk group by n limit 1;
select p.id, p.n, count(*) from pk p left join s on s.u=p.id group by p.id limit 1;
select p.id, p.n, count(*) from pk p left join s on s.u=p.id group by p.id, p.n order by p.id limit 1;
select p.id, p.n, count(*) from pk p left join s on s.u=p.id group by p.id, p.n limit 1;
select distinct id from pk limit 1;
select distinct g from pk limit 1;
select distinct id, n from pk order by n limit 1;
select id, n from pk order by n limit 1;
with x as (select id, n from pk) select id, n from x limit 1;
with x as (select id, n from pk limit 2) select id, n from x limit 1;
select * from (select id, n, g from pk group by id) x limit 1;
select * from (select id, n, g from pk union select 1,2,3) x limit 1;
-- sorted
select null union select 1;
-- sorted
select 'a' union select 1;
-- sorted
select null as x union select 1;
select null, p from s limit 1;
-- sorted
select 1 union select 2.5;
select p from s union select k from s limit 1;
select c from s union all select t from s limit 1;
select d from s union all select c from s limit 1;
select id from pk union select id from pk limit 1;
-- sorted
select max(p), min(c) from s;
-- sorted
select avg(p), sum(dc), avg(dc), sum(f), count(distinct p), group_concat(c), std(p), bit_or(p) from s;
-- sorted
select coalesce(max(p),0), ifnull(sum(p),0), round(avg(p),2) from s;
-- sorted
select sum(p) from s having sum(p) > 0;
select grouping(c), c, sum(p) from s group by c with rollup limit 1;
select coalesce(c,'x') cc, coalesce(p, 0) cp, sum(p) from s group by c, p with rollup limit 1;
select c from s group by c with rollup order by c limit 1;
select y+1, upper(c), d, sum(p) from s group by y+1, upper(c), d with rollup limit 1;
select 1, 'a', row_number() over () r, p+1 from s limit 1;
select y, max(p) m, count(*) c, p+1 x from s group by y, p with rollup order by 1 limit 1;
select y, max(k) m, max(k)+1 m1, count(*) c from s group by y order by m limit 1;
select y, max(k)+1 m1, if(count(*)>1,1,0) from s group by y limit 1;
select distinct max(k)+1 m from s group by y limit 1;
select max(k)+1, rank() over (order by max(k)) from s group by y limit 1;
select max(k), sum(max(k)) over () from s group by y limit 1;
select x from (select k x from s) d limit 1;
select x from (select k+1 x from s limit 5) d limit 1;
select x from (select p>1 x from s limit 5) d limit 1;
select x from (select p>1 x from s) d limit 1;
select x from (select max(k) x from s) d limit 1;
select x, z from (select max(k) x, count(*) z from s group by y) d limit 1;
select x+1 from (select p>1 x from s limit 5) d limit 1;
-- sorted
with q as (select max(k) x, min(p)+1 y, max(c) c, group_concat(c) g from s) select x,y,c,g from q;
with recursive q as (select 1 n union all select n+1 from q where n<3) select n, n+1 from q limit 1;
select n from (values row(1),row(2)) v(n) limit 1;
-- sorted
select 1 union all select 2;
-- sorted
values row(1,'a'),row(2,'b');
table pk limit 1;
-- sorted
select sum(x) from (select 1 x union select 2) d;
select a.id, x.id from pk a join (select id from pk limit 0) x on x.id=a.id limit 1;
select exists(select 1 from s), p in (select p from s), 1 in (select 2) from s limit 1;
select p is null, p between 1 and 2, p in (1,2), c like 'a%', not p, p<=>1 from s limit 1;
select id from pk group by id having count(*) > 0 order by id limit 1;
select pk.id, pk.n, count(s.u) from pk left join s on s.u = pk.id group by pk.id, pk.n order by pk.id limit 1;
select a.id, count(b.id) from pk a left join pk b on b.g = a.id group by a.id order by a.id limit 1;
select a.id, a.n, count(b.id) from pk a left join pk b on b.g = a.id group by a.id order by a.id limit 1;
select a.id, a.n, count(b.id) from pk a left join pk b on b.g = a.id group by a.id, a.n order by a.id limit 1;
select a.id, count(b.id) from pk a join pk b on b.g = a.id group by a.id order by a.id limit 1;
select g, max(id) from pk group by g order by g limit 1;
select g, count(*) c from pk group by g having c > 0 order by c desc limit 1;
select id, count(*) from pk where n > '' group by id limit 1;
select id, count(*) from pk where g = 1 group by id limit 1;
select g, n, count(*) from pk group by g, n limit 1;
select distinct id from pk order by n limit 1;
select distinct n, g from pk limit 1;
select distinct a.id, a.n from pk a left join pk b on a.id=b.g limit 1;
select f1.id from pk f1 where f1.id in (select g from pk) order by f1.id limit 1;
-- sorted
select max(id), min(id) from pk;
select length(c), char_length(ch), length(ch), length(t), length(e), octet_length(bl) from s order by u limit 1;
-- sorted
select dc unsig, f+1, dc+1, u+1, u-5, b div 2, k/2, -k, -u, abs(k) from s where u=9;
-- sorted
select 1 from s window w as (w2);
select 1 from s window w as (order by nosuch);
-- sorted
select 1 from s window w as (rows between unbounded following and current row);
-- sorted
select p+1, count(*) from s group by p+1 having p+1 > 2;
-- sorted
select p+1, count(*) from s group by p+1 having s.p+1 > 2;
select p+1 x, count(*) from s group by p+1 having x > 2 limit 1;
select p, count(*) from s group by p having p+1 > 2 limit 1;
select c, p from s having p > 1 limit 1;
-- sorted
select p from s group by p having k > 1;
-- sorted
select p as k from s group by p having k > 1;
select group_concat(distinct c), group_concat(distinct p), group_concat(distinct u), group_concat(distinct c order by c desc) from s;
select id, rank() over (order by n) r from pk order by id;
select id, rank() over (order by n) r from pk limit 1;
select id, rank() over (order by n) r from pk order by r limit 1;
select id, rank() over (order by id) r from pk order by id limit 1;
select id, g, rank() over (partition by g order by n) r from pk order by g, id limit 1;
select id, rank() over () r from pk limit 1;
select distinct id, rank() over () r from pk limit 1;
