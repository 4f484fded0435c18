-- What CREATE and CALL refuse of stored programs.
create table t (id int primary key, v int);
delimiter //
create procedure r1() begin declare x int; declare x int; end//
create procedure r2(a int, A int) begin end//
create procedure r3() begin declare c cursor for select 1; declare x int; end//
create procedure r4() begin declare exit handler for not found begin end; declare c cursor for select 1; end//
create procedure r5() begin declare exit handler for not found begin end; declare exit handler for not found begin end; end//
create procedure r6() begin declare exit handler for 1062 begin end; declare exit handler for 1062, 1063 begin end; end//
create procedure r7() begin declare exit handler for nocond begin end; end//
create procedure r8() begin signal nocond; end//
create procedure r9() begin declare c condition for 1062; signal c; end//
create procedure r10() begin declare c condition for 1062; declare c condition for 1063; end//
create procedure r11() begin open nocursor; end//
create procedure r12() begin declare c cursor for select 1; fetch c into nowhere; end//
create procedure r13() begin declare c cursor for select 1; declare c cursor for select 2; end//
create procedure r14() begin leave nowhere; end//
create procedure r15() b: begin iterate b; end//
create procedure r16() l: loop l: loop leave l; end loop; end loop//
create procedure r17() l: begin declare exit handler for not found leave l; end//
create procedure r18() return 1//
create procedure r19() begin select 1 into nowhere; end//
create procedure r20() signal sqlstate '00001'//
create procedure r21() signal sqlstate '1234'//
create procedure r22() signal sqlstate '45000' set message_text = 'a', message_text = 'b'//
create procedure r23() begin declare exit handler for sqlstate '00000' begin end; end//
create procedure r24() begin declare exit handler for 0 begin end; end//
create function f1() returns int deterministic begin select 1; return 1; end//
create function f2() returns int deterministic begin declare x int; end//
create trigger g1 before insert on t for each row begin declare x int; set x = old.v; end//
create trigger g2 after insert on t for each row begin declare x int; set new.v = 1; end//
create trigger g3 before delete on t for each row begin declare x int; set x = new.v; end//
create trigger g4 before update on t for each row begin declare x int; set old.v = 1; end//
create trigger g5 after insert on t for each row begin declare x int; insert into t values (new.id + 1, x); end//
create procedure ok1() begin declare c cursor for select id, v from t; declare a int; end//
create procedure c2() begin declare a int; declare c cursor for select id from t; declare exit handler for sqlexception begin get diagnostics condition 1 @e = mysql_errno, @m = message_text; select @e, @m; end; fetch c into a; end//
create procedure c3() begin declare c cursor for select id from t; declare exit handler for 1325 select 'open already' as r; open c; open c; end//
create procedure c4() begin declare c cursor for select id from t; close c; end//
create procedure c5() begin declare a int; declare c cursor for select id, v from t; open c; fetch c into a; end//
create procedure c6() begin declare a int; declare c cursor for select id from t; open c; fetch c into a; end//
create procedure c7() begin declare a int; set a = 'abc'; end//
create procedure c8() begin declare a tinyint; set a = 1000; end//
create procedure c9() begin declare a varchar(2); set a = 'abc'; end//
create procedure c10(out p int) set p = 1//
create procedure c11() signal sqlstate '45000' set mysql_errno = 0//
create procedure c12() begin declare m varchar(300) default repeat('x', 200); signal sqlstate '45000' set message_text = m; end//
create procedure c13() begin declare m varchar(300); signal sqlstate '45000' set message_text = m; end//
create procedure c14() begin get stacked diagnostics condition 1 @m = message_text; end//
create procedure c15() begin declare continue handler for sqlexception begin end; set @in = 0; begin declare exit handler for 1062 set @in = 1; signal sqlstate '23000' set mysql_errno = 1062; end; select @in; end//
create procedure c16() begin declare continue handler for sqlwarning set @w = 'warning'; signal sqlstate '01234' set message_text = 'careful'; select @w; end//
create procedure c17() begin signal sqlstate '01234' set message_text = 'careful'; end//
delimiter ;
insert into t values (1, 1), (2, 2);
call c2();
call c3();
call c4();
call c5();
call c6();
call c7();
call c8();
call c9();
call c10(5);
call c11();
call c12();
call c13();
call c14();
call c15();
call c16();
call c17();
show warnings;
call nothere();
