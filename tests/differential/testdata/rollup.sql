-- GROUP BY ... WITH ROLLUP and GROUPING()
create table s (y int, c varchar(10), p int);
insert into s values (2000,'fi',1500),(2000,'fi',100),(2000,'in',150),(2001,'fi',10),(2001,'us',50),(null,'us',3),(2001,null,4);
select y, sum(p) from s group by y with rollup;
select y, c, sum(p) from s group by y, c with rollup;
select y, c, sum(p), grouping(y), grouping(c), grouping(y,c) from s group by y, c with rollup;
select if(grouping(y),'all',y) yy, count(*) from s group by y with rollup having grouping(y)=1;
select y, c, sum(p) as sp from s group by y, c with rollup having sp > 100 order by y desc, c;
select y, c, sum(p) as sp from s group by y, c with rollup limit 2;
select coalesce(y,'Total') as t, sum(p) from s group by y with rollup;
select y+1, sum(p) from s group by y+1 with rollup;
select * from (select y, c, sum(p) from s group by y, c with rollup) d order by 1,2,3;
select y, avg(p), count(distinct c), group_concat(p order by p) as ps from s where y is not null group by y with rollup;
select sum(p) from s group by c with rollup;
select y from s where p < 0 group by y with rollup;
select grouping(y) from s group by y;
select upper(c) u, count(*) from s group by c with rollup;
select y as a, c as b, count(*) from s group by a, b with rollup;
select y, c, count(*) from s group by 1, 2 with rollup;
select y, sum(p) from s group by y with rollup order by grouping(y), y desc;
select distinct y from s group by y,c with rollup order by y;
select a.y, b.c, count(*) from s a join s b on a.y=b.y group by a.y, b.c with rollup;
select y, sum(p) from s group by rollup(y);
select year(d) as yr, month(d) as mo, count(*) from (select date '2020-01-02' d union all select '2020-02-03' union all select '2021-02-04') q group by year(d), month(d) with rollup;
select y, count(*) n from s group by y with rollup having y is null or n > 2 order by n, y;
select grouping(c) from s group by y with rollup;
create view vr as select y, sum(p) sp, grouping(y) g from s group by y with rollup;
-- differs: a column of GROUP BY keeps its type where MySQL sorts or derives a BIGINT
select * from vr;
create table made as select y, count(*) n from s group by y with rollup;
select * from made order by n, y;
insert into made select y, count(*) from s group by y with rollup;
-- params: [5]
select y, count(*) n from s where p > ? group by y with rollup;
drop view vr;
