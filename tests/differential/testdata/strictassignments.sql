-- Values of variables, parameters and results of stored programs in strict mode.
delimiter //
create procedure p1() begin declare x int; set x = '1abcd'+0; select x; end//
delimiter ;
call p1();
delimiter //
create procedure p2() begin declare x int default 1/0; select x; end//
delimiter ;
call p2();
delimiter //
create procedure p3() begin declare x int; set x = 1 div 0; select x; end//
delimiter ;
call p3();
delimiter //
create procedure p4() begin if '1abcd'+0 then select 'yes'; end if; end//
delimiter ;
call p4();
delimiter //
create procedure p5() begin declare x datetime; set x = date_add('2020-02-30', interval 1 day); select x; end//
delimiter ;
call p5();
delimiter //
create procedure p6() begin declare x varchar(10); set x = cast('abc' as signed); select x; end//
delimiter ;
call p6();
delimiter //
create procedure p8(a int) begin select a; end//
delimiter ;
call p8('1abcd'+0);
call p8(1/0);
call p8('x');
delimiter //
create procedure p9() begin set @a = '1abcd'+0; select @a; end//
delimiter ;
call p9();
create function f1() returns int deterministic return 1/0;
select f1();
create function f2() returns int deterministic return '1abcd'+0;
select f2();
set @q=f2();
create function f3(a int) returns int deterministic return a;
select f3('1abcd'+0);
select f3(1/0);
select f3('x');
create function f4() returns varchar(20) deterministic return inet_aton('abc');
select f4();
create function f5() returns date deterministic return str_to_date('2020-13-13','%Y-%m-%d');
select f5();
create table t(a int, b varchar(20));
delimiter //
create trigger tr before insert on t for each row begin set new.a = '1abcd'+0; end//
delimiter ;
insert into t values(1,'a');
drop trigger tr;
delimiter //
create trigger tr before insert on t for each row begin declare z int; set z = '1.1a'+0; end//
delimiter ;
insert into t values(1,'a');
drop trigger tr;
delimiter //
create procedure p10() begin declare x int; case '1abcd'+0 when 1 then set x=1; else set x=2; end case; select x; end//
delimiter ;
call p10();
delimiter //
create procedure p11() begin declare x int default 0; while x < '2a' do set x=x+1; end while; select x; end//
delimiter ;
call p11();
delimiter //
create procedure p12() begin declare x int; declare continue handler for sqlexception select 'handled'; set x = '1abcd'+0; select x; end//
delimiter ;
call p12();
delimiter //
create procedure p13() begin declare x int; declare continue handler for sqlwarning select 'warned'; set x = '1abcd'+0; select x; end//
delimiter ;
call p13();
set sql_mode='';
create function f6() returns int deterministic return '1abcd'+0;
set sql_mode=default;
select f6();
drop function f6;
delimiter //
create procedure p14() begin declare x int default 5; begin declare exit handler for 1292 begin end; set x = '7z' * 1; end; select x; end//
delimiter ;
call p14();
delimiter //
create procedure p15(a int, out b int) begin set b = a; end//
delimiter ;
delimiter //
create procedure p16() begin declare y int; call p15('3x' + 0, y); select y; end//
delimiter ;
call p16();
delimiter //
create procedure p17() begin declare x date; set x = '2020-01-01' + interval 1 day; set x = last_day('2020-99-01'); select x; end//
delimiter ;
call p17();
set sql_mode = '';
drop procedure p1;
delimiter //
create procedure p1() begin declare x int; set x = '1abcd'+0; select x; end//
delimiter ;
set sql_mode = default;
call p1();
show warnings;
-- Subqueries of what is assigned.
create table kept (a varchar(20), d int);
insert into kept values ('x', 1), ('5', 0);
create function same(a int) returns int deterministic return a;
create function counted() returns int reads sql data return (select count(*) from kept where a = 5);
create trigger tk before insert on t for each row set new.a = (select count(*) from kept where a = 5);
delimiter //
create procedure s1() begin declare x int; set x = (select count(*) from kept where a = 5); select x; end//
create procedure s2() begin declare x int; set x = (select max(1 / d) from kept); select x; end//
create procedure s3() begin declare x int default (select count(*) from kept where a + 0 = 5); select x; end//
create procedure s4(n int) begin select n; end//
delimiter ;
call s1();
call s2();
call s3();
call s4((select count(*) from kept where a = 5));
select same((select count(*) from kept where a = 5));
select same(count(*)) from kept where a = 5;
select d, same(1 / d) from kept;
select counted();
insert into t values (1, 'a');
set sql_mode = 'STRICT_TRANS_TABLES';
delimiter //
create procedure s5() begin declare x int; set x = 1 / 0; select x; end//
delimiter ;
call s5();
