-- SET, SHOW and definitions in programs.
create table t(id int primary key auto_increment, a int);
insert into t(a) values(1),(2);
delimiter //
create procedure v1() begin declare x int; set x=1, @u=2, autocommit=1, session sql_mode='', @@session.sort_buffer_size=200000, @@sort_buffer_size=200000; set names utf8mb4; set character set utf8mb4; set session transaction isolation level read committed; set transaction isolation level serializable; end//
call v1()//
create procedure v2() begin set nosuchvar=1; end//
create procedure v3(p int) begin set p=1; begin declare y int; set y=p; end; set y=1; end//
create procedure v4() set foreign_key_checks=0//
create trigger tr before insert on t for each row begin set @x=new.a; set nosuchvar=1; end//
create trigger tr before insert on t for each row set nosuchvar=1//
create trigger tr before insert on t for each row set @x=new.a, new.a=new.a+1//
create function fv() returns int deterministic begin set nosuchvar=2; return 1; end//
create function fv() returns int deterministic begin declare z int; set z=2; return z; end//
select fv()//
create event ev on schedule every 1 day do set nosuchvar=1//
create procedure err27() begin declare exit handler for sqlexception begin show errors; end; select * from nosuch; end//
call err27()//
create procedure ex() begin explain select 1; end//
create procedure dd() begin desc t; end//
call dd()//
create procedure ana() begin analyze table t; end//
call ana()//
create procedure mixed() begin declare continue handler for 1146 begin end; insert into t(a) values(5); insert into nosuch values(1); insert into t(a) values(6); select count(*) from t; end//
call mixed()//
select last_insert_id() > 0//
create procedure deep() begin declare exit handler for sqlstate '45000' select 'outer'; begin declare exit handler for sqlstate '23000' select 'inner'; signal sqlstate '45000'; end; select 'no'; end//
call deep()//
create procedure cont() begin declare x int default 0; declare continue handler for sqlstate '45000' set x=x+1; signal sqlstate '45000'; signal sqlstate '45000'; select x; end//
call cont()//
create procedure inner1() begin signal sqlstate '45000' set message_text='from inner'; end//
create procedure outer1() begin declare exit handler for sqlexception begin get diagnostics condition 1 @m=message_text,@s=returned_sqlstate; select @m,@s; end; call inner1(); end//
call outer1()//
create procedure warnp() begin declare continue handler for sqlwarning select 'w'; insert ignore into t(id,a) values(1,1); select 'after'; end//
call warnp()//
create procedure loopdml() begin declare i int default 0; repeat insert into t(a) values(i); set i=i+1; until i>=3 end repeat; update t set a=-1 where a=0; delete from t where a=1; end//
call loopdml()//
select a from t order by id//
set autocommit=0//
create function ins(x int) returns int deterministic begin insert into t(a) values(x); return row_count(); end//
select ins(100), ins(101)//
rollback//
select count(*) from t where a>=100//
set autocommit=1//
create procedure enump() begin declare e enum('a','b') default 'b'; declare s set('x','y') default 'x,y'; set e='c'; end//
call enump()//
create procedure iso() begin start transaction read only; insert into t(a) values(1); end//
call iso()//
rollback//
create procedure dropself() begin drop table if exists tt1; create table tt1 as select 1 a; insert into tt1 values(2); select sum(a) from tt1; drop table tt1; end//
call dropself()//
call dropself()//
create procedure altert() begin alter table t add column z int default 9; select z from t limit 1; alter table t drop column z; end//
call altert()//
call altert()//
