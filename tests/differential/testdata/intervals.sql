-- Intervals of one number and of several, with the numbers that are missing, signs, fractions of seconds, and what is too far away; EXTRACT of several units; TIMESTAMP of a date and a time.
set @d = '2020-01-01 10:00:00';
select @d + interval '-1:30' hour_minute, @d + interval '' hour_minute, @d + interval 'abc' hour_minute, @d + interval '- 1 30' hour_minute, @d + interval null hour_minute, @d + interval '1:5:' hour_minute, @d + interval 'x-1:5' hour_minute;
select @d + interval 1.5 hour_minute, @d + interval 90 hour_minute, @d + interval -90 minute_second, @d + interval 1e3 minute_second, @d + interval '5' day_second, @d + interval '1 5' day_second;
select @d + interval '1.5' second_microsecond, @d + interval '5' second_microsecond, @d + interval '1.1234567' second_microsecond, @d + interval '1.05' minute_microsecond, @d + interval '1:1:1.5' hour_microsecond, @d + interval '1 1:1:1.5' day_microsecond;
select @d + interval '1 2' day_hour, @d + interval '1 2:3' day_minute, @d + interval '1:2:3' hour_second, interval '1:1' DAY_SECOND + @d, @d - interval '1-2' year_month;
select date_add(date '2020-01-31', interval '0-1' year_month), date_add('2020-01-31', interval '-1-1' year_month), adddate('2020-01-01', interval '1 1' day_hour), date_sub('2020-01-01', interval '1 0' day_hour), subdate('2020-01-01', interval '1000 0' day_hour), adddate('2020-01-01', 31), adddate('2020-01-01', '1x');
select date_add('9999-01-01', interval '1-0' year_month), date_add('2020-01-01', interval 3000000 hour), date_add('2020-01-01', interval '10000000000' day), date_sub('0001-01-01', interval 2 year);
show warnings;
select time '10:00:00' + interval '1:30' hour_minute, time '10:00:00' - interval '20:00:00' hour_second;
select '10:00:00' + interval 1 hour, 20200101 + interval '1:1' minute_second, 'x' + interval '1:1' minute_second;
show warnings;
select date '2020-01-01' + interval 1 microsecond, date '2020-01-01' + interval '1.5' second_microsecond, cast(@d as datetime) + interval '1 1' day_hour, cast(@d as datetime(3)) + interval '1 1' day_hour, cast(@d as datetime) + interval 1.5 second, date '2020-01-01' + interval 2.5 second;
select '2020-01-01' + interval '1.0' second, @d + interval 1.234567891 second, @d + interval '1x' second, @d + interval 2 second, @d + interval -1.5 second;
show warnings;
select @d + interval '1x' day, @d + interval 'x' hour, @d + interval 1.5 day, @d + interval 2.5 day, @d + interval '1.6' day, @d + interval '' day;
show warnings;
create table t (id int primary key, a datetime, d date, s varchar(20), n decimal(5,2), g datetime as (a + interval '1:30' hour_minute), h date as (d - interval '1-1' year_month), f datetime(6) as (a + interval n second) stored);
insert into t (id, a, d, s, n) values (1, '2020-01-01 10:00:00', '2020-05-31', '1 2:3', 1.25), (2, null, null, '1:2', -3.5), (3, '2020-02-29 23:59:59', '2020-02-29', null, null);
select id, g, h, f, a + interval s day_minute, a - interval n second, a + interval n minute_second from t order by id;
select id, date_add(a, interval '1 1:1:1' day_second) from t where a + interval '0:0:1' hour_second > '2020-01-01' order by a + interval '1:1' hour_minute;
select sum(n) over (order by a range between interval '1:1' hour_minute preceding and current row) x from t order by id;
create view v as select id, a + interval '1:30' hour_minute, d - interval '1 2' day_hour as q from t;
select q, `a + interval '1:30' hour_minute` from v order by id;
select view_definition like '%hour_minute%' and view_definition not like '%`hour_minute`%' x from information_schema.views where table_schema = database();
create procedure p(x varchar(10)) select cast('2020-01-01' as datetime) + interval x hour_minute as r, date_sub('2020-01-01', interval x day_hour);
call p('1:1');
-- mask: character_set_client, collation_connection, Database Collation
show create procedure p;
create event e on schedule every '1:30' hour_minute starts '2030-01-01' + interval '1 2' day_hour do select 1;
select interval_value, interval_field, starts from information_schema.events where event_name = 'e' and event_schema = database();
drop event e;
select extract(day_microsecond from '2020-01-02 03:04:05.6'), extract(day_second from '2020-01-02 03:04:05.6'), extract(day_minute from '10:00:00'), extract(day_hour from time '34:00:00'), extract(day_second from -1), extract(day_hour from '2 10:00:00'), extract(day_microsecond from '-10:00:00.5'), extract(day_hour from 20200102030405), extract(day_hour from '2020-01-02'), extract(year_month from '2020-01-02'), extract(minute_microsecond from '03:04:05.6');
select timestamp('2020-01-01'), timestamp('2020-01-01 10:00:00.123'), timestamp(20200101), timestamp('2020-01-01', '1 10:00:00'), timestamp('2020-01-01', '25:00:00.5'), timestamp('2020-01-01 10:00:00', '-1:00'), timestamp(null), timestamp('2020-01-01', null), timestamp('2020-01-01', 101010);
-- text
select timestamp('x') is null, timestamp('2020-01-01', 'x') is null, timestamp('x', '10:00') is null;
show warnings;
