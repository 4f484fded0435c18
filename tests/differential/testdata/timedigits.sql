-- Digits of the second of what functions of times make: values, types and lengths.
set time_zone = '+00:00';
create table t (id int primary key, t0 time, t3 time(3), t6 time(6), da date, d0 datetime, d3 datetime(3), v varchar(30), dc decimal(10,2), f double, i int);
insert into t values (1, '10:11:12', '10:11:12.123', '10:11:12.123456', '2020-01-02', '2020-01-02 03:04:05', '2020-01-02 03:04:05.678', '10:11:12.5', 1.25, 1.5, 7), (2, null, null, null, null, null, null, null, null, null, null), (3, '-00:10:00', '-00:00:00.5', '00:00:00.000001', '1999-12-31', '1999-12-31 23:59:59', '2000-01-01', '2020-01-01 10:00:00.25', 59.5, 59.25, 101112);
-- sorted
select from_unixtime(dc), from_unixtime(f), from_unixtime(i), sec_to_time(dc), sec_to_time(f), sec_to_time(i), maketime(1, 2, dc), maketime(1, 2, f), maketime(1, 2, i) from t where id < 3;
-- sorted
select time(t0), time(t3), time(t6), time(d0), time(d3), time(da), time(dc), time(f), time(i) from t where id < 3;
-- sorted
select addtime(t0, t3), addtime(t3, t6), subtime(t0, 1.25), addtime(t0, dc), addtime(t0, i), subtime(d0, t3), addtime(d3, t6), addtime(da, t0), subtime(d0, '00:00:01.5'), addtime(t0, d0) from t where id < 3;
-- sorted
select timediff(t0, t3), timediff(t3, t6), timediff(d0, d3), timediff(d0, da), timediff(t0, '00:00:01'), timediff(v, t0), timediff(t0, i), timediff(d0, t0) from t;
-- sorted
select cast(t6 as time), cast(t6 as time(2)), cast(d3 as time(1)), cast(dc as time(1)), cast(f as time(1)), cast(i as time(3)), cast(v as time(4)), timestamp(d0, t3), timestamp(da, t0), timestamp(d3) from t where id < 3;
select from_unixtime(1.5), from_unixtime(1), from_unixtime(1e0), from_unixtime(1.1234567), from_unixtime('1.5'), sec_to_time(1.5), sec_to_time('1.5'), sec_to_time(1.9999999), maketime(1, 2, 3.5), maketime(-1, 2, '3.5'), maketime(1, 2, 59.9999999);
select time('10:11:12.1'), time('10:11:12'), time('10:11:12.1234567'), time(101112.50), time(1e1), cast('10:11:12.999999' as time(3)), cast('23:59:59.9' as time), timediff('10:00:00.5', '09:00:00'), timediff('2020-01-01 00:00:00', '2020-01-02 00:00:00.5'), timediff(100000.5, 95959), timediff('10:00:00', '2020-01-01 00:00:00');
select concat(from_unixtime(1.5)), concat(sec_to_time(1.5)), concat(maketime(1, 2, 3.5)), length(cast('1:1:1' as time(3))), sec_to_time(1.5) + 0, time('10:11:12.1') + 0, maketime(1, 2, 3.5) + 0, from_unixtime(1.5) + 0;
-- sorted
select concat(time(t3)), concat(timediff(t6, t0)), concat(cast(t6 as time(2))), max(time(t3)) from t group by id;
select sec_to_time(1.5) union select t0 from t where id = 1;
select * from (select time(t3) a, addtime(d0, t3) b, sec_to_time(2.5) c, from_unixtime(2.5) d from t where id = 1) q;
select date_add(time(t3), interval 1 second), date_add(from_unixtime(1.5), interval 1 second), extract(microsecond from time(t3)), microsecond(maketime(1, 2, 3.25)), time_format(sec_to_time(1.5), '%f') from t where id = 1;
select addtime('2020-01-01', '1:1:1'), addtime('2020-01-01 00:00:00.1', '1:1:1.123456'), addtime('10:11', '1'), addtime('10:11:12.1234567', '0'), addtime('1:1:1', '2020-01-01 00:00:00'), addtime('abc', '1:1:1'), addtime('1:1:1', 'abc');
show warnings;
select addtime('838:00:00', '2:00:00'), addtime('9999-12-31 23:59:59', '00:00:01'), subtime('0001-01-01 00:00:00', '00:00:01'), addtime('2020-02-29 23:59:59.999999', '0.000001');
show warnings;
select timediff('2020-01-01 10:00:00', '1000-01-01 00:00:00');
show warnings;
select unix_timestamp(20200101), unix_timestamp(20200101101112), unix_timestamp(d0), unix_timestamp(d3) from t where id = 1;
create table kept (a varchar(40), b time(2), c datetime(1), d double, e decimal(30,8), f bigint);
insert into kept select time(t3), time(t6), addtime(d3, t3), sec_to_time(2.5), maketime(1, 2, 3.25), time(t3) from t where id = 1;
insert into kept values (sec_to_time(1.5), sec_to_time(1.25), from_unixtime(1.25), time('1:1:1.5'), addtime(time'1:1:1.25', '1'), timediff('10:00:00.6', '9:00:00'));
select b, c, d, e, f from kept order by b;
