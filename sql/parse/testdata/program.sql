create procedure p() select 1
create procedure d.p(in a int, out b varchar(10), inout c decimal(5,2), d int) begin end
create definer=u@h procedure if not exists p() begin end
create procedure p() comment 'x' language sql not deterministic contains sql sql security invoker begin end
create procedure p() no sql reads sql data modifies sql data deterministic sql security definer begin end
create procedure p() language java begin end
create procedure p() foo begin end
create procedure p begin end
create procedure p(a) begin end
create procedure p(a int default 1) begin end
create procedure p(in a int, in a int) begin end
create procedure p(a int collate utf8mb4_bin, b enum('x') charset utf8mb4) begin end
create procedure p() begin select 1; end
create procedure p() begin select 1 end
create procedure p() begin ; end
create procedure p() begin select 1;; end
create procedure p() select 1; select 2
create procedure p() begin declare a int; declare b, c int default 5; end
create procedure p() begin declare a int default 1+1; select a; end
create procedure p() begin select 1; declare a int; end
create procedure p() begin declare c condition for sqlstate '23000'; declare d condition for 1146; end
create procedure p() begin declare c condition for sqlstate value '23000'; declare continue handler for c begin end; end
create procedure p() begin declare exit handler for sqlexception, sqlwarning, not found, 1146, sqlstate '23000' set @a = 1; end
create procedure p() begin declare undo handler for sqlexception begin end; end
create procedure p() begin declare c cursor for select 1; open c; fetch c into a; fetch next from c into a, b; fetch from c into a; close c; end
create procedure p() begin declare a int; declare c cursor for select 1; open c; fetch c into a; close c; end
create procedure p() begin declare a int; declare c cursor for select 1; fetch next from c into a, a; fetch from c into a; end
create procedure p() begin declare c cursor for select 1; declare a int; end
create procedure p() begin declare continue handler for 1146 begin end; declare c cursor for select 1; end
create procedure p() begin declare c cursor for table t; end
create procedure p() begin declare c cursor for with q as (select 1) select * from q; end
create procedure p() begin declare c cursor for select 1 into @a; end
create procedure p() if 1 then select 1; end if
create procedure p() if 1 then select 1; elseif 2 then select 2; select 3; else select 4; end if
create procedure p() if 1 then end if
create procedure p() if 1 then select 1; else end if
create procedure p() if 1 select 1; end if
create procedure p() case a when 1 then select 1; when 2 then select 2; else select 3; end case
create procedure p() case when 1 then select 1; end case
create procedure p() case a when 1 then select 1; end
create procedure p() case a else select 1; end case
create procedure p() loop select 1; end loop
create procedure p() l: loop leave l; end loop l
create procedure p() l: loop iterate l; end loop
create procedure p() l: loop leave m; end loop
create procedure p() l: loop leave l; end loop m
create procedure p() begin iterate l; end
create procedure p() l: begin iterate l; end
create procedure p() l: begin leave l; end l
create procedure p() l: begin l: begin end; end
create procedure p() l: repeat select 1; until 1 end repeat l
create procedure p() repeat select 1; until 1; end repeat
create procedure p() l: while 1 do select 1; end while l
create procedure p() while 1 do end while
create procedure p() l: select 1
create procedure p() begin not atomic end
create procedure p() begin return 1; end
create procedure p() return 1
create function f() returns int deterministic return 1
create function f(a int, b char(5) charset utf8mb4) returns varchar(10) charset utf8mb4 deterministic begin return a; end
create function f(in a int) returns int return 1
create function f() return 1
create function f() returns int begin declare a int; set a = 1; return a; end
create function f() returns int begin end
create function f() returns int select 1
create function f() returns int begin select 1; return 1; end
create aggregate function f() returns int return 1
create function if not exists d.f() returns int reads sql data return (select 1)
create function f() returns int return null
create function f() returns int language javascript as $$ return 1 $$
create function f() returns int deterministic language javascript as 'return 1'
create function f() returns int language javascript using (l as x, d.m) as $a$ return 1 $a$
create function f() returns int language javascript using () as 'x'
create procedure p() language javascript as 'x'
create procedure p() language sql as 'x'
create procedure p() language javascript begin end
create function f() returns int language javascript return 1
create trigger t before insert on u for each row set new.a = 1
create definer=u@h trigger if not exists d.t after update on d.u for each row follows v begin set new.a = old.b; end
create trigger t before delete on u for each row precedes d.v begin end
create trigger t before insert on u set new.a = 1
create trigger t insert on u for each row begin end
create trigger t before replace on u for each row begin end
create trigger t before insert, update on u for each row begin end
create trigger t before insert or update on u for each row begin end
create trigger t before insert on u for each row set @a = new.a, new.b = 2, new.c = default
create trigger t after insert on u for each row insert into v values (new.a)
create or replace trigger t before insert on u for each row begin end
drop trigger d.t
drop trigger if exists t
drop trigger t, u
create event e on schedule every 1 day do select 1
create event e on schedule every '1:30' hour_minute starts now() ends now() + interval 1 month do select 1
create event e on schedule every 1+1 second starts '2000-01-01' do begin end
create event e on schedule at now() + interval 1 hour on completion preserve disable comment 'x' do delete from t
create event e on schedule at '2000-01-01' on completion not preserve enable do begin end
create definer=u@h event if not exists d.e on schedule every 1 week disable on replica do begin end
create event e on schedule every 1 week disable on slave do begin end
create event e on schedule every 1 microsecond do begin end
create event e on schedule every 1 do begin end
create event e on schedule at now() ends now() do begin end
create event e do begin end
create event e on schedule every 1 day comment 'x' enable do begin end
create event e on schedule every 1 day
create event e on schedule every 1 day do
create event e on schedule every 1 day on completion preserve on completion preserve do begin end
alter event e on schedule every 1 day
alter event e rename to d.f
alter definer=u@h event d.e on schedule every 1 day on completion preserve rename to f enable comment 'x' do begin end
alter event e enable
alter event e disable on replica
alter event e disable on slave
alter event e comment 'x'
alter event e do begin end
alter event e on completion not preserve
alter event e
alter event e rename f
alter event if exists e enable
drop event e
drop event if exists d.e
drop event
alter procedure d.p comment 'x' sql security invoker
alter procedure p
alter procedure p contains sql no sql reads sql data modifies sql data language sql
alter procedure p deterministic
alter procedure p language javascript
alter procedure p() comment 'x'
alter procedure p using (l)
alter function f comment 'x'
alter function f language sql
drop procedure d.p
drop procedure if exists p
drop procedure p()
drop function d.f
drop function if exists f
drop function
create library l language javascript as 'x'
create library if not exists d.l language javascript as $$ export function f() {} $$
create library l comment 'x' language javascript as 'x'
create library l language javascript comment 'x' as 'x'
create library l language javascript
create library l as 'x'
alter library l comment 'x'
alter library l
drop library l
drop library if exists d.l
create procedure p() begin declare a int; select 1 into a; select 2, 3 into a, @b; end
create procedure p(a int) select * from t limit a
create procedure p(a int) select * from t limit a, a
create procedure p() begin commit; rollback; end
create procedure p() start transaction
create procedure p() lock tables t read
create procedure p() load data infile 'x' into table t
create procedure p() create table t (a int)
create procedure p() use d
create procedure p() prepare s from 'select 1'
create procedure p() create procedure q() begin end
create procedure p() create view v as select 1
create procedure p() begin begin end; begin end; end
create procedure p() begin begin end end
create procedure p() begin if 1 then begin end; end if; end
begin not atomic select 1; end
if 1 then select 1; end if
leave l
return 1
declare a int
open c
fetch c into a
loop select 1; end loop
