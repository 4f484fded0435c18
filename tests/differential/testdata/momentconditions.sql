-- Dates and times as conditions hold unless their number is 0, in changes and joins too. Documents
-- are numbers in arithmetic and sums. SUBSTRING takes bytes, CONVERT_TZ leaves times that are no
-- instants.
create table d (id int primary key, da date, dt datetime(3), tm time(2), b int);
insert into d values (1, '1970-01-01', '1970-01-01', '00:00:00', 0), (2, '2024-02-29', '2024-02-29 10:00:00.5', '00:00:00.5', 0),
  (3, null, null, null, 0), (4, '2024-02-29', '2024-02-29 10:00:00.5', '-00:00:01', 0);
select id from d where addtime(tm, '00:00:01');
select id from d where maketime(0, 0, 0.5) and sec_to_time(0.5) and not time(tm);
select a.id, b.id from d a left join d b on b.tm and b.id = a.id and addtime(b.tm, '0');
update d set b = 5 where da;
select id, b from d;
update d set b = 6 where tm;
update d set b = 8 where not dt;
select id, b from d;
update d a join d b on a.id = b.id and b.da set a.b = 7;
select id, b from d;
delete from d where tm;
select id from d;
delete from d where da;
select id from d;

create table j (id int primary key, js json);
insert into j values (1, '{"a":1}'), (3, '"12"'), (5, '1.5'), (6, 'true'), (8, null);
select sum(js + 0), avg(js * 2) from j where id > 1;
select sum(js), avg(js) from j where id > 1;
select sum(js) over (order by id) from j where id > 1;
select abs(js), -js, js / 2, js % 2, sin(js) from j where id > 1;
select sum(js -> '$.b') from j;
select id, json_arrayagg(id > 3) over (order by id), json_objectagg(id, id in (1, 5)) over (order by id), json_arrayagg(id + 1) over () from j;

select hex(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', 5)), hex(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', -1)), hex(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', null)),
  hex(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', 256)), hex(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db', 0.4));
create table b (id int primary key, bl blob, s set('p', 'q'), vc varchar(20));
insert into b values (1, x'00ff41c3a9', 'p,q', 'añb日c'), (2, '', '', ''), (3, null, null, null);
select id, hex(substring(bl, 2)), hex(substr(bl, -2, 1)), hex(mid(bl, 2, 2)), hex(substring(bl from 0)), hex(substring(bl, 9)), json_quote(s) from b;
select id, hex(substring(bl, 2)), substring(vc, 2, 3), substring(vc, -2), substring(vc, 2, -1), substring(vc, 1.5, 2.5), substring(vc, null), substring(12345, 2, 2), id from b for update;
select distinct hex(substring(concat(bl, x'ff'), -1)), substring(s, 2) from b for update;
select convert_tz('1970-01-01 00:00:00', '+00:00', '+01:00'), convert_tz('1970-01-01 00:00:01', '+00:00', '+01:00'), convert_tz('1969-12-31 23:00:00', '+00:00', '+02:00'),
  convert_tz('1970-01-01 00:30:00', '+01:00', '+02:00'), convert_tz('3001-01-18 23:59:59', '+00:00', '+01:00'), convert_tz('3001-01-19 00:00:00', '+00:00', '+01:00'),
  convert_tz('2024-01-01', 'SYSTEM', '+25:00'), convert_tz('2024-01-01', null, '+01:00'), convert_tz('2024-01-01 10:00:00.25', '+00:00', '-01:30');
create table w (id int primary key, da date, dt datetime, bl blob, vc varchar(20));
insert into w values (1, '2024-01-01', '2024-01-01', x'ff', 'abc'), (2, '2024-01-01', '2024-01-01', '2024-01-01', '2024-01-01'), (3, '2024-01-01', '2024-01-01', 'abc', '');
select id from w where da = bl;
select id from w where dt in (vc, bl);
select id from w where dt between bl and '2024-02-01';
select id, case dt when bl then 1 else 0 end, da > bl, dt <=> bl, nullif(dt, bl) from w where id > 1 and bl <> 'abc';
