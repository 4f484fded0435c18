-- Triggers and functions that change tables in use: refused when a statement does, not because one might. Errors in statements that are not reached are none.
create table t(a int, b int);
create table u(a int, b int);
create table w(a int, b int);
delimiter //
create trigger tt after update on t for each row begin update u set b=new.a where a=new.a; end//
create trigger uu after update on u for each row begin if new.b > 100 then update t set b=1 where a=new.a; end if; end//
insert into t values (1,1),(200,1)//
insert into u values (1,1),(200,1)//
update t set b=2 where a=1//
update t set b=2 where a=200//
select * from t//
select * from u//
update u set b=300 where a=1//
update u set b=3 where a=1//
drop trigger uu//
create trigger uu after update on u for each row if new.b > 100 then update t set b=1 where a=-1; end if//
update t set b=3//
update t set b=4 where a=-5//
select * from t//
drop trigger uu//
drop trigger tt//
-- self
create trigger tt before insert on t for each row if new.a > 5 then insert into t values (1,1); end if//
insert into t values (2,2)//
insert into t values (7,7)//
drop trigger tt//
create trigger tt before insert on t for each row insert into t values (1,1)//
insert into t values (2,2)//
drop trigger tt//
-- through a procedure
create procedure pu(x int) if x > 10 then update t set b=5; else update w set b=6; end if//
create trigger tt before insert on t for each row call pu(new.a)//
insert into t values (2,2)//
insert into t values (20,2)//
drop trigger tt//
-- delete
create trigger tt before delete on t for each row if old.a > 100 then delete from u where a=old.a; end if//
create trigger uu before delete on u for each row if old.b > 100 then delete from t where a=old.a; end if//
select * from t//
select * from u//
delete from t where a=1//
delete from t where a=200//
delete from t//
drop trigger tt//
drop trigger uu//
-- reading tables of the outer
insert into w values (1,1),(2,2)//
create trigger ti after insert on t for each row if new.a>1 then delete from w where a=new.a; end if//
insert into t select * from w where a=1//
insert into t select * from w//
insert into t select * from u where a in (select a from w)//
insert into t values (2,(select max(a) from w))//
drop trigger ti//
select * from w//
create trigger ti after insert on t for each row insert into w values (new.a, (select count(*) from t))//
insert into t values (5,5),(6,6)//
select * from w//
drop trigger ti//
-- functions
create function fw(x int) returns int deterministic begin update w set b=b+1 where a=x; return x; end//
select fw(1)//
select fw(a) from w//
select fw(a) from t//
select * from t where fw(a) > 0//
insert into w values (fw(1),1)//
update w set b=fw(1)//
delete from w where a=fw(3)//
select (select max(fw(a)) from w)//
set @x = fw(1)//
select * from w//
create procedure pf() begin declare v int; select fw(a) into v from w limit 1; end//
call pf()//
create procedure pg() begin declare v int; select fw(a) into v from t limit 1; select v; set v=fw(1); if fw(1) then select 'ok'; end if; end//
call pg()//
-- missing table in a branch
create trigger ti after insert on t for each row if new.a>10 then insert into nosuch values (1); end if//
insert into t values (1,1)//
insert into t values (11,1)//
drop trigger ti//
create trigger ti after insert on t for each row if new.a>10 then insert into w values (1); end if//
insert into t values (1,1)//
insert into t values (11,1)//
drop trigger ti//
create trigger ti after insert on t for each row if new.a>10 then update w set nocol=1; end if//
insert into t values (1,1)//
insert into t values (11,1)//
insert into t values (1,1) on duplicate key update a=3//
drop trigger ti//
-- triggers and the same name in another database
drop database if exists diff_circles2//
create database diff_circles2//
create table diff_circles2.t (a int, b int)//
create trigger ti after insert on t for each row insert into diff_circles2.t values (new.a,1)//
insert into t values (1,1)//
select * from diff_circles2.t//
create trigger diff_circles2.ti after insert on diff_circles2.t for each row if new.a>5 then delete from diff_triggercircles.t; end if//
insert into t values (2,1)//
insert into t values (20,1)//
select * from diff_circles2.t//
drop database diff_circles2//
-- three
drop trigger ti//
create trigger t3 after insert on t for each row insert into u values (new.a,new.b)//
create trigger u3 after insert on u for each row insert into w values (new.a,new.b)//
create trigger w3 after insert on w for each row if new.a>1000 then insert into t values (1,1); end if//
insert into t values (1,2)//
insert into t values (1001,2)//
insert into t values (1001,2),(3,4)//
select * from t where a > 1000//
create temporary table w(a int, b int)//
insert into u values (9,9)//
