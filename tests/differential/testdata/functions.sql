-- Stored functions.
create table t (id int primary key, b varchar(10));
insert into t values (1,'a'),(2,'b');
delimiter //
create function f1(a int) returns int deterministic return a+1//
create function f2(a int, s varchar(10)) returns varchar(20) reads sql data begin declare x int default 0; if a > 1 then return concat(s,'>'); end if; select count(*) into x from t; return concat(s, x); end//
create function f3() returns int no sql begin if 0 then return 1; end if; end//
create function f4() returns int no sql begin declare x int; end//
create function f1() returns int no sql return 1//
create function if not exists f1() returns int no sql return 1//
create function f5(a decimal(10,2)) returns decimal(10,2) deterministic return a/3//
create function f6(a int) returns int deterministic begin return f6(a-1); end//
create function f7() returns int no sql begin select 1; return 1; end//
create function f8(a date) returns date no sql comment 'hi' return a + interval 1 day//
create function f9(a int) returns int reads sql data begin insert into t values (a, 'f9'); return a; end//
create function f10(n int) returns bigint deterministic begin declare r bigint default 1; while n > 1 do set r = r * n; set n = n - 1; end while; return r; end//
create procedure p(a int) begin declare x int; set x = 10 / a; select x; end//
create trigger tr before insert on t for each row set new.b = concat(f2(2, 'g'), new.b)//
delimiter ;
select f1(1), f1(null), f2(1,'x'), f2(2,'y'), f5(9), f8('2024-02-28'), f10(5);
select id, f1(id) from t where f1(id) > 2;
select f1(f1(f1(1))), sum(f1(id)) from t;
select f2(1, 'x') = 'X2';
update t set b = f1(id) where f1(id) = 2;
select f9(7);
select f9(7);
select * from t;
call p(4);
select f3();
select f6(1);
select f1();
select f1(1,2);
select nosuch(1);
select f1('abc');
select f2(1,'12345678901');
drop function nosuch;
drop function if exists nosuch;
show create function nosuch;
select routine_name, routine_type, data_type, character_maximum_length, numeric_precision, dtd_identifier, routine_definition, is_deterministic, sql_data_access, routine_comment from information_schema.routines where routine_schema = database() order by 1;
select specific_name, ordinal_position, parameter_mode, parameter_name, data_type, character_maximum_length, dtd_identifier, routine_type from information_schema.parameters where specific_schema = database() order by 1, 2;
drop function f1;
select f1(1);
create procedure p2(a double, out b float, inout c bit(3), d bigint unsigned, e decimal(5,1), f year, g datetime(2), h json, i enum('a','bcd')) set b = a;
create function f11() returns float no sql return 1;
create definer='root'@`localhost` procedure p3() set @a = 1;
select specific_name, parameter_mode, parameter_name, data_type, character_octet_length, numeric_precision, numeric_scale, datetime_precision, dtd_identifier from information_schema.parameters where specific_schema = database() and specific_name in ('p2', 'f11') order by 1, ordinal_position;
select routine_name, definer, numeric_precision, numeric_scale from information_schema.routines where routine_schema = database() and routine_name in ('f2', 'f5', 'f11', 'p3') order by 1;
select str_to_date(null,'%Y'), str_to_date(20240101,'%Y%m%d'), str_to_date('01,5,2013','%d,%m,%Y'), str_to_date(null, '%H:%i');
select str_to_date('2024',null) is null, str_to_date(null, null) is null;
select linestring(null, null);
select polygon(null);
