-- Queries in parentheses, as a statement and within one: as often as one likes.

create table p (a int, b int);
insert into p values (1,10),(2,20),(3,30),(4,40);

(select a from p order by a desc limit 2);
(select a from p);
((select 1));
-- sorted
((select 1)) union (select 2);
-- sorted
(select 1) union ((select 2));
-- sorted
((select 1) union (select 2));
((select 3) union (select 2)) order by 1 limit 1;
(select a from p order by a limit 3) order by a desc limit 1;
(select a from p) order by a desc limit 1;
(select a from p limit 2) limit 1;
(select a from p) limit 1 offset 2;
insert into p (select 5, 50);
insert into p (a,b) (select 6, 60);
insert into p ((select 7, 70));
create table p2 (select a from p);
create table p3 as (select a from p);
create view v1 as (select a from p);
-- sorted
create view v2 as ((select a from p) union (select b from p));
select * from v1;
with x as (select a from p where a = 2) (select a from x);
with x as ((select b from p where a = 2)) select b from x;
select * from (select a from p) y where a in ((select 1));
select (select 1), ((select 2)), exists ((select 1));
select * from ((select a from p limit 1)) q;
-- sorted
select * from ((select a from p where a = 1) union (select b from p where a = 2)) q;
(select a from p where a=1 for update);
(select a into @x from p where a=1);
(select a from p where a=2) into @x;
(values row('a'));
(table p);
(select 1) union all (select 2) union (select 2) order by 1;
-- sorted
(select 1 union select 2) union all select 2;
-- sorted
select 1 union all (select 2 union select 2);
do (select 1);
set @a = (select 1);
prepare s from '(select a from p where a=?)';
set @i=3;
execute s using @i;
select a from p union select b from p order by 1 limit 2;
select a, b from p where (a,b) in ((select 1,10));
select * from p where ((a=1) or (b=20)) and ((select 1)=1);
select ((select max(a) from p)+1) as z, (((select 5)));
select * from (p join p p_2 on p.a=p_2.a) where p.a=1;
select * from ((p));
select * from ((p join p p_2 using (a))) where a=1;
((select a from p order by a limit 1) union all (select a from p order by a desc limit 1)) order by a desc;
(select a from p where a<3 union select 30) order by a;
-- sorted
select count(*) from ((select a from p) union all ((select b from p) union (select 1))) u;
insert into p select * from p where a in ((select 1)) limit 1;
-- sorted
insert into p (a,b) ((select 8,80) union (select 9,90));
update p set b=(((select 99))) where a=9;
delete from p where a=(((select 9)));
create table p4 (c int) (select a as c from p where a=2);
select * from p4;
create view v3 as (select a from p) with check option;
select * from v2 order by a limit 2;
((table p) limit 1);
(select 1 as x) limit 0;
(((((select 7)))));
delimiter //
create procedure pp() begin (select 1); (select b from p order by a limit 2) order by b desc limit 1; end//
delimiter ;
call pp();
(with x as (select a from p) select max(a) from x);
(select 1) + 1;
(1);
select 3 union select 2 order by 1;
(select 3) union (select 2) order by 1 limit 1;
select 'b' union select 'a' order by 1;
select 3 as x, 4 union select 2, 5 order by 2 desc;
select concat('b','') union select 'a' order by 1;
select 1, 1 union select 0, 3 order by 2 desc;
select 3 union all select 2 union all select 7 order by 1 desc;
select count(*), 'x' from p union select 1, 'a' order by 2;
select a, b from p union select 4, 4 order by 2, 1 limit 3;
select -3 union select -5 order by 1;
create view v5 as select a from p where exists (select * from p p_2 where p_2.a = p.a + 1);
select * from v5 order by a;
alter view v5 as (select a from p where a in (select a from p where b = 10));
-- sorted
select * from v5;
create table p5 (a int, check ((a) > 0));
alter table p5 add check ((select 1) = 1);
insert into p5 (a) values ((select min(a) from p));
insert into p5 (a) select a from p where a in ((select 2));
insert into p5 set a = ((select 4));
select a from p5 order by a;
create view v6 as (select a from p order by a limit 2) order by a desc;
select * from v6;
select locate('(select', view_definition) > 0 from information_schema.views where table_name = 'v6' and table_schema = database();
create table p6 as (select a from p order by a limit 2) order by a desc;
select * from p6;
select a from p where a > all ((select 1) union (select 2)) order by a;
(select ')' as `)`, "(");
/* c */ (select 1);
