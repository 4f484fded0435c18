-- Administrative statements in stored programs and in PREPARE: which run, and what CREATE refuses.
create table t (a int primary key, b int);
insert into t values (1, 1);
delimiter //
create procedure w1() create view v1 as select a from t//
create procedure w2() begin insert into t values (2, 2); create or replace view v1 as select a, b from t; rollback; end//
create procedure w3() begin flush tables; flush status; flush logs; end//
create procedure w4(x int) begin declare y int default 5; do x + y; do sleep(0), length(concat('a', y)); kill query x; end//
create procedure w5() begin declare exit handler for sqlexception begin get diagnostics condition 1 @e = mysql_errno; select @e; end; kill 99999999; end//
create procedure w6() begin signal sqlstate '01234' set message_text = 'careful'; show warnings; show errors; show count(*) warnings; end//
create procedure w7() begin prepare s from 'flush tables'; execute s; deallocate prepare s; prepare s from 'select a from t'; execute s; end//
create procedure w8() begin check table t; end//
create procedure w9() begin repair table t; show open tables like 'nosuch'; set role none; end//
create procedure w10() begin declare start int default 1; declare found int default 0; while not found do set found = 1; end while; if start then do 1; else do 2; end if; select concat(case start when 1 then start else found end) as r; end//
create procedure w11() flush tables with read lock//
create procedure w12() create table u (a int)//
create procedure w13() commit//
create procedure x1() lock tables t read//
create procedure x2() unlock tables//
create procedure x3() use mysql//
create procedure x4() load data infile 'x' into table t//
create procedure x5() alter view v1 as select 1//
create procedure x6() create procedure y() select 1//
create procedure x7() drop procedure y//
create procedure x8() alter function y comment 'x'//
create procedure x9() create event y on schedule every 1 day do select 1//
create procedure x10() handler t open//
create procedure x11() help 'x'//
create function f1() returns int deterministic begin flush tables; return 1; end//
create function f2() returns int deterministic begin create view v2 as select 1; return 1; end//
create function f3() returns int deterministic begin commit; return 1; end//
create function f4() returns int deterministic begin show tables; return 1; end//
create function f5() returns int deterministic begin prepare s from 'select 1'; return 1; end//
create function f6() returns int deterministic begin set autocommit = 0; return 1; end//
create function f7() returns int deterministic begin analyze table t; return 1; end//
create function f8() returns int deterministic begin reset persist; return 1; end//
create function f9() returns int deterministic begin create table u (a int); return 1; end//
create function f10() returns int deterministic begin explain select 1; return 1; end//
create function g1() returns int deterministic begin do 1 + 1; kill 99999999; return 5; end//
create function g2() returns int deterministic begin call w1(); return 1; end//
create function g3() returns int deterministic begin call w3(); return 1; end//
create function g4() returns int deterministic begin call w12(); return 1; end//
create function g5() returns int deterministic begin call w13(); return 1; end//
create trigger t1 before insert on t for each row flush tables//
create trigger t2 before insert on t for each row begin drop table u; end//
create trigger t3 before insert on t for each row begin declare x int; truncate table t; end//
create trigger t4 before insert on t for each row begin start transaction; end//
create trigger t5 before insert on t for each row grant select on t to root@localhost//
create trigger t6 before insert on t for each row kill 99999999//
delimiter ;
call w1();
call w1();
select a + 0 from v1;
call w2();
select a + 0 from v1;
call w3();
call w4(99999999);
call w5();
call w6();
call w7();
call w9();
call w10();
call w11();
insert into t values (9, 9);
unlock tables;
select g1();
select g2();
select g3();
select g4();
select g5();
insert into t values (5, 5);
select * from t;
show create procedure w1;
-- mask: Created
show create trigger t6;
prepare s from 'kill 99999999';
execute s;
prepare s from 'do 1';
execute s;
set @q = 'flush tables';
prepare s from @q;
execute s;
deallocate prepare s;
execute s;
prepare s from 'select 1';
prepare s from 'lock tables t read';
execute s;
prepare s from 'check table t';
prepare s from 'show errors';
prepare s from 'use mysql';
prepare s from 'handler t open';
prepare s from 'start transaction';
prepare s from 'create role r1';
prepare s from 'alter view v1 as select 1';
drop view v1;
