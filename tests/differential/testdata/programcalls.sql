-- Parameters, recursion, sql_mode, functions in statements, labels and names in programs as users have them.
create table t(id int primary key auto_increment, a int, b varchar(50));
insert into t(a,b) values(1,'one'),(2,'two'),(3,'three');
delimiter //
create procedure r1(n int, out res bigint) begin declare x bigint; if n<=1 then set res=1; else call r1(n-1,x); set res=n*x; end if; end//
call r1(5,@r)//
set max_sp_recursion_depth=3//
call r1(3,@r)//
select @r//
call r1(10,@r)//
set max_sp_recursion_depth=255//
call r1(20,@r)//
select @r//
set max_sp_recursion_depth=0//
create function fr(n int) returns int deterministic begin if n<1 then return 0; end if; return fr(n-1)+1; end//
select fr(0)//
select fr(3)//
create procedure o1(in a int, inout b int, out c int) begin set a=a+1; set b=b+a; select a,b,c; set c=b*2; end//
set @a=1,@b=2,@c=3//
call o1(@a,@b,@c)//
select @a,@b,@c//
call o1(1,2,@c)//
call o1(1,@b,3)//
call o1(1,@b)//
call o1(1,@b,@c,@d)//
call nosuch(1)//
create procedure o2(out x varchar(5)) begin set x='abcdefgh'; end//
call o2(@x)//
-- differs: a user variable that is NULL has no type
select @x//
set sql_mode=''//
create procedure o3(out x varchar(5)) begin set x='abcdefgh'; end//
create procedure o4(out x int) begin set x='12abc'; end//
set sql_mode=default//
call o3(@x)//
show warnings//
select @x//
call o4(@x)//
select @x//
select sql_mode from information_schema.routines where routine_name in ('o3','o4') and routine_schema=database()//
create procedure o5(x int) begin select x; end//
call o5('abc')//
call o5('12abc')//
call o5(1.6)//
call o5(99999999999)//
call o5(null)//
create procedure o6(inout x decimal(5,2)) set x=x*1.005//
set @d=10//
call o6(@d)//
-- differs: the precision of a user variable
select @d//
create procedure callo(out z int) begin declare l int default 7; call o1(1,l,z); select l,z; end//
call callo(@z)//
select @z//
create trigger tb before insert on t for each row begin call o2(new.b); end//
insert into t(a) values(10)//
drop trigger tb//
create procedure setb(out x varchar(20)) set x='set'//
create trigger tb before insert on t for each row call setb(new.b)//
insert into t(a) values(10)//
select a,b from t where a=10//
drop trigger tb//
create trigger tb after insert on t for each row call setb(new.b)//
insert into t(a) values(11)//
drop trigger if exists tb//
insert into t(a) values(12)//
select a,b from t where b='sel'//
create function plus(a int, b int) returns int deterministic return a+b//
select a, plus(a,1) from t where plus(a,1) > 3 order by plus(a,0)//
update t set a=plus(a,100) where plus(a,0)=1//
delete from t where plus(a,0)=101//
insert into t(a,b) values(plus(1,1),concat('x',plus(2,2)))//
select a,b from t order by id//
select plus('1','2'), plus(1.5,2), plus(null,1)//
select plus(1)//
select plus(1,2,3)//
select plus(1,2), nosuch(1)//
select nosuch(1)//
create function ft() returns varchar(20) deterministic begin declare s varchar(20); select group_concat(b order by id separator '') into s from t; return s; end//
select ft()//
create function fnoret(a int) returns int deterministic begin if a then return 1; end if; end//
select fnoret(1)//
select fnoret(0)//
create function fint() returns tinyint deterministic return 300//
select fint()//
create function fenum() returns enum('a','b') deterministic return 'c'//
select fenum()//
create function fdate() returns date deterministic return '2024-02-30'//
select fdate()//
create function fsel() returns int deterministic begin select 1; return 1; end//
create function fcommit() returns int deterministic begin commit; return 1; end//
create function fdyn() returns int deterministic begin prepare s from 'select 1'; return 1; end//
create function fcreate() returns int deterministic begin create table q(a int); return 1; end//
create function ftemp() returns int deterministic begin create temporary table tq(a int); insert into tq values(1),(2); return (select sum(a) from tq); end//
select ftemp()//
drop temporary table tq//
create function ffl() returns int deterministic begin flush tables; return 1; end//
create function fchar(s char(3)) returns char(10) deterministic return concat('[',s,']')//
select fchar('a'), fchar('ab '), length(fchar('a'))//
select fchar('abcd')//
create procedure lbl() begin a: begin b: loop leave a; end loop b; end a; select 'out'; c: while true do c2: while true do leave c; end while; end while; select 'out2'; d: repeat iterate d; until true end repeat; end//
create procedure lbl2() begin declare i int default 0; d: repeat set i=i+1; if i<3 then iterate d; end if; until i>4 end repeat; select i; a: while i>0 do set i=i-1; if i=2 then iterate a; end if; if i=1 then leave a; end if; end while a; select i; end//
call lbl2()//
create procedure lbl3() begin a: begin iterate a; end; end//
create procedure lbl4() a: begin a: begin end; end//
create procedure lbl5() a: begin end b//
create procedure cs(x int) begin case when x>10 then select 'big'; when x>5 then select 'mid'; end case; end//
call cs(11)//
call cs(7)//
call cs(1)//
create procedure cs2(x varchar(5)) begin case x when 'a' then select 1; when 'B' then select 2; when null then select 3; else begin end; end case; select 'e'; end//
call cs2('b')//
call cs2(null)//
create procedure mm(a int) begin declare a int default 5; select a; end//
call mm(3)//
create procedure amb() begin declare id int default 2; select b from t where id=2 order by 1; select b from t where t.id=id; update t set b='clash' where t.id=id; select b from t order by t.id; end//
call amb()//
