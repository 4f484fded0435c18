-- Statements and expressions of programs in loops: the first round is planned, later ones run what was compiled of it.
create table t(id int primary key auto_increment, a int, b varchar(20), d decimal(10,3), f double, at datetime, day date, e enum('x','y'), unique key(b));
create table log(n int primary key auto_increment, what varchar(60));
delimiter //
create procedure fill(n int) begin declare i int default 0; while i < n do insert into t(a, b, d, f, at, day, e) values(i * 2, concat('v', i), i / 3, sqrt(i), date_add('2024-01-31', interval i day), '2024-02-28' + interval i day, if(i % 2, 'x', 'y')); set i = i + 1; end while; select last_insert_id(), row_count(); end//
call fill(6)//
select * from t order by id//
create procedure reads(n int) begin declare i int default 1; declare a, k int; declare s varchar(20); declare d decimal(10,3); declare f double; declare m datetime; declare y date; declare en varchar(5);
 while i <= n do select t.a, b, t.d, t.f, at, day, e into a, s, d, f, m, y, en from t where id = i; set k = row_count(); select i, a, s, d, round(f, 6) as f, m, y, en, k, found_rows(); set i = i + 1; end while; end//
call reads(4)//
create procedure missing() begin declare i int default 5; declare v int default -1; declare none int default 0; declare continue handler for not found set none = none + 1; while i < 10 do select a into v from t where id = i; set i = i + 1; end while; select v, none; end//
call missing()//
create procedure many() begin declare i int default 0; declare v int; declare told int default 0; declare continue handler for 1172 set told = told + 1; while i < 3 do select a into v from t where id > i; set i = i + 1; end while; select v, told; end//
call many()//
create procedure changes() begin declare i int default 0; while i < 4 do update t set a = a + i, f = f * 2 where id = i; select row_count(); set i = i + 1; end while; delete from t where id = i; select row_count(); end//
call changes()//
select id, a, round(f, 6) as f from t order by id//
create procedure twice() begin declare i int default 0; declare dup int default 0; declare text varchar(100); declare continue handler for 1062 begin get diagnostics condition 1 text = message_text; set dup = dup + 1; end; while i < 4 do insert into t(a, b) values(i, 'v1'); insert into t(a, b) values(i, concat('new', i % 3)); set i = i + 1; end while; select dup, text; select count(*), max(a) from t; end//
call twice()//
create procedure upsert() begin declare i int default 0; while i < 3 do insert into t(a, b) values(i, 'v1') on duplicate key update a = a + 100 + i; select row_count(); replace into t(a, b) values(i, 'v2'); select row_count(); set i = i + 1; end while; select a, b from t where b in ('v1', 'v2') order by b; end//
call upsert()//
create procedure walk(low int) begin declare v, s int default 0; declare w varchar(20); declare done bool default false; declare i int default 0; declare c cursor for select a, b from t where a >= low order by b limit 3; declare continue handler for not found set done = true; while i < 3 do set done = false, low = i; open c; l: loop fetch c into v, w; if done then leave l; end if; set s = s + v; end loop; close c; set i = i + 1; end while; select s, w; end//
call walk(0)//
create procedure types() begin declare i int default 0; declare x tinyint; declare u int unsigned; declare b bigint; declare c char(3); declare told int default 0; declare last int; declare continue handler for sqlexception begin get diagnostics condition 1 last = mysql_errno; set told = told + 1; end;
 while i < 5 do set x = i * 40; set u = 2 - i; set b = 9223372036854775805 + i; set c = repeat('z', i + 1); set i = i + 1; end while; select x, u, b, c, told, last; end//
call types()//
create procedure nulls() begin declare i int default 0; declare a, b int; while i < 3 do set a = if(i = 1, null, i); set b = ifnull(a, -1) + (a is null) * 10; select a, b, a + 1, a = 1, a <=> null, a and 0, a or 1; if a then select 'true'; elseif a is null then select 'null'; else select 'false'; end if; case a when 0 then select 'zero'; when null then select 'never'; else select 'else'; end case; set i = i + 1; end while; end//
call nulls()//
create procedure kinds() begin declare i int default 0; while i < 3 do set @k = case i when 0 then 5 when 1 then 'text' else 2.5 end; select @k, @k + 1, concat(@k, '!'); set @m = @k; set i = i + 1; end while; end//
call kinds()//
create procedure divides() begin declare i int default 2; declare q decimal(10,4); declare z int; declare told int default 0; declare continue handler for 1365 set told = told + 1; while i >= 0 do set q = 7 / i; set z = 7 div i; set i = i - 1; end while; select q, z, told; end//
call divides()//
set sql_mode = ''//
create procedure loose() begin declare i int default 0; declare x tinyint; while i < 3 do set x = i * 100; select x; set i = i + 1; end while; end//
call loose()//
set sql_mode = default//
call loose()//
create procedure modes() begin declare i int default 0; while i < 4 do if i = 2 then set sql_mode = 'PIPES_AS_CONCAT'; end if; insert into log(what) values(concat('mode ', i, @@sql_mode = 'PIPES_AS_CONCAT')); set i = i + 1; end while; end//
call modes()//
set sql_mode = default//
select what from log order by n//
create procedure down(n int) begin declare v int; if n > 0 then select a into v from t where b = concat('new', n % 3); insert into log(what) values(concat('down ', n, ' ', ifnull(v, 'none'))); call down(n - 1); select count(*) into v from log; insert into log(what) values(concat('up ', n, ' ', v)); end if; end//
set max_sp_recursion_depth = 10//
call down(3)//
select what from log where what like '%n %' or what like 'up%' order by n//
create function noted(x int) returns int deterministic begin insert into log(what) values(concat('noted ', x)); if x = 3 then signal sqlstate '45000' set message_text = 'three'; end if; return x + 1; end//
delete from log//
select noted(a) from (select 1 as a union all select 2) as s//
select noted(a) from (select 1 as a union all select 2 union all select 3) as s//
select what from log order by n//
update t set a = noted(id) where id < 3//
select what from log order by n//
create function tries(x int) returns int deterministic begin declare n int default 0; declare continue handler for 1062 set n = n + 1; insert into log(n, what) values(1000, 'first'); insert into log(n, what) values(1000, 'second'); insert into log(n, what) values(1000 + x, 'third'); return n; end//
select tries(a) from (select 1 as a union all select 2) as s//
select n, what from log where n >= 1000 order by n//
create function own() returns int deterministic begin update t set a = 1 where id = 1; return 1; end//
select own() from t limit 1//
update t set a = own() + own() where id = 1//
do own()//
create trigger logs after update on t for each row begin declare i int default 0; while i < 2 do insert into log(what) values(concat('t', new.id, ' ', old.a, ' ', new.a, ' ', i)); set i = i + 1; end while; if new.a > 1000 then signal sqlstate '45000' set message_text = 'too much'; end if; end//
delete from log//
update t set a = id * 10 where id < 4//
update t set a = a * 50 where id < 4//
select what from log order by n//
select id, a from t where id < 4 order by id//
create procedure tx() begin declare i int default 0; while i < 4 do start transaction; update t set d = i where id = 1; insert into log(what) values(concat('tx', i)); if i % 2 then rollback; else commit; end if; set i = i + 1; end while; end//
call tx()//
select what from log where what like 'tx%' order by n//
select d from t where id = 1//
create procedure hides() begin declare id int default 2; declare i int default 0; while i < 3 do select a from t where t.id = id order by 1 limit 1; set id = id + 1, i = i + 1; end while; end//
call hides()//
create procedure limits(n int) begin declare i int default 0; while i < n do select id from t order by id limit i; select id from t order by id limit i, 1; set i = i + 1; end while; end//
call limits(3)//
create procedure grows() begin declare i int default 0; while i < 4 do select count(*), max(a) from t where id <= i; select * from log where n = i; if i = 1 then alter table log add column more int default 7; end if; set i = i + 1; end while; end//
call grows()//
create procedure labels() begin declare i, s int default 0; outerl: loop set i = i + 1; if i > 10 then leave outerl; end if; if i % 2 then iterate outerl; end if; begin declare j int default 0; repeat set j = j + 1; if j = 3 then iterate outerl; end if; set s = s + i * j; until j >= 4 end repeat; end; end loop; select i, s; end//
call labels()//
create procedure words(w varchar(10)) begin declare i int default 0; while i < 3 do case w when 'A' then select 'a'; when 'b' then select 'B'; else select 'other'; end case; set w = elt(i + 1, 'a', 'B', 'c'); set i = i + 1; end while; end//
call words('a')//
