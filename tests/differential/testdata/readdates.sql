-- STR_TO_DATE: spaces, what a format makes of a value, days of times; the days of the year 0.
select str_to_date('04 /30/2004', '%m /%d/%Y'), str_to_date('04/30 /2004', '%m /%d /%Y'), str_to_date('04/30 /2004 ', '%m/%d /%Y');
select str_to_date('02 10:11:12', '%d %H:%i:%S.%f');
set sql_mode = '';
select str_to_date('02 10:11:12', '%d %H:%i:%S.%f'), str_to_date('02 10:11:12', '%d %H:%i:%S'), str_to_date('02 10', '%d %f');
create table t1 select str_to_date('2003-01-02 10:11:12.0012', '%Y-%m-%d %H:%i:%S.%f') as f1, str_to_date('10:11:12.0012', '%H:%i:%S.%f') as f2, str_to_date('2003-01-02', '%Y-%m-%d') as f3, str_to_date('02', '%d') as f4, str_to_date('02 10', '%d %H') as f5;
describe t1;
select * from t1;
create table t2 (date varchar(50), format varchar(50));
insert into t2 values ('2003-01-02 10:11:12', '%Y-%m-%d %H:%i:%S'), ('10:20:10AM', '%h:%i:%s'), ('2003-01-02', '%Y-%m-%d'), ('02 10', '%d %H');
select str_to_date(date, format), date(str_to_date(date, format)), time(str_to_date(date, format)), str_to_date(date, format) + 0, cast(str_to_date(date, format) as datetime) from t2;
create table t3 select str_to_date(date, format) x from t2;
describe t3;
select * from t3;
select date_format('0000-01-01', '%W %d %M %Y'), date_format('0000-02-28', '%W %a %w'), dayname('0000-02-28'), date_format('0000-03-01', '%W'), dayname('0000-03-01');
