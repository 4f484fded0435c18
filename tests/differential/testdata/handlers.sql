-- Handlers of stored programs.
create table t (id int primary key, v int, s varchar(10));
create table log (id int auto_increment primary key, code int, state char(5), msg varchar(200));
insert into t values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, null, 'd');
delimiter //
create procedure h1() begin declare exit handler for sqlexception begin insert into log (msg) values ('caught'); select 'exit' as r; end; insert into t values (1, 1, 'x'); select 'not reached'; end//
create procedure h2() begin declare continue handler for 1062 set @y = concat(@y, '!'); set @y = 'y'; insert into t values (1, 1, 'x'); insert into t values (2, 1, 'x'); insert into t values (5, 50, 'e'); select @y; end//
create procedure h3() begin declare exit handler for sqlexception begin get diagnostics condition 1 @c = mysql_errno, @s = returned_sqlstate, @m = message_text; insert into log (code, state, msg) values (@c, @s, @m); resignal; end; insert into t values (1, 1, 'x'); end//
create procedure h4() begin declare done int default 0; declare a, b int; declare total int default 0; declare c cursor for select id, v from t order by id; declare continue handler for not found set done = 1; open c; l: loop fetch c into a, b; if done then leave l; end if; if b is null then iterate l; end if; set total = total + b; end loop; close c; select total, a, b, done; end//
create procedure h5() begin declare continue handler for sqlstate '23000' begin declare n int default 0; while n < 3 do set n = n + 1; end while; set @n = n; end; insert into t values (1, 1, 'x'); select @n, row_count(); end//
create procedure h6() begin declare dup condition for 1062; declare exit handler for dup begin rollback; select 'rolled back' as r; end; start transaction; insert into t values (100, 1, 'x'); insert into t values (1, 1, 'x'); commit; end//
create procedure h7() begin declare exit handler for sqlexception select 'outer' as r; begin declare exit handler for 1062 begin select 'inner' as r; insert into t values (2, 2, 'again'); end; insert into t values (1, 1, 'x'); end; select 'behind'; end//
create procedure h8() begin declare exit handler for sqlexception select 'exception' as r; declare exit handler for sqlstate '23000' select 'state' as r; declare exit handler for 1062 select 'number' as r; insert into t values (1, 1, 'x'); end//
create procedure h9() begin declare exit handler for sqlexception select 'outer' as r; begin declare continue handler for not found select 'nf' as r; insert into t values (1, 1, 'x'); select 'not here'; end; end//
create procedure h10() begin declare continue handler for sqlwarning select 'warned' as r; insert into t values (6, 6, 'f'); set @z = 1; select cast('12x' as signed) into @z; select @z; end//
create procedure h11() begin declare x int; declare continue handler for not found set x = -1; select v into x from t where id = 999; select x; end//
create procedure h12() begin declare x int default 7; select v into x from t where id = 999; select x; end//
create procedure h13() begin declare x int; declare exit handler for 1172 select 'many' as r; select v into x from t; end//
create procedure h14() begin declare continue handler for sqlexception select 'bad if' as r; if (select v from t) then select 'yes'; else select 'no'; end if; select 'behind'; while (select v from t) do select 'in'; end while; select 'end' as r; end//
create procedure h15() begin declare exit handler for sqlexception begin get stacked diagnostics condition 1 @c = mysql_errno, @m = message_text; select @c, @m; end; signal sqlstate '45000' set message_text = 'mine', mysql_errno = 5001; end//
create procedure h16(in p int) begin declare too_small condition for sqlstate '45001'; if p < 0 then signal too_small set message_text = 'negative'; elseif p = 0 then signal sqlstate '01000' set message_text = 'zero', mysql_errno = 1000; else signal sqlstate '02000'; end if; select 'behind' as r; end//
create procedure h17() begin declare exit handler for sqlexception resignal sqlstate '45002' set message_text = 'replaced', mysql_errno = 6000; insert into t values (1, 1, 'x'); end//
create procedure h18() begin declare exit handler for sqlexception resignal set message_text = 'said otherwise'; insert into t values (1, 1, 'x'); end//
create procedure h19() begin resignal; end//
create procedure h20() begin declare continue handler for sqlexception begin end; insert into t values (1, 1, 'x'); insert into nothere values (1); select 'on' as r; end//
create procedure h21() begin declare continue handler for 1146, 1062, sqlstate '42S22' set @k = ifnull(@k, 0) + 1; set @k = 0; insert into nothere values (1); insert into t values (1, 1, 'x'); insert into t (nocol) values (1); select @k; end//
create procedure h22() begin declare exit handler for sqlexception begin declare exit handler for sqlexception select 'in the handler' as r; insert into t values (2, 2, 'x'); end; insert into t values (1, 1, 'x'); end//
create procedure h23() begin declare exit handler for sqlexception insert into t values (2, 2, 'x'); insert into t values (1, 1, 'x'); end//
delimiter ;
call h1();
call h2();
call h3();
call h4();
call h5();
call h6();
call h7();
call h8();
call h9();
call h10();
call h11();
call h12();
show warnings;
call h13();
call h14();
call h15();
call h16(-1);
call h16(0);
show warnings;
call h16(1);
call h17();
show warnings;
call h18();
call h19();
call h20();
call h21();
call h22();
call h23();
select code, state, msg from log order by id;
select id, v, s from t order by id;
delimiter //
create procedure nocase(in p int) begin declare exit handler for 1339 select 'no case' as r; case p when 1 then select 'one' as r; when 2 then select 'two' as r; end case; end//
create procedure nocase2(in p int) begin case when p > 1 then select 'more' as r; end case; end//
create procedure inner1(in p int) begin if p = 1 then signal sqlstate '45000' set message_text = 'from inside'; end if; insert into t values (200 + p, p, 'in'); end//
create procedure outer1(in p int) begin declare continue handler for sqlstate '45000' begin get diagnostics condition 1 @m = message_text; select concat('outer: ', @m) as r; end; call inner1(p); select count(*) from t where id > 200; end//
create procedure inner2(out o int, inout io int) begin set o = io * 2; set io = io + 1; end//
create procedure outer2() begin declare a int; declare b int default 5; call inner2(a, b); call inner2(a, b); call inner2(@g, b); select a, b, @g; end//
create procedure rec(in n int, out r int) begin declare x int; if n <= 1 then set r = 1; else call rec(n - 1, x); set r = n * x; end if; end//
create procedure twice() begin declare i int default 0; outerloop: while i < 5 do set i = i + 1; begin declare j int default 0; repeat set j = j + 1; if j = 2 then iterate outerloop; end if; if i = 4 then leave outerloop; end if; until j > 3 end repeat; end; end while outerloop; select i; end//
create procedure blk() b1: begin declare i int default 0; b2: begin leave b1; end b2; select 'never' as r; end//
create procedure shadow() begin declare x int default 1; begin declare x int default 2; select x; set x = 3; end; select x; end//
create procedure defaults() begin declare a int default 2; declare b int default a * 3; declare c varchar(20) default concat('b', b); declare d decimal(10,2) default 1.5; declare e date default '2024-02-29'; declare f double default 1e3; select a, b, c, d + 1, e + interval 1 day, f; end//
delimiter ;
call nocase(1);
call nocase(3);
call nocase2(1);
call outer1(1);
call outer1(2);
call outer2();
set max_sp_recursion_depth = 0;
call rec(3, @r);
set max_sp_recursion_depth = 10;
call rec(5, @r);
select @r;
call rec(20, @r);
call twice();
call blk();
call shadow();
call defaults();
