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
drop event e1;
drop event e2;
drop event e3;
drop event e4;
drop event e5;
drop event e6;
drop event e7;
drop event e8;
-- How events are described, and times that are past.
create event g1 on schedule every 1 hour starts '2020-01-01' on completion preserve disable comment 'it''s' do insert into t values (1, 'x');
create event g2 on schedule at '2020-01-01 10:00:00' do insert into t values (1, 'x');
create event g3 on schedule at '2020-01-01 10:00:00' on completion preserve do insert into t values (1, 'x');
create event g4 on schedule every 1 hour starts '2020-01-01' ends '2020-01-02' do insert into t values (1, 'x');
show warnings;
create event g5 on schedule every '1:30' minute_second starts '2020-01-01' ends '2020-01-02 10:00:00' on completion preserve do insert into t values (1, 'x');
show warnings;
create event g6 on schedule every 1 month starts '2030-01-31' disable on replica do insert into t values (1, 'x');
create definer = nobody@nowhere event g7 on schedule at '2030-01-01 10:00:00' disable do insert into t values (1, 'x');
alter event g1 disable on slave;
select event_name, definer, time_zone, event_type, execute_at, interval_value, interval_field, starts, ends, status, on_completion, last_executed, event_comment, character_set_client, collation_connection, database_collation from information_schema.events where event_schema = database() order by event_name;
show create event g1;
show create event g5;
show create event g6;
show create event g7;
drop event g1;
drop event g3;
drop event g5;
drop event g6;
drop event g7;
