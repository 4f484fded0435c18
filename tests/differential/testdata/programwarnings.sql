-- What stored programs leave of their warnings: each instruction forgets those of the one before,
-- triggers keep theirs, and the arguments of a CALL come first.
delimiter //
create table t (i int, k tinyint)//
create table l (k tinyint)//
set sql_mode=''//
create trigger tr after insert on t for each row insert into l values (500)//
insert into t values (1,1)//
show warnings//
insert into t values (1,1000)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row set new.k=500//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin set new.k=500; set @x=1; end//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin insert into l values (500); set @x=1; end//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin insert into l values (500); insert into l values (1); end//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row signal sqlstate '01000'//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin signal sqlstate '01000'; end//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin signal sqlstate '01000'; set @a=1; end//
insert into t values (1,1)//
show warnings//
drop trigger tr//
create function f() returns int begin insert into l values (500); return 1; end//
select f()//
show warnings//
drop function f//
create function f() returns int begin signal sqlstate '01000'; return 1; end//
select f()//
show warnings//
drop function f//
create function f() returns int begin insert into l values (500); insert into l values (1); return 1; end//
select f()//
show warnings//
drop function f//
create function f() returns int begin declare x tinyint default 500; return 1; end//
select f()//
show warnings//
drop function f//
create function f() returns int return cast('a' as signed)//
select f()//
show warnings//
drop function f//
create function f() returns tinyint return 500//
select f()//
show warnings//
drop function f//
create function f() returns int begin insert into l values (500); return cast('b' as signed); end//
select f()//
show warnings//
drop function f//
create procedure p() begin insert into l values (500);  end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); set @a=1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); insert into l values (1); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); select 1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint; set x=500; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint; set x=500; set @a=1;end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint default 500; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint default 500; declare y int default 1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint default 500; set @a=1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); if 1 then set @a=1; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); if 1 then begin end; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); while 0 do set @a=1; end while; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); case 1 when 1 then begin end; end case; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; insert into l values (500); set x=1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; insert into l values (500); begin declare y int; end; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; insert into l values (500); begin declare y int default 3; end; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; insert into l values (500); select count(*) from l into x; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare c cursor for select 1; insert into l values (500); open c; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare c cursor for select 1; open c; insert into l values (500); close c; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin  insert into l values (500); do 1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() x: begin  insert into l values (500); leave x; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); create temporary table tt(a int); drop temporary table tt; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare exit handler for sqlwarning begin end; insert into l values (500);  end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare continue handler for sqlwarning set @h=1; insert into l values (500);  end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare continue handler for sqlwarning begin end; insert into l values (500); set @a=1; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); set @a=cast('a' as signed); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); if cast('a' as signed) then set @a=1; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin if cast('a' as signed) then set @a=1; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin if cast('a' as signed)=0 then set @a=1; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin if cast('a' as signed)=0 then insert into l values(1); end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare i int default 2; while i>cast('a' as signed) do set i=i-1; end while; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); get diagnostics @a=number; end//
call p()//
show warnings//
select @a//
drop procedure p//
create procedure p() begin insert into l values (500); select @@warning_count; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); show warnings; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; insert into l values (500); set x=@@warning_count; select x; end//
call p()//
show warnings//
drop procedure p//
create procedure q() insert into l values (500)//
create procedure p() begin insert into l values (500); call q(); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin call q(); set @a=1; end//
call p()//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin select 1; end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin set @a=1; end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin set @a=1; show warnings; end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin show warnings; end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(out x tinyint) begin set x=500; end//
call p(@a)//
show warnings//
drop procedure p//
create function g() returns int begin insert into l values (500); return 1; end//
create procedure p() begin set @a=g(); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x int; select g(); set x=3; end//
call p()//
show warnings//
drop procedure p//
drop table t//
drop table l//
create table t (i int primary key, k tinyint)//
create table l (k tinyint)//
set sql_mode=''//
create trigger tr before insert on t for each row begin insert into l values (500); signal sqlstate '45000'; end//
insert into t values (1,1000)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row begin declare exit handler for sqlexception resignal; insert into l values (500); insert into nix values (1); end//
insert into t values (1,1000)//
show warnings//
drop trigger tr//
create procedure p(x tinyint) begin insert into nix values (1); end//
call p(500)//
show warnings//
drop procedure p//
create procedure p(x tinyint) begin declare continue handler for sqlexception resignal set message_text=asdf; insert into nix values (1); end//
call p(500)//
show warnings//
drop procedure p//
create procedure p() begin declare continue handler for sqlwarning begin show warnings; select 'w'; end; insert into l values (500); set @a=cast('a' as signed); select cast('b' as signed); if cast('c' as signed) then select 1; end if; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare continue handler for sqlwarning begin get diagnostics @n=number; select @n; get stacked diagnostics @n=number; select @n; end; insert into l values (500),(600); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare c cursor for select cast('x' as signed); declare x tinyint; open c; show warnings; fetch c into x; show warnings; close c; show warnings; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare x tinyint; set x=500, @b=1; show warnings; set x=500, x=600; show warnings; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values(500); get diagnostics @a=number, @b=row_count; select @a,@b; get diagnostics condition 1 @c=message_text; show warnings; end//
call p()//
show warnings//
drop procedure p//
create function f() returns int begin declare n int; insert into l values(500),(600); get diagnostics n=number; return n; end//
select f()//
show warnings//
select f(), cast('z' as signed)//
show warnings//
drop function f//
create function f(a tinyint) returns int begin declare n int; get diagnostics n=number; return n; end//
select f(500)//
show warnings//
select f(1), cast('z' as signed)//
show warnings//
drop function f//
create procedure p() begin select @@warning_count, @@error_count; insert into l values (500),(501); select @@warning_count+1; insert into l values (500); select @@warning_count into @q; select @q; insert into l values (500); set @q=@@warning_count; select @q; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin declare continue handler for sqlexception begin select @@error_count, @@warning_count; end; insert into nix values (500); end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin insert into l values (500); prepare s from 'select 1'; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin prepare s from 'insert into l values (500)'; execute s; deallocate prepare s; end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin prepare s from 'insert into l values (500)'; execute s;  end//
call p()//
show warnings//
drop procedure p//
create procedure p() begin signal sqlstate '01000' set message_text='one'; signal sqlstate '01000' set message_text='two'; end//
call p()//
show warnings//
drop procedure p//
insert ignore into t values (1,1)//
show warnings//
create trigger tr before insert on t for each row insert into l values (500)//
insert ignore into t values (1,1000)//
show warnings//
insert into t values (2,1000),(3,1001)//
show warnings//
update t set k=5000 where i=2//
show warnings//
drop trigger tr//
create trigger tr after update on t for each row set @z=cast('q' as signed)//
update t set k=5//
show warnings//
update t set k=555 where i=2//
show warnings//
drop trigger tr//
set sql_mode='strict_all_tables'//
create trigger tr before insert on t for each row set new.k=500//
insert into t values (7,7)//
show warnings//
drop trigger tr//
create trigger tr before insert on t for each row set @z=cast('q' as signed)//
insert into t values (17,7)//
show warnings//
drop trigger tr//
