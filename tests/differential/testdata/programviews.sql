-- Stored programs that change views, and EXPLAIN ... INTO.
create table t (a int primary key, b int, c varchar(10));
create view v as select a as x, b as y from t where b < 100 with check option;
create view w as select a, a + b as s from t;
create view j as select t.a, u.b from t join t as u;
create table log (m varchar(50));
delimiter //
create procedure fill(n int)
begin
  declare a int default 0;
  declare b int default 5;
  while a < n do
    insert into v values (a, b);
    update v set y = y + a where x = a;
    set a = a + 1, b = b + 10;
  end while;
  delete from v where x = 1;
end//
create procedure twice(y int) begin insert into v (x, y) values (50, y) on duplicate key update y = v.y + 1; end//
create procedure beyond() insert into v values (90, 100)//
create procedure caught() begin
  declare continue handler for 1369 insert into log values ('refused');
  update v set y = 200;
end//
create procedure computed() insert into w values (1, 2)//
create procedure narrow() update w set s = 1//
create procedure part() update w set a = a + 100 where s > 20//
create procedure joined() delete from j//
create function f(n int) returns int deterministic begin insert into v values (n, 7); return n; end//
create trigger tr after insert on log for each row delete from v where x = 2//
create procedure told() explain format=json into @p select * from t where a = 1//
delimiter ;
call fill(4);
select * from t order by a;
call twice(3);
call twice(4);
call beyond();
call caught();
select * from log;
-- sorted
select * from t;
-- differs: refused by what the view is, not by its column
call computed();
call narrow();
call part();
-- sorted
select * from t;
call joined();
-- text
select f(77);
-- sorted
select x + 0, y + 0 from v;
drop view v;
create view v as select a as x, b as y from t where a > 1000;
call fill(1);
select count(*) from v;
-- sorted
select * from t;
explain format=json into @e select * from t;
select json_valid(@e), json_type(@e), length(@e) > 10;
explain into @e select * from t;
explain format=tree into @e select * from t;
explain format=traditional into @e select * from t;
explain analyze format=json into @e select 1;
explain format=json into @e update t set b = 1;
select json_valid(@e);
explain format=json into @e select * from nosuch;
explain format=json into @e for connection 1;
call told();
select json_valid(@p);
