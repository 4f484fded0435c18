-- Days that do not exist, and texts and numbers that are read as dates.
select cast('2024-02-30' as date), cast('2024-13-01' as date), cast('2024-00-00' as date), cast('0000-00-00' as date), cast('abc' as date), cast('' as date);
select cast('2024-02-30' as datetime), cast('2024-02-28 25:00:00' as datetime), cast('2024-02-28 10:61:00' as datetime), cast('2023-02-29 10:11:12' as datetime);
select date('2024-02-30'), adddate('2024-02-30', 1), date_sub('2024-13-01', interval 1 month), '2024-02-30' + interval 1 day, subdate('2024-02-30', 1);
select last_day('2024-02-30'), to_days('2024-13-01'), concat(year('2024-02-30')), month('abc'), day('2024-01-32'), datediff('2024-02-30', '2024-01-01'), datediff('2024-01-01', '2024-02-30');
select dayname('2024-02-30'), monthname('2024-13-01'), week('2024-02-30'), quarter('2024-13-01'), dayofyear('2024-02-30'), weekday('2024-02-30');
-- text
select date_format('2024-13-01', '%Y'), timestampadd(day, 1, '2024-02-30'), timestampdiff(day, '2024-02-30', '2024-03-01'), extract(day from '2024-02-30'), to_seconds('abc'), convert_tz('2024-02-30 00:00:00', '+00:00', '+01:00') is null as zoned;
select cast('2024-02-28x' as date), cast('2024-02-28x' as datetime), cast('2024-02-28 10:11:12x' as datetime), adddate('2024-02-28x', 1), concat(year('2024-02-28x')), date_format('2024-02-28 10:11:12x', '%H'), datediff('2024-02-28x', '2024-01-01');
select cast('05-1-1' as date), cast('70-1-1' as date), cast('240228' as date), cast('20240228' as date), cast('240228101112' as datetime), cast('20240228T101112' as datetime), cast('2024-02-28 1:2:3' as datetime);
select cast('2024-02-28 10' as datetime), cast('2024-02-28 1:2' as datetime), cast('2024-02-28 10:11:12.5678' as datetime(2)), cast('2024-02-28 23:59:59.9' as date), cast(x'323032342d30322d3238' as date);
select cast(20240228 as date), cast(240228 as date), cast(20240228101112 as datetime), cast(101 as date), cast(5 as date), cast(0 as date), cast(-1 as date), cast(20240230 as date), cast(20240228.5 as date), cast(1.5e0 as date);
select concat(year(20240228)), month(240228), date(20240228101112), adddate(20240228, 1), date_format(20240228, '%d'), to_days(20240228), datediff(20240228, 20240101), last_day(20240228);
select hour('25:00:00'), hour('10:11:12'), minute('10:11'), second('101112'), time_to_sec('-10:11:12'), hour('2024-13-01 10:11:12'), hour('2024-02-28 10:11:12'), microsecond('10:11:12.5'), hour('-10:11:12'), hour('900:00:00'), hour('1 10:11:12');
select hour(cast('25:10:05' as time)), time_to_sec(cast('25:10:05' as time)), hour(101112), hour(8390000), minute('10:61:00'), second('abc'), hour('2024-02-28');
select cast('2024-02-30' as time), cast('25:61:00' as time), cast('839:00:00' as time), cast('10:' as time), cast('10:11:12.5678' as time), cast('24:00:00' as time), cast('1000000' as time), cast(106100 as time), cast(20240228101112 as time), cast('' as time);
select time('1 10'), time('-1'), time('2024-02-28'), time('10:11:12x'), time(101112), time(cast('2024-02-28 10:11:12' as datetime));
select extract(hour from '25:00:00'), extract(hour_minute from '-10:11:12'), extract(minute_second from '10:11:12'), extract(second_microsecond from '10:11:12.000005'), extract(day from '2024-02-28');
select str_to_date('2024-02-30', '%Y-%m-%d'), str_to_date('31/02/2024', '%d/%m/%Y'), str_to_date('2024', '%Y'), str_to_date('10:61', '%H:%i'), str_to_date('13 PM', '%h %p'), str_to_date('2024 -02', '%Y-%m'), str_to_date('', '%Y'), str_to_date('3 xyz 2024', '%e %b %Y');
select str_to_date('10:11 PM', '%h:%i %p'), str_to_date('12:30 AM', '%h:%i %p'), str_to_date('10:11:12 PM', '%r'), str_to_date('22:11:12', '%T'), str_to_date('60 2024', '%j %Y'), str_to_date('Feb 2 70', '%b %e %y'), str_to_date('Mon February 2nd 2024', '%a %M %D %Y'), str_to_date('5-1-1', '%Y-%m-%d');
select str_to_date('2024-02-28x', '%Y-%m-%d'), str_to_date('2024-02-28 10:11:12x', '%Y-%m-%d %H:%i:%s'), str_to_date('09:30:17a', '%h:%i:%s'), str_to_date('2024-02-03 10', '%Y-%m-%d %H:%i'), str_to_date('...2024-02-03', '%.%Y-%m-%d'), str_to_date('ab2024-02-03', '%@%Y-%m-%d'), str_to_date('2024-02-28 10:11:12.5', '%Y-%m-%d %H:%i:%s.%f');
-- params: ["2024-02-30", "2024-02-28"]
select adddate(?, 1) is null as shifted, cast(? as date);
create table t (id int primary key, s varchar(20));
insert into t values (1, '2024-02-28'), (2, '2024-02-30'), (3, NULL), (4, '24.2.1');
select id, date(left(s, 10)), concat(year(s)) from t where id < 4 order by id;
select id from t where date(s) is null and id < 4 order by id;
set sql_mode = '';
select cast('0000-00-00' as date), cast('0000-00-00' as datetime), date('0000-00-00'), adddate('2024-02-30', 1), cast('2024-02-30' as date);
set sql_mode = 'ALLOW_INVALID_DATES';
select cast('2024-01-32' as date), adddate('2024-02-30', 1);
set sql_mode = default;
