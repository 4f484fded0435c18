-- * of a RIGHT JOIN: the columns of the tables in the order in which they are named, but for joins by names.
create table l (a int, c int);
create table r (a int, b int);
insert into l values (1, 1);
insert into r values (1, 1), (3, 3);
select * from l right join r on l.a = r.a order by 4;
select l.*, r.* from l right join r on l.a = r.a order by 4;
select * from l right join r on l.a = r.a where rand() < 2 order by 4;
select * from l right join r using (a) order by 1;
select * from l natural right join r order by 1;
select * from l x right join r y on x.a = y.a right join r z on y.a = z.a order by 6;
select * from (l x, r w) right join r y on x.a = y.a order by 6, 4;
select * from l x left join r y on x.a = y.a right join r z on y.a = z.a order by 6;
select * from (select * from (select a q from l) x right join (select b from r) y on x.q = y.b) z order by 2;
create view v as select * from l right join (select b from r) y on l.a = y.b;
select * from v order by 3;
create table t select * from (select a q from l) x right join (select b from r) y on x.q = y.b;
show create table t;
select * from l right join r on l.a = r.a order by 4 for update;
