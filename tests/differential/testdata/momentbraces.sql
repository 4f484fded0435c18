-- {d 'text'} and its like are the text itself where it is none; dates without a month or a day are not rounded up.
select {d'2001-01-01 10:10:10'}, {d'2001-01-01'}, {t'10:10:10'}, {t'2001-01-01'}, {ts'2001-01-01'}, {ts'2001-01-01 10:10:10.5'};
select {d '2001-13-01'}, {x 1}, {t '10:10:10 x'};
create table b select {d'2001-01-01'}, {d'2001-01-01 10:10:10'};
show create table b;
select timestamp'2001-00-00 00:00:00.9999999';
set sql_mode = '';
select timestamp'2001-00-00 00:00:00.9999999';
create table p (a datetime(6), b datetime, c datetime(3), d date);
insert into p values ('2001-00-00 00:00:00.9999999', '2001-00-00 00:00:00.9999999', '2001-00-00 00:00:00.9999999', '2001-00-00 00:00:00.9999999');
show warnings;
insert into p values ('2001-00-01 00:00:00.9999994', '2001-00-01 00:00:00.9999994', '2001-00-01 00:00:00.9999994', null);
insert into p values ('2001-01-00 00:00:00.5', '2001-01-00 00:00:00.5', '2001-01-00 00:00:00.5', null);
insert into p values ('2001-01-00 00:00:00.4', '2001-01-00 00:00:00.4', '2001-01-00 00:00:00.4', null);
select * from p;
select cast('2001-01-00 00:00:00.5' as datetime), cast('2001-01-00 00:00:00.4' as datetime);
select json_value('{"a": "2019-01-01 11:11::11"}', '$.a' returning datetime), json_value('{"a": "2019-01/01"}', '$.a' returning date);
select json_value('{"a": "10:11:12"}', '$.a' returning time), json_value('{"a": "2019-01-01 11:11:11"}', '$.a' returning datetime), json_value('{"a": "2019-01-01"}', '$.a' returning datetime);
select json_value('{"a": 20190101}', '$.a' returning date), json_value('{"a": "x"}', '$.a' returning date default '2001-01-01' on error);
