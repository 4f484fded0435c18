call p
call p()
call a.b(1, 2)
call a.b.c()
call p(default)
handler a open
handler a open as b
handler a open b
handler a.b open c
handler a close
handler a.b close
handler a read first
handler a read next where 1 limit 1, 2
handler a read prev
handler a read `x` = (1, 2) where a limit 1
handler a read primary last
handler a read `primary` last
handler a read x <= (default)
handler a read x <> (1)
handler a read x <=> (1)
handler a read x = ()
handler a read first next
handler a read first first
handler a.b read first
insert into t values (1), (2, default), ()
insert t value (1)
insert into t () values ()
insert into t () values (1)
insert into t (a, t.b, d.t.c) values (1, 2, 3) as new (x, y, z) on duplicate key update a = new.x, t.b := default
insert into t set a = 1, b = default as n on duplicate key update a = 1
insert low_priority ignore t values (1)
insert delayed t values (1)
insert high_priority into t values (1)
insert concurrent into t values (1)
insert ignore low_priority into t values (1)
insert into t partition (p0) (a) values (1)
insert into t select 1
insert into t (select 1)
insert into t ((select 1))
insert into t (a) (select 1)
insert into t (a) (select 1) union select 2
insert into t (select 1) union select 2 on duplicate key update a = 1
insert into t () select 1
insert into t select 1 on duplicate key update a = 1
insert into t select 1 as n on duplicate key update a = 1
insert into t select * from u as n on duplicate key update a = 1
insert into t select * from u join v on duplicate key update a = 1
insert into t select * from u join v on 1 on duplicate key update a = 1
insert into t values row(1), row(2)
insert into t values row(1) as n on duplicate key update a = 1
insert into t values row()
insert into t table u
insert into t with a as (select 1) select * from a
insert into t (with a as (select 1) select * from a)
insert into t (a, b) values (1)
insert into t (1) values (1)
insert into t (select) values (1)
insert into t (a
insert into t
insert into
insert t
insert into t values
insert into t values (1) as n (
insert into t values (1) on duplicate key
insert into t values (1) on duplicate key update
insert into t values (1) n
insert into t set
insert into t set a
insert into t set a = 
insert into t set a.b.c = 1
insert into t set a.b.c.d = 1
insert /*+ x */ into t values (1)
insert into a.b values (values(a))
insert into t values (1) returning a
replace into t values (1)
replace t set a = 1
replace low_priority into t select 1
replace delayed into t select 1
replace ignore into t select 1
replace high_priority into t select 1
replace into t values (1) as n
replace into t values (1) on duplicate key update a = 1
replace into t partition (p) (a) values (1)
update t set a = 1
update low_priority ignore t set a = default where b order by c limit 1
update t as x set x.a = 1
update t, u set t.a = 1 where t.b = u.b
update t, u set a = 1 order by b
update t, u set a = 1 limit 1
update t join u on 1 set a = 1 limit 1
update (select 1) x set a = 1
update (select 1) x set a = 1 limit 1
update (t) set a = 1 limit 1
update t set a = 1 limit 1, 2
update t set a = 1 limit 1 offset 2
update t set a := 1
update t set
update t
update t set a = 1 where
update t set a = 1 having 1
update t partition (p) set a = 1
update t use index (a) set a = 1
update ignore low_priority t set a = 1
update t set a = 1, (b) = 2
update (t, u) set a = 1
update t set a.b.c = (select 1)
with x as (select 1) update t set a = 1
with x as (select 1) insert into t values (1)
with x as (select 1) replace into t values (1)
with x as (select 1) delete from t
with x as (select 1) delete t from t
delete from t
delete from t as x where 1 order by a limit 1
delete from t x
delete from t x partition (p)
delete from t partition (p) as x
delete from t partition (p)
delete low_priority quick ignore from t
delete ignore quick from t
delete t from t, u
delete t.*, a.b.* from t join u
delete t, u from t, u where 1 order by 1
delete t from t limit 1
delete from t using t, u
delete from t.*, u using t, u where 1
delete from t, u using t
delete from t.* using t
delete from t.*
delete from t as x using t
delete from t using t order by 1
delete from t limit 1, 2
delete t
delete from
delete
delete * from t
delete from (select 1) x
delete t.a.* from t
delete t.a.b from t
delete quick from t
delete quick from quick
delete quick.* from quick
