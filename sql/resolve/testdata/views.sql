create table t1 (a int primary key, b int, c varchar(20), d datetime, key(b));
create table t2 (a int primary key, b int, e int, j json);
create table t3 (x int, y int, z int);
create view v as select * from t1
create view v as select a, b+1, b + 1 as x, count(*) from t1 group by a, b
create view v as select t1.a q, t2.* from t1, t2 where t1.a=t2.a and t2.b>5
create view v as select 1 from t1, t2, t3
create view v as select 1 from t1 join t2 on t1.a=t2.a left join t3 on t3.x=t2.b and t3.y
create view v as select e, t1.b, a from t1 join t2 using(a)
create view v as select * from t1 natural join t2
create view v as select * from t1 left join t2 using (a,b)
create view v as select a, t2.b, c from t1 right join t2 using (a)
create view v as select 1 from t1 right join t2 on t1.a=t2.a
create view v as select 1 from t1 cross join t2 straight_join t3
create view v as select 1 from (t1, t2) left join t3 on t3.x=t1.a
create view v as select 1 from t1 left join (t2, t3) on t3.x=t1.a
create view v as select 1 from t1 left join (t2 join t3 on t2.a=t3.x) on t3.x=t1.a
create view v as select x.a from t1 as x, t1 y
create view v as select d.q from (select a as q, b from t1 where b > 1) d
create view v as select d.q from (select a, b from t1) d(q,r)
create view v as with c as (select a from t1), c2(z) as (select a from c) select * from c, c2
create view v as with recursive c as (select 1 as n union all select n+1 from c where n<5) select * from c
create view v as select a from t1 where a in (select b from t2)
create view v as select a from t1 where a not in (select b from t2)
create view v as select a from t1 where exists (select * from t2 where t2.a=t1.a)
create view v as select a from t1 where not exists (select * from t2 where t2.a=t1.a)
create view v as select a from t1 where a > all (select b from t2)
create view v as select a from t1 where a = any (select b from t2)
create view v as select a from t1 where a <> all (select b from t2)
create view v as select a, (select max(b) from t2 where t2.a = t1.a) from t1
create view v as select a, (select max(b) from t2 where t2.a = t1.a) as m from t1
create view v as select a as k, b from t1 order by k, b desc, 1
create view v as select b, count(*) as n from t1 group by b having n > 1 and b > 2 order by n
create view v as select b as a, count(*) as n from t1 group by a
create view v as select b, count(*) from t1 group by 1 order by 2
create view v as select distinct b from t1 limit 5
create view v as select b from t1 limit 5, 6
create view v as select b from t1 limit 5 offset 6
create view v as select a from t1 union select b from t2
create view v as select a from t1 union all select b from t2 union distinct select 5
create view v as (select a from t1 order by b limit 1) union all (select b from t2) order by a limit 3
create view v as select a from t1 for update
create view v as select sql_no_cache all high_priority a from t1
create view v as select straight_join sql_small_result a from t1
create view v as select row_number() over (partition by b order by a desc) r, sum(a) over w, rank() over (order by b rows between unbounded preceding and current row) from t1 window w as (order by b)
create view v as select lag(a,1,0) over (order by b), first_value(a) over (order by b range between 1 preceding and 2 following) from t1
create view v as select 'abc', "x", 1.5, NULL, true, 0x41, b'1', 1e10, -1, - a, -(a), date'2020-01-01' from t1
create view v as select '', 'abc ', ' x', concat('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
create view v as select case when a then b else 1 end, case a when 1 then 2 end, if(a,b,1), ifnull(a,b), nullif(a,b), coalesce(a,b) from t1
create view v as select a and b or not a, a xor b, !a, not a = b, a is true, a is not null, a between 1 and 2, a not between 1 and 2, a in (1,2), a not in (1,2), a like 'x', a not like 'x' from t1
create view v as select a + b, a - b, a * b, a / b, a div b, a % b, mod(a,b), a & b, a | b, a ^ b, ~a, a << 1, a >> 1 from t1
create view v as select now(), curdate(), current_timestamp, current_user(), user(), database(), version(), connection_id(), utc_timestamp(), sysdate(), uuid(), rand(), pi(), curtime(), localtime
create view v as select date_add(d, interval 1 day), d + interval 1 hour, adddate(d, 3), date_sub(d, interval '1:1' minute_second), extract(year from d), year(d), date(d), date_format(d,'%Y'), timestampdiff(day,d,d), day(d), datediff(d,d), to_days(d) from t1
create view v as select cast(a as char), cast(a as signed), cast(a as unsigned), cast(a as decimal(5,2)), convert(c using latin1), cast(c as date), cast(a as char(5) charset latin1), binary c, c collate utf8mb4_bin, cast(a as double), cast(c as json), cast(c as time(3)) from t1
create view v as select count(a), count(distinct a,b), sum(b), avg(b), min(c), max(c), group_concat(c), group_concat(distinct c order by b desc, a separator '|'), std(b), stddev_samp(b), var_pop(b), variance(b), bit_and(b), bit_or(b), json_arrayagg(b), json_objectagg(c,b), any_value(a), stddev(b), var_samp(b) from t1
create view v as select substring(c,1,2), substr(c,1), mid(c,1,2), left(c,1), right(c,2), trim(c), trim(both 'x' from c), trim(leading 'x' from c), ltrim(c), upper(c), ucase(c), lower(c), lcase(c), length(c), char_length(c), replace(c,'a','b'), insert(c,1,1,'x'), position('a' in c), locate('a',c), instr(c,'a'), concat_ws(',',c,c), lpad(c,1,'x'), reverse(c), char(65,66), hex(c), format(a,2), c regexp 'a', c rlike 'b', ascii(c), space(3), repeat(c,2), elt(1,c), field(c,'a'), find_in_set('a',c), strcmp(c,c), soundex(c), quote(c) from t1
create view v as select abs(a), ceil(a), ceiling(a), floor(a), round(a), round(a,2), truncate(a,1), power(a,2), pow(a,2), sqrt(a), exp(a), log(a), log(2,a), ln(a), sign(a), greatest(a,b), least(a,b), crc32(c), conv(a,10,2), bin(a), oct(a), isnull(a), interval(a,1,2) from t1
create view v as select j->'$.a', j->>'$.b', json_extract(j,'$.a'), json_object('a',a), json_array(a,b), json_contains(j,'1'), 1 member of (j), json_value(j,'$.a' returning signed), json_unquote(j) from t2
create view v as select * from json_table('[1,2]', '$[*]' columns (id for ordinality, x int path '$' default '5' on empty null on error, nested path '$.b' columns (y bigint path '$'))) jt
create view v as select (a,b) = (1,2), (a,b) in ((1,2),(3,4)), row(a,b) <=> row(1,2) from t1
create view v as select a from t1 where (a,b) in (select a,b from t2)
create view v as table t1
create view v as values row(1,2), row(3,4)
create view v as select t.a from t1 t, lateral (select t.a + t2.b as s from t2) l where l.s > 3
create view v as select a from t1 where a = 5 or (b = 3 and c = 'it''s') or c = "say \"x\""
create view v as select a from t1 where a and b and (a or b)
create view v as select a from t1 use index (b) where b = 2
create view v as select `a`.`a` from t1 `a` join (t2 as `b`) on a.a = b.a
create view v as select a `my col` from t1 where interval 1 day + d > now() - interval 2 week
create view v as select sum(distinct b), count(distinct b) from t1 having sum(b) > 3
create view v as select week(d), weekday(d), dayofweek(d), last_day(d), makedate(2020,1), maketime(1,2,3), addtime(d,'1:00'), timestamp(d), timestamp(d,'1:00'), time(d), from_unixtime(a), unix_timestamp(d), unix_timestamp(), str_to_date(c,'%Y'), period_add(a,1), sec_to_time(a), get_format(date,'usa'), weight_string(c), convert_tz(d,'a','b'), microsecond(d), from_days(a), timestampadd(hour,1,d), dayname(d), monthname(d), quarter(d), yearweek(d) from t1 where 1
create view v as select A, t1.B from t1
create view v as select sum(a) over w, max(b) over (w2 rows 1 preceding) from t1 window w as (order by b desc), w2 as (partition by c)
create view v as select t1.a from t1, t2 x left join t3 on t3.x = x.a, t3 z
create view v as select a from t1 where not (a in (select 1)) and not (a > all (select 2)) and not a
create view v as select (select 1), (select a from t1 limit 1) + 1, exists(select 1), a in (select 2) from t1
create view v as select t1.a from t1 join t2 on t1.a = t2.a and t1.b = t2.b join t3 on t3.x = t2.e where t1.c = 'x' and t2.e in (1,2,3)
create view v as select count(*), sum(a*2) s from t1 group by year(d), b+1 having count(*) > 1 and s < 100 order by s desc, max(c)
create view v as select x.n from (select count(*) n from t1 group by b) x where x.n > 1 order by 1
create view v as (select a from t1)
create view v as select a from t1 union (select b from t2 order by b limit 2) order by 1 desc
create view v as select if(a > 1, 'y', 'n') `yes or no`, 'it''s' from t1 where b <> 1 and b != 2 and c like '%x%' escape '|' and not c like 'y'
