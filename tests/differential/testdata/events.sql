-- The bodies of events: what CREATE EVENT takes and refuses, and the text that is kept.
create table t (a int, b varchar(20));
delimiter //
create event e1 on schedule every 1 day disable do begin execute s; end//
create event e2 on schedule every 1 day disable do begin prepare s from 'select 1'; execute s; deallocate prepare s; end//
create event e3 on schedule every 1 day disable do begin declare i int default 0; while i < 2 do insert into t values (i, 'x'); set i = i + 1; end while; end//
create event e4 on schedule every 1 day disable do begin flush tables; do sleep(1); grant select on t to u; end//
create event e5 on schedule every 1 day disable do begin select 1; show tables; end//
create event e6 on schedule every 1 day disable do insert into no_such_table values (1, date '2020-01-01')//
create event e7 on schedule every 1 day disable do do 1//
create event e8 on schedule every 1 day disable do drop event e8//
create event f1 on schedule every 1 day disable do lock tables t read//
create event f2 on schedule every 1 day disable do begin use mysql; end//
create event f3 on schedule every 1 day disable do return 1//
create event f4 on schedule every 1 day disable do create procedure p() select 1//
create event f5 on schedule every 1 day disable do create event g on schedule every 1 day do select 1//
create event f6 on schedule every 1 day disable do begin leave x; end//
create event f7 on schedule every 1 day disable do drop procedure p//
create event f8 on schedule every 1 day disable do begin declare a int; declare a int; end//
alter event e1 do begin execute u; end//
alter event e6 comment 'remark'//
alter event e7 do do 2//
alter event e8 do handler t open//
select event_name, event_body, event_definition, event_comment from information_schema.events where event_schema = database() order by event_name//
create trigger t1 before insert on t for each row execute s//
create trigger t2 before insert on t for each row begin if new.a > 1 then deallocate prepare s; end if; end//
create trigger t3 before insert on t for each row prepare s from 'select 1'//
insert into t values (5, 'y')//
delimiter ;
prepare s from 'create definer=root@localhost event p1 on schedule every 1 day disable do insert into t values (6, null)';
execute s;
execute s;
prepare s from 'alter event p1 comment "remark"';
execute s;
select event_definition, event_comment from information_schema.events where event_schema = database() and event_name = 'p1';
prepare s from 'drop event p1';
execute s;
execute s;
