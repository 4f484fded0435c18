-- ON DUPLICATE KEY UPDATE with subqueries, and with columns of the tables that INSERT ... SELECT reads
create table t (a int primary key, b int, c varchar(20), k int unique);
create table s (a int, b int, d int, n varchar(10));
insert into t values (1, 10, 'x', 100), (2, 20, 'y', 200), (3, 30, 'z', 300);
insert into s values (1, 100, 5, 'p'), (2, 200, 6, 'q'), (4, 400, 7, 'r');

-- behind VALUES
insert into t (a, b) values (1, 5) on duplicate key update b = (select max(b) from s);
-- differs: no deprecation warning
insert into t (a, b) values (1, 5), (2, 6) on duplicate key update b = (select s.b from s where s.a = t.a) + values(b);
select * from t;
insert into t (a, b, c) values (1, 5, 'q'), (2, 6, 'w') as new on duplicate key update b = (select s.d + new.b from s where s.a = new.a), c = new.c;
select * from t;
insert into t (a, b, c) values (1, 5, 'q'), (2, 6, 'w') as new (x, y, z) on duplicate key update b = (select s.d + y from s where s.a = x), c = concat(c, z);
select * from t;
-- differs: no deprecation warning
insert into t (a, b) values (1, 5) on duplicate key update b = (select s.d + values(b) from s where s.a = 1);
select * from t;
insert into t (a) values (1) on duplicate key update b = exists (select 1 from s where s.a = t.a), c = t.a in (select a from s);
insert into t (a) values (3) on duplicate key update b = exists (select 1 from s where s.a = t.a), c = t.a in (select a from s);
insert into t (a) values (2) on duplicate key update b = (select a from s where a = 77);
select * from t;
insert into t (a, k) values (9, 200) on duplicate key update c = (select group_concat(n order by n) from s where s.a <= k), a = (select max(a) from s) + 10;
insert into t (a) values (1) on duplicate key update c = (select n from s where a = t.a) like 'P%';
insert into t set a = 1 on duplicate key update k = case when (select count(*) from s) = 3 then t.a + 5 else 0 end;
select * from t;
insert into t (a) values (1) on duplicate key update b = (select a from s);
insert into t (a) values (50) on duplicate key update b = (select a from s);
insert into t (a) values (1) on duplicate key update b = (select nope from s);
insert into t (a) values (1) on duplicate key update b = (select max(a) from t);
prepare p from 'insert into t (a, b) values (?, ?) on duplicate key update b = (select max(b) from s where a <= ?) + t.a';
set @a = 1, @b = 2, @c = 2;
execute p using @a, @b, @c;
select * from t where a = 1;
set @c = 1;
execute p using @a, @b, @c;
select * from t where a = 1;

-- behind SELECT
delete from t where a > 3;
insert into t (a, b) select a, b from s on duplicate key update b = t.b + s.d;
insert into t (a, b) select a, b from s on duplicate key update b = d, c = n;
select * from t;
insert into t (a, b) select a, b from s on duplicate key update b = (select max(b) from s), c = concat(s.n, s.n);
select * from t;
insert into t (a, b) select a, b from s on duplicate key update t.b = (select count(*) from s x where x.a <= s.a) + s.d;
select * from t;
insert into t (a, b) select a, b from s q order by a desc limit 2 on duplicate key update b = q.d + (select max(d) from s where s.a = q.a);
select * from t;
insert into t (a, b) select s.a, s.b from s join s s2 on s.a = s2.a on duplicate key update t.b = s2.d + s.b, c = s2.n;
select * from t;
insert into t (a, b) select a, b from (select a, b, d from s) dt on duplicate key update t.b = dt.b + dt.d;
select * from t;
insert into t (a, b) with w as (select a, d from s) select a, d from w on duplicate key update b = w.d + 3;
select * from t;
insert into t (a, b) select s.a, s.b from s, t t2 where s.a = t2.a on duplicate key update b = t2.b + 1;
select * from t;
insert into t (a, b) select a, b from s on duplicate key update b = s.nope;
insert into t (a, b) select a, sum(b) from s group by a on duplicate key update b = s.d;
prepare p from 'insert into t (a, b) select a, b from s where a < ? on duplicate key update c = s.n, k = ?';
set @a = 2, @b = 77;
execute p using @a, @b;
set @b = 78;
execute p using @a, @b;
select * from t;
create trigger tr before insert on t for each row set new.c = concat(coalesce(new.c, ''), '!');
insert into t (a, b, c) select a, b, n from s on duplicate key update c = concat(s.d, (select count(*) from s x where x.a < t.a));
select * from t;
drop trigger tr;
create procedure up(in i int) begin insert into t (a, b) select a, b from s where a = i on duplicate key update c = concat(s.n, s.d); insert into t (a) values (i) on duplicate key update k = (select count(*) from s where s.a >= i); end;
call up(1);
call up(1);
select * from t;
