-- FOLLOWS and PRECEDES: the order stays when the trigger is dropped that they name.
create table t(a int, b varchar(100));
delimiter //
create trigger a1 before insert on t for each row set new.b=concat(ifnull(new.b,''),'a1 ')//
create trigger a2 before insert on t for each row precedes a1 set new.b=concat(ifnull(new.b,''),'a2 ')//
create trigger a3 before insert on t for each row follows a2 if 1 then set new.b=concat(ifnull(new.b,''),'a3 '); end if//
create trigger a4 before insert on t for each row set new.b=concat(ifnull(new.b,''),'a4 ')//
create trigger a5 before insert on t for each row follows a1 begin declare x int; set new.b=concat(ifnull(new.b,''),'a5 '); end//
create trigger a6 before insert on t for each row follows nosuch set @a=1//
create trigger a6 after insert on t for each row follows a1 set @a=1//
create trigger a6 before update on t for each row follows a1 set @a=1//
create trigger if not exists a1 before insert on t for each row set @x=1//
create trigger a1 before insert on t for each row set @x=1//
insert into t(a) values(1)//
select * from t//
select trigger_name, action_order from information_schema.triggers where trigger_schema = database() order by 2//
drop trigger a2//
insert into t(a) values(2)//
select * from t//
select trigger_name, action_order from information_schema.triggers where trigger_schema = database() order by 2//
drop trigger a1//
insert into t(a) values(3)//
drop table t//
create table t(a int)//
create trigger a1 after insert on t for each row set @o=concat(@o,'a1 ')//
create trigger a2 after insert on t for each row precedes a1 set @o=concat(@o,'a2 ')//
create trigger a3 after insert on t for each row follows a2 if 1 then set @o=concat(@o,'a3 '); end if//
create trigger a4 after insert on t for each row set @o=concat(@o,'a4 ')//
set @o=''//
insert into t values(1)//
select @o//
