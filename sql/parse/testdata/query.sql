SELECT 1 WITH foo bar
SELECT !!1
SELECT 5 =!0
SELECT 5 = !0
SELECT 1<>!1
SELECT 1=<2
SELECT @
SELECT @ a
SELECT /*!50000 1 /* x */ +1 */
SELECT /*!50000 1
SELECT /* 1
SELECT /*!99999 1 */ 2
SELECT /*!100000 1 */ 2
SELECT /*!90600 1 */ 2
SELECT /*M! 1*/ 2
SELECT /*!1*/ +2
SELECT /*!5000 1*/ +2
SELECT /*!500001*/ +2
SELECT /*!5000012*/ +2
SELECT /*!99999 /* x */ 1*/ 2
SELECT 0X10
SELECT 0x1, 0x, 0xg, 0b01, 0b2, 0B1
SELECT x'1'
SELECT x'41', X'', b'', B'01', b'2'
SELECT 1e1abc
SELECT 1.e FROM t
SELECT 1.e3, 1e, 1e+, 1e+1, .5, .5e1, 1., 1.5e-3
SELECT 1a
SELECT 1 select
SELECT 'abc
SELECT `abc
SELECT "abc
SELECT 1 from x'
SELECT _utf8
SELECT _foo
SELECT _utf8'a' 'b'
SELECT 1 FROM a.1b
SELECT 1 FROM a .1b
SELECT 1 FROM a. 1b
SELECT 1 FROM `a`.1b
SELECT select.a
SELECT 1 QUALIFY 1
select 1; select 2
select 1;
select 1;;
SELECT 1--1
SELECT 1--
SELECT count (1)
SELECT 1 from dual where a b
select @@
select @@global
select @@global.
select @@`x`, @@x.y, @@session.x, @@local.x.y, @@persist.x
select @`a b`:=1, @'x', @"y", @a.b, @a$b
select 1 into
select * from (select 1
select (1
select 1)
select 1 limit a
select 1 union select 2 order by 1 union select 3
select 1 order by 1 union select 2
select 1 limit 1 union select 2
select 1 into @a union select 2
select * from (select 1)
values row(1),row(2) order by 1
select 1 for update union select 2
(select 1 for update) union select 2
select 1 for update order by 1
select all distinct 1
select distinct all 1
select sql_cache 1
select high_priority high_priority sql_no_cache sql_calc_found_rows straight_join sql_small_result sql_big_result sql_buffer_result all 1
select 1 from .t
select .t.c
select 1 group by rollup(1)
select 1 from dual group by cube(1)
select 1 from dual group by grouping sets((1,2),())
select 1 from dual group by grouping sets((1,2),(),3)
select 1 from dual group by 1 desc
select 1 from dual group by 1 with rollup
select 1 from dual group by 1 with cube
select 1 from dual order by 1 with rollup
select * from (values row(1)) t tablesample bernoulli(10)
select * from t tablesample bernoulli(10)
select * from t tablesample bernoulli(10) as u
select * from t as u tablesample system(10)
select * from t as u use index(a) tablesample system(10)
select * from t as u tablesample system(10) use index(a)
select * from t as u tablesample system(@a)
select * from t as u tablesample system(1.5), v
select * from t tablesample system(10) repeatable (1)
select * from t u use index(a) force index for join (b,primary) ignore key for order by (c), t2 v use key for group by ()
select * from t force index ()
table t order by 1 limit 1
select 1 limit 1 offset 2
select 1 limit 1,2
select 1 limit 99999999999999999999
select 1 limit -1
select 1 limit 1.5
select 1 limit 0x1
select 1 from dual for update of a, b nowait for share of c skip locked
select 1 lock in share mode for update
select 1 lock in share mode into @a
select 1 into @a lock in share mode
select 1 into @a from dual into @b
select 1 into outfile 'x' character set utf8mb4 fields terminated by ',' optionally enclosed by '"' escaped by '\\' lines starting by 'x' terminated by 'y'
select 1 into outfile 'x' fields lines
select 1 into outfile 'x' columns terminated by x'2c' lines terminated by b'1'
select 1 into dumpfile 'x'
select 1 into a, @b, `c`
select 1 fetch first 1 rows only
select 1 is true is true
select 1 is null is null
select 1 is true = 1
select 1 is not unknown or 1 is false and 2 is not true
select 1 is 1
select 1 like 2 like 3
select 1 between 2 and 3 between 4 and 5
select 1 between 2 and 3 and 4 not between 5 and 6 or 7
select 1 in (1) in (1)
select 1 not
select 1 not null
select 1 + not 2
select not 1 + not 2
select not not 1, not 1 = 2, !1 = 2, not a like b
select 1 member (('1'))
select 1 member of ('1')
select interval(1,2) + 1
select interval (1) day + '2020-01-01'
select interval 1+1 day + '2020-01-01'
select '2020-01-01' + interval 1 day + interval 2 day
select '2020-01-01' - interval (1)+1 day_hour - interval(1,2) * 3
select 1 + interval 1
select interval 1 day
select interval 1 day - '2020-01-01'
select interval 1 day + '2020-01-01' = 1 or 2
select interval (1,2) day + 1
select cast('1' as char array)
select cast(1 as char(3) character set utf8mb4 binary)
select cast(1 as char ascii binary)
select cast(1 as char binary ascii)
select cast(1 as char unicode), cast(1 as char byte), cast(1 as char binary), cast(1 as char binary charset latin1)
select cast(1 as binary(3))
select cast(1 as nchar(3))
select cast(1 as national char(3))
select cast(1 as national varchar(3))
select cast(1 as varchar(3))
select cast(1 as double precision)
select cast(1 as real)
select cast(1 as float(3))
select cast(1 as float(3,1))
select cast(1 as decimal(3,1)), cast(1 as decimal(3)), cast(1 as decimal)
select cast(1 as dec)
select cast(1 as numeric)
select cast(1 as unsigned integer), cast(1 as signed), cast(1 as signed int)
select cast(1 as int)
select cast(1 as year)
select cast(1 as json), cast(1 as json array), cast(1 as unsigned array)
select cast(1 as point), cast(1 as geometrycollection), cast(1 as multipolygon)
select cast(1 as geometry)
select cast(1 as datetime(3)), cast(1 as time(2)), cast(1 as date)
select cast(1 as timestamp)
select cast(1 as vector(3))
select cast(1 at time zone 'UTC' as datetime(3))
select cast(1 at time zone interval '+00:00' as datetime)
select cast(1 at time zone '+00:00' as date)
select convert(1, char), convert(1, unsigned)
select convert(1, char array)
select convert('a' using utf8mb4), convert('a' using binary), convert('a' using 'utf8mb4')
select convert('a' using nosuchset)
select char(65,66 using utf8mb4), char(65)
select char()
select count(all *), count(*), count(distinct 1,2), count(all 1)
select count(distinct all 1)
select count(1,2)
select sum(distinct all 1), avg(distinct 1), min(all 1), max(distinct 1)
select sum(all distinct 1)
select bit_and(distinct 1)
select bit_and(all 1), bit_or(1), bit_xor(1), std(1), stddev(1), stddev_pop(1), stddev_samp(1), variance(1), var_pop(1), var_samp(1)
select group_concat(distinct 1,2 order by 1 desc, 2 separator 'x')
select group_concat(1 limit 1)
select json_arrayagg(distinct 1)
select json_objectagg(1,2), json_arrayagg(1), json_arrayagg(1 null on null)
select json_duality_object('a':1)
select json_duality_object(with(insert,update) 'a':1, 'b':c)
select json_duality_object('a',1)
select json_objectagg('a':1)
select weight_string('a' as char(2) level 1)
select weight_string('a' as char(2)), weight_string('a' as binary(2)), weight_string('a'), weight_string('a',1,2,3)
select weight_string('a',1,2)
select trim(both from 'a'), trim('a' from 'b'), trim(leading 'a' from 'b'), trim('a'), trim(trailing from 'a')
select trim(both 'a')
select substring('a' from 1 for 2), substring('a',1), substr('a' from 2), mid('a',1,2)
select substring('a' from 1, 2)
select position('a' in 'b')
select position('a' in 'b' in 'c')
select get_format(date, 'USA'), get_format(timestamp,'EUR'), get_format(time,'x'), get_format(datetime,'y')
select get_format(year, 'USA')
select timestampadd(sql_tsi_day,1,'2020-01-01'), timestampadd(microsecond,1,'2020-01-01'), timestampdiff(quarter,1,2)
select timestampadd(day_hour,1,'2020-01-01')
select adddate('2020-01-01', 1), subdate('2020-01-01', interval 1 day), date_add('2020-01-01', interval 1 year_month), date_sub(1, interval 1 second)
select date_add('2020-01-01', 1)
select adddate('2020-01-01', interval 1 day + '2020-01-01')
select adddate('2020-01-01', interval(1,2))
select extract(year_month from '2020-01-01'), extract(microsecond from 1)
select json_value('{"a":1}', '$.a' returning signed null on empty error on error), json_value(a, '$' default 1 on empty default -1 on error)
select json_value('{"a":1}', '$.a' error on error null on empty)
select json_value('{"a":1}', concat('$.a'))
select json_value(1+1, '$.a')
select grouping(1,2) from dual group by 1,2 with rollup
select row_number() over (), rank() over w, dense_rank() over (w), percent_rank() over (w order by a), cume_dist() over (partition by a, b order by c desc) from dual window w as ()
select row_number() over w from dual window w as (partition by 1 order by 1 rows 1 preceding), v as (w)
select sum(1) over (rows between 1 preceding and interval 1 day following exclude ties)
select sum(1) over (range between unbounded preceding and unbounded following exclude current row), sum(1) over (rows current row exclude group), sum(1) over (rows 1 preceding exclude no others)
select sum(1) over (range interval 1 day preceding)
select sum(1) over (groups unbounded preceding)
select sum(1) over (rows unbounded following)
select sum(1) over (rows 1 following)
select sum(1) over (rows ? preceding)
select sum(1) over (rows 1.5 preceding)
select sum(1) over (rows -1 preceding)
select sum(1) over (rows @a preceding)
select ntile(1) over(), ntile(@a) over(), lead(1,1,2) respect nulls over (), nth_value(1,2) from last ignore nulls over(), nth_value(1,a) from first over w from dual window w as ()
select lag(a) over (), first_value(a) respect nulls over (), last_value(b) over ()
select ntile(1+1) over()
select lead(1,1+1) over()
select nth_value(1,1+1) over()
select ntile(null) over ()
select row_number()
select rank() ignore nulls over ()
select sum(1) over
select 1 from dual where 1 having 1 window w as () order by 1
select 1 from dual where 1 window w as () qualify 1 order by 1
select 1 from dual where 1 qualify 1 window w as () order by 1
select match a against ('x')
select match(a,b) against ('x' in natural language mode with query expansion), match(a) against ('x' with query expansion)
select match a.b, c against ('x' in boolean mode), match (a) against (concat('a','b') in natural language mode)
select match(a) against ('x' or 'y')
select match(1) against ('x')
select default(a), default(a.b.c)
select default(1)
select values(a)
select values(1)
select {d '2020-01-01'}, {t '10:10:10'}, {ts '2020-01-01 10:10:10'}, {fn now()}, {x 1+1}
select {d 1}
select {1}
select date'2020-01-01', time '10:10:10', timestamp'2020-01-01 10:10:10', date "2020-01-01"
select date, time, timestamp, year, date + 1
select exists(select 1), exists (values row(1)), exists (table t)
select exists select 1
select exists (1)
select (select 1), (values row(1)), ((select 1)), ((1,2)) = (1,2), row(1,2) = row(1,2)
select ((select 1) union select 2), ((select 1) + 1), ((select 1), 2), (((select 1) limit 1) order by 1)
select row(1)
select (1,2)
select ()
select 1 = any (select 1), 1 = some (select 1), 1 <> all (select 1)
select 1 <=> any (select 1)
select 1 = any (values row(1)), 1 = any ((select 1)), 1 > all (table t)
select 1 = any (1)
select 1 in (select 1), 1 in ((select 1)), 1 in ((select 1), 2), 1 not in (select 1 union select 2), 1 in (1,2,3)
select 1 in ()
select 1 in 1
select a->'$.x', a.b->>'$.y', a->'$' '.x'
select 'a'->'$.x'
select a->concat('x')
select a->_utf8'$.x'
select a->'$.a'->'$.b'
select _utf8'a' collate utf8_bin, 'a' collate 'utf8_bin'
select 'a' collate binary
select 'a' 'b' "c", N'a' 'b', n'x'
select _utf8'a' _utf8'b'
select 'a' N'b'
select _utf8 x'41', _utf8 0x41, _utf8 b'1', _binary'a', _UTF8MB4'x'
select _utf8 N'a'
select abs(1 as a)
select foo(1 as a, 2 b, 3 'c')
select foo(1,)
select foo(,1)
select test.foo(1 as a)
select test.foo(1, 2), test.foo()
select a.b.c(1)
select now(), now(3), current_timestamp, current_timestamp(3), curdate(), current_date, current_date(), utc_time, utc_time(), utc_time(3), curtime(), sysdate(), sysdate(6), localtime, localtimestamp(2), utc_date, utc_timestamp
select now(1+1)
select current_date(1)
select current_user, current_user(), user(), session_user(), system_user(), current_role()
select schema(), database(), row_count()
select database(1)
select if(1,2,3), left('a',1), insert('a',1,1,'b'), repeat('a',1), replace('a','b','c'), mod(1,2), truncate(1,2), reverse('a'), format(1,2), format(1,2,'de_DE')
select if(1,2)
select if(1,2,3,4)
select left('a')
select format(1)
select point(1,1), linestring(point(1,1),point(1,2)), geometrycollection(), multipoint(1), polygon(1), multilinestring(1), multipolygon(1)
select point(1)
select linestring()
select log(1), log(1,2), week(1), week(1,2), coalesce(1,2), charset('a'), collation('a'), ascii('a')
select timestamp('2020-01-01'), timestamp(1,2), year(1), month(1), quarter(1), hour(1), minute(1), second(1), microsecond(1), day(1), date(1), time(1)
select password('a')
select contains(1,1)
select interval(1)
select binary 'a' = 'A', binary 'a' collate utf8mb4_bin, - - 1, -(-1), + - ~ ! 1, -1 collate x
select @a := 1 + 1, @a := @b := 3, 1 + @a := 2 or 3, (@a := 1) + 2
select @@a := 1
select system(1), library(1)
select 1 + 2 * 3 - 4 / 5 % 6 div 7 mod 8 ^ 9 & 10 | 11 << 12 >> 13
select 1 or 2 and 3 xor 4 || 5 && 6
select (1 or 2) or 3, 1 or (2 or 3), (1 and 2) or 3, 1 and (2 or 3)
select 1 - (2 - 3), (1 - 2) - 3, 1 = (2 = 3), (1 = 2) = 3, 1 = 2 = 3
select 1 sounds like 2, 1 regexp 2, 1 rlike 2, 1 not regexp 2, 1 not rlike 2
select 1 not sounds like 2
select 1 like 'a' escape '|', 1 not like 'a' escape '', 1 like 'a' escape concat('x')
select case 1 when 2 then 3 else 4 end, case when 1 then 2 when 3 then 4 end
select case end
select case 1 else 2 end
select case when 1 then 2
select 1 a, 2 as b, 3 'c', 4 as "d", 5 as `e`, 6 as action
select 1 as select
select 1 as 1
select 1 as 1a
select a.*, b.c.*, * from t
select *, a.* from t
select 1, * from t
select a.b.c.d
select * a from t
select t.* a from t
select `select`.`from` from `where`
select a from t1, t2 as x, t3 y join t4 using (a, b) left outer join t5 on 1 right join t6 on 2
select a from t1 natural join t2 natural left join t3 natural right outer join t4 natural inner join t5
select a from t1 cross join t2 inner join t3 straight_join t4 on 1 join t5
select a from t1 join t2 join t3 on 1 on 2
select a from t1 join t2 left join t3 on 1
select a from t1 left join t2
select a from t1 left join t2 join t3 on 1
select a from t1 left join (t2 join t3 on 1) on 2
select a from t1 left join (t2, t3) on 2, (t4, t5)
select a from (t1 join t2) join (t3 join t4 on 1), ((t5))
select a from ((t1 join t2) left join t3 on 1)
select a from { oj t1 left join t2 on 1 }
select a from { oj t1 left outer join t2 on 1 } join t3
select a from (select 1) as x (a, b), lateral (select 2) y, ((select 3)) z, ((select 4) union select 5) w
select a from ((select 1) as x join t2)
select a from ((select 1) x)
select a from (values row(1,2), row(3,4)) v (a, b), (table t) w, (with c as (select 1) select * from c) u
select a from lateral t
select a from lateral (select 1)
select a from json_table('[]', '$[*]' columns (id for ordinality, a int path '$.a', b varchar(10) character set utf8mb4 collate utf8mb4_bin path '$.b' default 'x' on empty null on error, c int exists path '$.c', nested path '$.d' columns (e json path '$'), nested '$.f' columns (g int path '$'))) as jt
select a from json_table('[]', '$[*]' columns (a int path '$.a')) jt
select a from json_table('[]', '$[*]' columns (a int path '$.a'))
select a from json_table('[]', '$[*]' columns ()) jt
select a from json_table('[]', concat('x') columns (a int path '$')) jt
select a from json_table('[]', '$' columns (a int path '$' error on error null on empty)) jt
select a from json_table('[]', '$' columns (nested int path '$')) jt
select a from json_table('[]', '$' columns (a int path '$' default 1 on error)) jt
select a from lateral json_table('[]', '$' columns (a int path '$')) jt
select a from dual, t
select a from t, dual
select a from dual where 1
select 1 where 1
select 1 from t partition (p0, p1) as x
select 1 from t partition ()
select 1 from t as x partition (p0)
select 1 union select 2 intersect select 3 except select 4
select 1 union all select 2 union distinct select 3
select 1 intersect all select 2 except distinct select 3
(select 1 union select 2) intersect select 3
select 1 union (select 2 union select 3)
select 1 except (select 2 except select 3)
(select 1)
((select 1))
(select 1) order by 1
((select 1) limit 1) limit 2
(select 1) union (select 2) order by 1 limit 1
(select 1 order by 1 limit 1) union all (select 2 order by 1)
(select 1) into @a
(select 1 into @a)
(select 1) for update
select * from (select 1 into @a) t
select (select 1 into @a)
with a as (select 1), b (x, y) as (select 2, 3) select * from a, b
with recursive a as (select 1 union all select 2) select * from a
with a as select 1 select 2
with a (select 1) select 2
(with a as (select 1) select * from a)
with a as (select 1) (select 2)
with a as (select 1) (select 2) union select 3
with a as (with b as (select 1) select 2) select 3
select * from (with a as (select 1) select * from a) t
values row(1, 2), row(3, default)
values (1)
values row()
values row(1) union values row(2)
table t union table u
table t where 1
table a.b for update
table t into @a
select /*+ bka(t1) */ 1
select /*+ bka(t1) */ /*+ x */ 1
select /* c */ /*+ x */ 1
select 1 from t where a = 1 and b = 2 or c = 3 and d = 4
select a from t where (a, b) in ((1, 2), (3, 4))
select a from t where a = 'it''s' and b = "say ""x""" and c = 'a\'b\n\%\_\\'
select 'a\
b', 'x'
select `a``b`, ``
select 1 as ``
select t.`a`, `t`.a, `t` . `a`
select ifnull(null, null), isnull(1), concat_ws(',', 'a')
select a.b(1), `a`.`b`()
select avg (1), `count`(1), count
select date_format(now(), '%Y') d
select current_timestamp + interval 1 day
select 1 && 2 || 3
select ~1, !1, - 1
select 1 from t group by a, b having count(*) > 1 order by a asc, b desc limit 5 offset 10
select 1 from t where a is null order by null
select 1 limit 1 offset
select 1 order by
select 1 from
select 1 from t where
select distinct
select
select 1,
select 1 from t join
select 1 from t as
select 1 from t use index
select 1 from t group
select 1 from t for
select 1 from t lock in
select 1 union
select 1 intersect
frobnicate 1
1
'a'
)
foo bar baz qux
(select 1 into @a) union select 2
select 2 union (select 1 into @a)
(select 1 into @a) limit 1
(select 1 into @a) order by 1
(select 1 into @a) for update
(select 1 into @a) into @b
((select 1 into @a))
select (((select 1 into @a)))
select 1 into @a order by 1
select 1 into @a limit 1
select 1 order by 1 into @a limit 1
select 1 limit 1 into @a for update
select 1 into @a union select 2 into @b
select 1 union select 2 into @b
select 1 union select 2 into @b from dual
select 1 from ({oj mysql.user})
select 1 from (json_table('[]', '$' columns (a int path '$')) x)
select 1 from ((mysql.user a, mysql.user b))
select 1 from ((select 1) x, mysql.user b)
select 1 from (lateral (select 1) x)
select 1 from ((select 1) x join (select 2) y)
select adddate(1, interval (1,2) day)
select 1 in (select 1 into @a)
select * from (select 1) + 1
select * from (select 1) 1
select * from (select 1) 'a'
select * from (select 1) select
select * from (select 1) as
select * from (select 1) )
select * from (select 1) where
select * from (select 1) (a)
select * from (select 1) join
select * from (select 1) into @a
select 1 as $a
select $
select 1 as $
select 1 as $$
select $a$b$a$
select $1$b$1$
select $a b$
select $a+1$
select a$b$c
select a.$b$c
select @$a$
select @@$a$
select `$a$`
select $_a$ x $_a$
select $$ $a$ $$
select $a.b$
(select 1 from t into @a) limit 1
(select 1 from t into @a) into @b
((select 1 from t into @a))
(select 1 from t into @a) for update
with x as (select 1) select 1 from x into @a
with x as (select 1) (select 1 from x into @a)
(with x as (select 1) select 1 from x into @a)
(select 1 limit 1 into @a for update)
(select 1) union select 2 from dual into @a
(select 1 from dual into @a for update) union select 2
select (select 1 from dual into @a)
insert into t select 1 from dual into @a
insert into t (select 1 into @a)
insert into t select 1 into @a
select @a:=1 into @b, 'x'
select 1 into 'x'
select json_duality_object(with (no insert, no update, no delete) 'a':1)
select json_duality_object(with no insert 'a':1)
select json_duality_object(with (insert, no insert) 'a':1)
select json_duality_object(with (check) 'a':1)
select json_duality_object(with () 'a':1)
select json_duality_object(with (noinsert) 'a':1)
select json_duality_object(with (insert update) 'a':1)
select json_duality_object()
select json_duality_object("a":1, 'b' 'c':2)
select json_duality_object(N'a':1)
select json_duality_object('a':1) over ()
