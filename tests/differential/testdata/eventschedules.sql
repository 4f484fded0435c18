-- When events run: expressions of all kinds in schedules, times that have passed, SHOW EVENTS.
set time_zone='+00:00';
set timestamp=unix_timestamp('2037-05-05 10:00:00');
create table l(a int);
create event e1 on schedule at now() - interval 1 hour do insert into l values(1);
show warnings;
select event_name from information_schema.events where event_schema=database();
create event e2 on schedule at now() - interval 1 hour on completion preserve do insert into l values(1);
show warnings;
create event e3 on schedule at current_timestamp + interval 1 hour do insert into l values(1);
create event e4 on schedule at current_timestamp() + interval 1 day + interval 2 hour do insert into l values(1);
create event e6 on schedule at date_add(now(), interval 3 day) do insert into l values(1);
create event e7 on schedule at '2037-06-06 00:00:00' + interval 1 week do insert into l values(1);
create event e8 on schedule every 1 hour starts current_timestamp + interval 10 minute - interval 5 minute ends current_timestamp + interval 1 year do insert into l values(1);
create event e9 on schedule every 1 hour starts now() - interval 10 minute ends '2037-12-31' + interval 1 hour do insert into l values(1);
create event e10 on schedule every 1 hour starts '2037-06-01' ends '2037-05-06' do insert into l values(1);
create event e11 on schedule every 1 hour ends now() - interval 1 day do insert into l values(1);
show warnings;
create event e12 on schedule every 1 hour ends now() - interval 1 day on completion preserve do insert into l values(1);
show warnings;
create event e12 on schedule every 1 hour starts now() - interval 2 day ends now() - interval 1 day do insert into l values(1);
show warnings;
create event e13 on schedule every 1 hour starts now() - interval 2 day ends now() - interval 1 day on completion preserve do insert into l values(1);
show warnings;
create event e14 on schedule at null do insert into l values(1);
create event e15 on schedule at 'x' do insert into l values(1);
create event e16 on schedule at 5 + 5 do insert into l values(1);
create event e17 on schedule every 0 second do insert into l values(1);
create event e18 on schedule every -1 second do insert into l values(1);
create event e19 on schedule every null second do insert into l values(1);
create event e20 on schedule every '1:1' minute_second do insert into l values(1);
create event e21 on schedule every 1+1 day do insert into l values(1);
create event e23 on schedule at (now() + interval 1 day) do insert into l values(1);
create event e24 on schedule at concat(current_date + interval 1 day, ' 12:00:00') do insert into l values(1);
create event e26 on schedule at timestamp '2037-07-07 01:02:03' do insert into l values(1);
create event e27 on schedule at current_date + interval 1 day + interval 3 hour do insert into l values(1);
create event e28 on schedule at now() + interval 1 day on completion preserve disable comment 'x' do insert into l values(1);
create event e29 on schedule at interval 1 day + now() do insert into l values(1);
create event e30 on schedule at from_unixtime(2127000000) do insert into l values(1);
create event e31 on schedule every 1 day starts current_date + interval 1 day do insert into l values(1);
create event e32 on schedule every 1 day starts (timestamp(current_date) + interval 1 day + interval 2 hour) do insert into l values(1);
create event e34 on schedule at localtime + interval 1 day do insert into l values(1);
create event e35 on schedule at localtimestamp() + interval 1 day do insert into l values(1);
create event e36 on schedule at sysdate() + interval 1000 day do insert into l values(1);
set @w = '2037-11-11 11:11:11';
create event e37 on schedule at @w do insert into l values(1);
create event e38 on schedule at adddate(@w, 1) do insert into l values(1);
create event e39 on schedule at (select max(a) from l) do insert into l values(1);
create event e40 on schedule at date('2037-11-11') do insert into l values(1);
create event e41 on schedule at 20371111121212 do insert into l values(1);
create event e42 on schedule at '2040-11-11' do insert into l values(1);
create event e43 on schedule at '1969-11-11' do insert into l values(1);
select event_name, event_type, execute_at, interval_value, interval_field, starts, ends, status, on_completion from information_schema.events where event_schema=database() order by length(event_name), event_name;
show warnings;
alter event e4 on schedule at now() - interval 1 day;
show warnings;
alter event e4 on schedule at now() - interval 1 day on completion preserve;
show warnings;
show warnings;
alter event e6 on schedule every 1 day ends current_timestamp + interval 5 day;
alter event e7 rename to e7b;
alter event e3 on completion preserve rename to e3b disable comment 'abc' do set @x = 1;
select event_name, event_type, execute_at, interval_value, interval_field, starts, ends, status, on_completion from information_schema.events where event_schema=database() and event_name in ('e4','e6','e7b','e3b') order by length(event_name), event_name;
show create event e5;
show create event e8;
show create event e9;
show create event e26;
show create event e20;
create event s1 on schedule every 1 day starts '2037-01-01' do set @a=1;
create event s2 on schedule every 2 hour starts '2037-01-01' disable comment 'x' do set @a=1;
-- mask: Originator, Db
show events like 's%';
-- mask: Originator, Db
show events where name = 's2';
-- mask: Originator, Db
show events where status like 'DIS%' and type='RECURRING';
-- mask: Originator, Db
show events from diff_eventschedules like '%1';
-- mask: Originator, Db
show events in diff_eventschedules where `interval value` = '2';
-- mask: Originator, Db
show events from nosuch;
-- mask: Originator, Db
show events like 'S1';
-- without a current database
-- as: root
show events;
-- as: root
show events like 'a%';
-- mask: Originator, Db
-- as: root
show events from diff_eventschedules like 's%';
-- as: root
show create event s1;
-- as: root
drop event s1;
-- as: root
drop event diff_eventschedules.s1;
-- as: root
create event s1 on schedule every 1 day do set @a=1;
-- as: root
create event diff_eventschedules.s3 on schedule every 1 day do set @a=1;
