-- A SELECT has one answer, however often it comes: its first run and those of its compiled program
-- read dates, times, documents and words alike.
create table k (id int primary key, da date, dt datetime(3), tm time(2), en enum('a','bb'), st set('p','q'), bt bit(3), js json, tx varchar(10));
insert into k values (1, '1970-01-01', '1970-01-01 00:00:01.000', '00:00:00', 'a', 'p', b'101', '0', 'a'),
 (2, '2024-02-29', '2024-02-29 23:59:59.999', '-00:00:01.5', 'bb', 'p,q', b'0', '{"a": 1}', '  x '), (3, null, null, null, null, null, null, null, null);

select id from k where da order by id;
select id from k where da order by id;
select id from k where da order by id;

select id from k where date(dt) order by id;
select id from k where date(dt) order by id;
select id from k where date(dt) order by id;

select id from k where tm order by id;
select id from k where tm order by id;
select id from k where tm order by id;

select id, not da, not tm from k order by id;
select id, not da, not tm from k order by id;
select id, not da, not tm from k order by id;

select distinct tx, id or tm from k order by tx;
select distinct tx, id or tm from k order by tx;
select distinct tx, id or tm from k order by tx;

select id, hex(tm), length(concat(tm, tx)) from k order by id;
select id, hex(tm), length(concat(tm, tx)) from k order by id;
select id, hex(tm), length(concat(tm, tx)) from k order by id;

select id, trim(ifnull(dt, null)) from k order by id;
select id, trim(ifnull(dt, null)) from k order by id;
select id, trim(ifnull(dt, null)) from k order by id;

select id, ifnull(st, char_length(tx)), if(id, en, 1) from k order by id;
select id, ifnull(st, char_length(tx)), if(id, en, 1) from k order by id;
select id, ifnull(st, char_length(tx)), if(id, en, 1) from k order by id;

select id, trim(both tx from en) from k order by id;
select id, trim(both tx from en) from k order by id;
select id, trim(both tx from en) from k order by id;

select id, en + 0, concat(st, en), bt + 1 from k order by id;
select id, en + 0, concat(st, en), bt + 1 from k order by id;
select id, en + 0, concat(st, en), bt + 1 from k order by id;

-- text
select id, not js from k order by id;
-- text
select id, not js from k order by id;
-- text
select id, not js from k order by id;

select count(*) from k group by id having max(da) order by id;
select count(*) from k group by id having max(da) order by id;
select count(*) from k group by id having max(da) order by id;

select id, case when tm then en else st end from k order by id;
select id, case when tm then en else st end from k order by id;
select id, case when tm then en else st end from k order by id;

select year(da), count(*) from k group by year(da) order by 1;
select year(da), count(*) from k group by year(da) order by 1;
select year(da), count(*) from k group by year(da) order by 1;

select id, da = '1970-01-01', tm < '00:00:01', json_type(js), date_format(dt, '%Y') from k order by id;
select id, da = '1970-01-01', tm < '00:00:01', json_type(js), date_format(dt, '%Y') from k order by id;
select id, da = '1970-01-01', tm < '00:00:01', json_type(js), date_format(dt, '%Y') from k order by id;

update k set id = id + 10 where da and tm;
update k set id = id + 10 where da and not tm;
update k set id = id + 10 where da and not tm;
select id from k order by id;
