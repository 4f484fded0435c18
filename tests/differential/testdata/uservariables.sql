-- user variables that expressions assign
create table t (i int, s varchar(9));
insert into t values (3,'c'),(1,'a'),(2,'b');
-- text
select @a := 1;
-- text
select @a := @a + 1, @a;
-- text
select @r := @r + 1 as rn, i from (select i from t order by i) d, (select @r := 0) q;
-- text
select @n := @n + 1 as rn, t.* from t cross join (select @n := 0) q order by s desc;
-- text
select s, @k := if(@g = s, @k + 1, 1) as k, @g := s as g from t join (select @k := 0, @g := '') v order by s;
create table tree (id int primary key, parent int);
insert into tree values (1, 0), (2, 1), (3, 2), (9, 8);
-- text
-- differs: a column of a derived table is not known to be NOT NULL
select id, parent from (select * from tree order by id) d, (select @pv := '1') v where find_in_set(parent, @pv) and length(@pv := concat(@pv, ',', id));
-- text
select (@x := i) * 2, @x from t where (@y := i) > 1;
select @x, @y;
set @n = 0;
-- text
update t set i = (@n := @n + 1) order by s desc;
select * from t order by i;
-- text
select @m := max(i) from t;
select @m;
-- text
select @i := i, @i from t order by i desc;
-- text
select i, @p := if(i > 1, i, 0) p from t having p > 0;
-- text
select @e := 'x', @g := 1.50, @j := x'41', @k := date'2020-01-02', @l := timestamp'2020-01-02 03:04:05.5';
-- differs: a DECIMAL keeps its digits
select @e, @g, @j, @k, @l;
-- text
insert into t values ((@q := 9), concat(@q, 'x'));
-- text
delete from t where (@z := i) = 2;
select * from t order by i;
-- text
select @b := @c := 3, @b, @c;
create view v as select @a := 1;
create view v as select @a;
create view v as select @@sql_mode;
create table made as select @k as k, @g as g;
-- differs: a DECIMAL keeps its digits
select * from made;
-- several locking clauses
select x.i, y.i from t x, t y where x.i = y.i order by 1 for share of x nowait for update of y skip locked;
select i from t for share of t for update of t;
select i from t for update for share;
select i from t x for share of x for update;
select i from t x for share of x for update of nosuch;
create table fromquery engine = innodb select i, s from t;
select * from fromquery order by i;
