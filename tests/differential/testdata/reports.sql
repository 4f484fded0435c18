-- Queries of reports: common table expressions, windows, correlated subqueries, sets, lateral tables.
create table sale (id int primary key, region varchar(10), rep int, day date, amount decimal(10,2), qty int, note varchar(20), key (region, day));
insert into sale values (1,'North',1,'2024-01-01',100.00,1,'a'),(2,'North',1,'2024-01-15',150.50,2,null),(3,'South',2,'2024-01-20',200.00,null,'b'),(4,'South',3,'2024-02-01',50.25,5,'B'),
 (5,'North',2,'2024-02-10',300.00,3,'c'),(6,'East',4,'2024-02-28',null,7,'d'),(7,'East',4,'2024-03-01',75.75,1,null),(8,null,null,'2024-03-15',10.00,1,'e'),(9,'South',2,'2024-03-31',200.00,2,'f'),(10,'North',5,null,20.00,9,'g');
create table rep (id int primary key, name varchar(20) not null, boss int, target decimal(10,2));
insert into rep values (1,'Ann',null,200),(2,'Bob',1,400),(3,'Cyd',1,60),(4,'Dee',2,null),(6,'Eva',4,10);
with m as (select region, date_format(day, '%Y-%m') mon, sum(amount) s from sale where day is not null group by region, mon) select m.*, s - lag(s) over (partition by region order by mon) as diff from m order by region, mon;
with a as (select region, sum(amount) total from sale group by region), b as (select avg(total) av from a) select a.region, a.total, a.total > b.av as above, round(a.total / (select sum(total) from a) * 100, 1) pct from a, b order by a.total desc;
with recursive tree (id, name, path, depth) as (select id, name, cast(name as char(200)), 0 from rep where boss is null union all select r.id, r.name, concat(t.path, '>', r.name), t.depth + 1 from rep r join tree t on r.boss = t.id) select * from tree order by path;
-- differs: go-mysql-server gives another value
with recursive d as (select cast('2024-01-01' as date) as dt union all select dt + interval 1 month from d where dt < '2024-05-01') select d.dt, coalesce(sum(s.amount), 0) total, count(s.id) n from d left join sale s on s.day >= d.dt and s.day < d.dt + interval 1 month group by d.dt order by d.dt;
with recursive f (n, a, b) as (select 1, 0, 1 union all select n + 1, b, a + b from f where n < 10) select n, a from f;
select id, amount, sum(amount) over (order by id rows between unbounded preceding and current row) run, avg(amount) over (order by id rows between 2 preceding and current row) ma3, count(amount) over () c, max(qty) over (partition by region) mq from sale order by id;
select id, region, row_number() over w rn, rank() over w rk, dense_rank() over w dr, percent_rank() over w pr, ntile(3) over w nt from sale window w as (partition by region order by amount desc) order by region, rn;
select id, first_value(note) over (partition by region order by id) fv, last_value(note) over (partition by region order by id rows between current row and unbounded following) lv, nth_value(note, 2) over (partition by region order by id rows between unbounded preceding and unbounded following) nv, lead(amount, 2, -1) over (order by id) l2 from sale order by id;
select day, sum(amount) over (order by day range between interval 31 day preceding and current row) r31 from sale where day is not null order by day;
select id, qty, sum(qty) over (order by qty range between 1 preceding and 1 following) rs from sale where qty is not null order by qty, id;
select id, sum(amount) over (partition by region order by day) s, sum(sum(amount)) over () t from sale group by id, region, day, amount order by id;
select region, sum(amount) s, rank() over (order by sum(amount) desc) r, sum(sum(amount)) over (order by sum(amount) desc) cum from sale group by region order by r, region;
select * from (select s.*, row_number() over (partition by region order by amount desc, id) rn from sale s) t where rn = 1 order by region;
select region, max(case when rn = 1 then amount end) top1, max(case when rn = 2 then amount end) top2 from (select region, amount, row_number() over (partition by region order by amount desc) rn from sale) x group by region order by region;
-- differs: another type or flag of the column, the same value
select r.name, (select count(*) from sale s where s.rep = r.id) n, (select s.amount from sale s where s.rep = r.id order by s.amount desc limit 1) best, (select group_concat(s.id order by s.id desc separator ';') from sale s where s.rep = r.id) ids from rep r order by r.id;
select r.name from rep r where r.id not in (select rep from sale) order by 1;
select r.name from rep r where r.id not in (select rep from sale where rep is not null) order by 1;
select r.name from rep r where not exists (select 1 from sale s where s.rep = r.id) order by 1;
select s.id, s.rep in (select id from rep) i, s.rep not in (select id from rep) ni, s.rep in (select boss from rep) b, s.rep not in (select boss from rep) nb from sale s order by s.id;
select id from sale where amount > all (select target from rep) order by id;
select id from sale where amount > all (select target from rep where target is not null) order by id;
select id from sale where amount = any (select target from rep) or amount < some (select target from rep where id = 3) order by id;
select id from sale s where amount > (select avg(amount) from sale t where t.region = s.region) order by id;
select id from sale s where amount = (select max(amount) from sale t where t.region <=> s.region) order by id;
select id from sale where (region, amount) in (select region, max(amount) from sale group by region) order by id;
select id from sale where (region, qty) not in (select region, max(qty) from sale where region = 'North' group by region) order by id;
select a.id, b.id from sale a join sale b on a.region = b.region and a.id < b.id and a.amount = b.amount;
select s.id, r.name, b.name boss from sale s left join rep r on r.id = s.rep left join rep b on b.id = r.boss order by s.id;
-- differs: another type or flag of the column, the same value
select r.name, s.id from sale s right join rep r on r.id = s.rep and s.amount > 100 order by r.id, s.id;
-- differs: another type or flag of the column, the same value
select r.id, s.id from rep r left join (sale s join rep q on q.id = s.rep) on r.id = s.rep order by r.id, s.id;
select count(*) from rep r left join sale s on r.id = s.rep where s.id is null or s.amount is null;
select r.name, x.day, x.amount from rep r, lateral (select day, amount from sale s where s.rep = r.id order by amount desc limit 1) x order by r.id;
select r.name, x.* from rep r left join lateral (select count(*) c, sum(amount) t from sale s where s.rep = r.id having c > 1) x on true order by r.id;
select region, count(*), count(distinct rep), sum(distinct amount), avg(qty), std(qty), group_concat(distinct note order by note desc separator '/') from sale group by region order by region;
select region, group_concat(concat(id, ':', ifnull(note, '-')) order by amount desc, id separator ' ') g from sale group by region having count(*) > 1 order by region desc;
select ifnull(region, 'all') r, count(*), sum(amount) from sale where region is not null group by region with rollup;
select region, year(day) y, sum(amount), grouping(region) g1, grouping(year(day)) g2 from sale where region is not null group by region, year(day) with rollup order by g1, region, g2, y;
-- differs: another type or flag of the column, the same value
select region, quarter(day) q, sum(amount) t from sale group by region, q having t > 100 order by t desc, region;
select dayname(day) dn, count(*) from sale where day is not null group by dn order by count(*) desc, dn;
select week(day, 3) w, yearweek(day, 1) yw, sum(qty) from sale where day is not null group by w, yw order by yw;
select distinct region, rep from sale order by region desc, rep limit 4;
select id, amount from sale union select id, target from rep order by id, amount;
select 'sale' k, count(*) c from sale union all select 'rep', count(*) from rep union all select 'sum', sum(qty) from sale order by k;
(select id from sale order by amount desc limit 2) union (select id from rep order by id desc limit 2) order by id;
select rep from sale where region = 'North' intersect select id from rep order by 1;
select rep from sale except select id from rep order by 1;
select rep from sale except all select id from rep order by 1;
select region from sale union all select name from rep order by 1 limit 3 offset 2;
(select 1 a union select 2) except (select 2) union select 5 order by a desc;
select t.a, t.b from (select 1 a, 'x' b union all select 2, 'yy' union all select null, null) t where t.b is null or t.a > 1 order by a;
select q, count(*) from (select case when amount is null then 'none' when amount < 100 then 'small' when amount < 200 then 'mid' else 'big' end q from sale) t group by q order by field(q, 'none', 'small', 'mid', 'big');
select region, sum(amount > 100) big, sum(if(qty > 1, amount, 0)) multi, count(if(note is null, 1, null)) nonotes, avg(case when qty > 1 then amount end) av from sale group by region order by region is null, region;
select s.region, count(*) from sale s group by s.region having count(*) = (select max(c) from (select count(*) c from sale group by region) x) order by 1;
select region, amount from sale where amount in (select min(amount) from sale group by region) order by amount;
select r.name, coalesce(sum(s.amount), 0) got, r.target, coalesce(sum(s.amount), 0) >= r.target ok, round(coalesce(sum(s.amount), 0) / r.target, 2) ratio from rep r left join sale s on s.rep = r.id group by r.id, r.name, r.target order by r.id;
select count(*), count(amount), count(*) - count(amount) missing, sum(amount) / count(*) a1, avg(amount) a2 from sale;
select min(day), max(day), datediff(max(day), min(day)) span, date_add(min(day), interval count(*) day) x from sale;
-- differs: another type or flag of the column, the same value
select * from sale s where exists (select * from rep r where r.id = s.rep and exists (select * from rep b where b.id = r.boss and b.name = 'Ann')) order by s.id;
-- differs: another type or flag of the column, the same value
select id, (select name from rep where id = s.rep) n from sale s order by n is null, n, id desc limit 5;
select s.id from sale s join (select region, avg(amount) av from sale group by region) g on g.region = s.region and s.amount >= g.av order by s.id;
with x as (select id, amount from sale), y as (select * from x where amount > 100) select (select count(*) from x) a, (select count(*) from y) b, (select max(amount) from y) c;
with x as (select 1 a) select * from x union all select a + 1 from x;
with t as (select region, amount, ntile(2) over (order by amount) h from sale where amount is not null) select h, min(amount), max(amount), count(*) from t group by h order by h;
select id from sale order by region is null, region, amount desc, id limit 100 offset 3;
select sum(amount) total, sum(amount) / nullif(sum(qty), 0) per, sum(qty) / 0 z, avg(amount) * 1.0 from sale where region = 'North';
select bit_or(id), bit_and(id), group_concat(distinct region), var_pop(amount), stddev_samp(qty) from sale;
select any_value(note), region from sale where id in (1, 5) group by region;
select json_objectagg(r.id, r.name) from rep r where r.id < 3;
select region, json_arrayagg(id) from sale where region = 'East' group by region;
select r1.name, r2.name from rep r1 cross join rep r2 where r1.id < r2.id and r1.boss <=> r2.boss order by 1, 2;
select s.id, s.amount - avg(s.amount) over (partition by s.region) dev, s.amount / sum(s.amount) over () share from sale s where s.amount is not null order by s.id;
select id, lag(day) over (order by day, id) p, datediff(day, lag(day) over (order by day, id)) gap from sale where day is not null order by day, id;
select grp, min(id), max(id), count(*) from (select id, id - row_number() over (partition by region order by id) grp, region from sale where region = 'North') t group by grp order by 2;
select distinct first_value(id) over (partition by region order by amount desc) f from sale where region is not null order by f;
select region, count(*) c from sale group by 1 order by 2 desc, 1 limit 2;
select upper(region) r, lower(note) n, concat_ws('-', region, note, qty) w from sale where coalesce(note, '') <> '' order by w;
select case region when 'North' then 'N' when 'South' then 'S' else '?' end c, count(*) from sale group by c order by c;
select * from (values row(1,'a'), row(2,'b')) v (n, s) join rep r on r.id = v.n order by n;
select t.id from sale t where t.day = (select max(day) from sale where day < (select max(day) from sale));
select id from sale where not (region = 'North' or amount > 100) order by id;
select id from sale where not (region <=> 'North') and (qty > 1) is not true order by id;
select id, amount between 50 and 200 b, qty in (1, null) i, note like '_' l, region is null n, (amount > 100) + (qty > 1) p from sale order by id;
