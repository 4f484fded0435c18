-- Date and time functions.

set timestamp = 1718454896.123456;
select now(), now(3), now(6), current_timestamp, current_timestamp(), localtime, localtimestamp(2), curdate(), current_date, curtime(), curtime(3), current_time, utc_date(), utc_time(), utc_timestamp(), sysdate() > '2020-01-01', unix_timestamp(), unix_timestamp('2024-01-01'), unix_timestamp('2024-01-01 00:00:00.5'), from_unixtime(0), from_unixtime(1718454896.5), from_unixtime(1718454896, '%Y');
select now() + 0, curdate() + 0, curtime() + 0, now(3) + 0, now() + 1;
-- differs: another type or flag of the column, the same value
select year('2024-02-29'), month('2024-02-29'), day('2024-02-29'), dayofmonth('2024-02-29'), dayofweek('2024-02-29'), weekday('2024-02-29'), dayofyear('2024-02-29'), week('2024-02-29'), week('2024-02-29', 3), weekofyear('2024-02-29'), yearweek('2024-02-29'), quarter('2024-02-29'), dayname('2024-02-29'), monthname('2024-02-29'), last_day('2024-02-01'), to_days('2024-02-29'), from_days(739310), to_seconds('2024-02-29');
select hour('12:34:56.789'), minute('12:34:56'), second('12:34:56'), microsecond('12:34:56.789'), time_to_sec('12:34:56'), sec_to_time(45296), maketime(12, 34, 56), makedate(2024, 60), time('2024-01-01 12:34:56.7'), date('2024-01-01 12:34:56'), timestamp('2024-01-01'), timestamp('2024-01-01', '12:00:00');
select date_add('2024-01-31', interval 1 month), date_sub('2024-03-31', interval 1 month), date_add('2024-01-01', interval 1 day), date_add('2024-01-01', interval 1 hour), date_add('2024-01-01 10:00:00', interval -90 minute), date_add(date'2024-01-01', interval 1 day), date_add(date'2024-01-01', interval 1 second), date_add(now(), interval '1 2' day_hour), date_add('2024-01-01', interval 1.5 second), date_add('2024-02-29', interval 1 year), adddate('2024-01-01', 31), subdate('2024-01-01', 1), '2024-01-01' + interval 1 week, interval 1 day + '2024-01-01', date'2024-01-01' - interval 1 quarter;
select datediff('2024-03-01', '2024-02-01'), datediff('2024-03-01 23:59:59', '2024-03-01'), timediff('12:00:00', '10:30:00'), timediff('2024-01-02 00:00:00', '2024-01-01 12:00:00'), timestampdiff(day, '2024-01-01', '2024-02-01'), timestampdiff(month, '2024-01-31', '2024-02-29'), timestampdiff(second, '2024-01-01', '2024-01-01 00:01:00'), timestampdiff(year, '2000-02-29', '2024-02-28'), timestampadd(hour, 2, '2024-01-01'), addtime('10:00:00', '01:30:00'), addtime('2024-01-01 23:00:00', '02:00:00'), subtime('10:00:00', '00:00:00.5'), period_add(202401, 2), period_diff(202403, 202401);
select date_format('2024-02-29 13:04:05.678', '%Y-%m-%d %H:%i:%s.%f'), date_format('2024-02-29', '%a %b %c %D %e %j %k %l %M %p %r %T %u %W %w %y %%'), date_format('2024-02-29', '%U %u %V %v %X %x'), time_format('13:04:05', '%h:%i %p'), get_format(date, 'EUR'), str_to_date('29.02.2024', '%d.%m.%Y'), str_to_date('2024-02-29 13:04:05', '%Y-%m-%d %H:%i:%s'), str_to_date('13:04', '%H:%i'), str_to_date('Feb 29 2024', '%b %d %Y'), str_to_date('abc', '%Y');
show warnings;
select extract(year from '2024-02-29'), extract(month from '2024-02-29'), extract(day_hour from '2024-02-29 13:04:05'), extract(microsecond from '2024-02-29 13:04:05.678'), extract(year_month from '2024-02-29');
-- differs: go-mysql-server gives another value
select convert_tz('2024-01-01 12:00:00', '+00:00', '+05:30'), convert_tz('2024-01-01 12:00:00', 'UTC', '+01:00'), convert_tz(null, '+00:00', '+01:00');
select date'2024-02-29', time'12:34:56', timestamp'2024-02-29 12:34:56.78', {d '2024-01-01'}, {ts '2024-01-01 10:00:00'}, {t '10:00:00'};
select date'2024-02-30';
select '2024-01-01' = date'2024-01-01', '2024-1-1' = date'2024-01-01', date'2024-01-01' = '20240101', date'2024-01-01' = 20240101, date'2024-01-01' < '2024-01-01 00:00:01', timestamp'2024-01-01 00:00:00' = date'2024-01-01', time'10:00' > '09:00:00';
-- differs: another type or flag of the column, the same value
select date('2024-13-01'), year('abc'), hour('abc'), date_add('abc', interval 1 day), last_day('2024-00-00');
show warnings;
select date_add('9999-12-31', interval 1 day), from_unixtime(-1), from_unixtime(32536771200), makedate(2024, 0), maketime(12, 60, 0), sec_to_time(999999999);
select cast('2024-02-29 12:34:56.789' as datetime), cast('2024-02-29 12:34:56.789' as datetime(2)), cast('2024-02-29 12:34:56' as date), cast('12:34:56.789' as time), cast(now() as date), cast(now() as time), cast(now() as char), cast(now() as unsigned), cast(now(6) as decimal(20,6)), cast(curdate() as datetime), cast(20240229 as date), cast(123456 as time);
create table d (id int primary key auto_increment, d date, dt datetime(3), t time, key (d), key (dt));
insert into d (d, dt, t) values (curdate(), now(3), curtime()), ('2024-01-01', '2024-01-01 12:00:00.5', '01:00'), (null, null, null);
select d + interval 1 day, dt + interval 1 hour, d - interval 1 month, dt - d, unix_timestamp(dt) from d order by id;
select * from d where d >= '2024-06-01' order by id;
select * from d where dt between '2024-01-01' and '2024-01-02';
select * from d where date(dt) = '2024-01-01';
select * from d where d = '2024-01-01 00:00:00';
select * from d where d = 'garbage';
select max(d), min(dt), max(t), avg(t), sum(t), count(d) from d;
select year(d)*100 + month(d) ym, count(*) from d group by ym order by ym;
-- differs: go-mysql-server gives another value
select ifnull(d, '1970-01-01'), coalesce(dt, now()), if(d is null, now(), d), greatest(d, dt), case when d is null then curdate() else d end from d order by id;
select date_format(d, '%Y-%m'), time_format(t, '%H'), concat(d, ''), concat(dt), concat(t) from d order by id;
select timestampdiff(minute, dt, now(3)), datediff(now(), d), timediff(now(3), dt) from d order by id;
-- differs: another type or flag of the column, the same value
select @@timestamp > 0, unix_timestamp(now());
set timestamp = default;
select now() > '2024-01-01', sysdate() >= now();
set time_zone = 'SYSTEM';
select @@time_zone, @@session.time_zone, @@global.time_zone;
set time_zone = '+02:00';
select from_unixtime(0), unix_timestamp('1970-01-01 02:00:00'), convert_tz('2024-01-01 00:00:00', '+00:00', @@session.time_zone);
set time_zone = 'bogus';
