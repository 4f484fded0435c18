-- types of the columns that CREATE TABLE ... SELECT makes of functions, choices, casts, set operations and clocks
create table o (i int, n int not null, ti tinyint, tu tinyint unsigned, si smallint, bi bigint, bu bigint unsigned, b5 bit(5), y year, f float, d double,
  dp double(10,3), dc decimal(10,2), v varchar(20), vn varchar(20) not null, vl varchar(10) character set latin1, vb varbinary(10), bn binary(5), c char(7),
  t text, tt tinytext, bl blob, da date, dt datetime, dt3 datetime(3), ts timestamp null, tm time, tm2 time(2), e enum('a','bb'), w set('x','yy'), j json);
insert into o (i, n, vn, v, e, w, dt3, tm, tm2, b5, dc) values (5, 1, 'k', 'hello', 'bb', 'x,yy', '2024-05-06 07:08:09.123', '10:11:12', '01:02:03.45', b'101', 12.34);
create table t1 as select concat(b5,b5) a, concat(vb,v) b, concat(v,null) c, concat(vn,vn) d, upper(bn) e, right(v,i) f, space(5) g, space(i) h, concat(t,'x') i,
  repeat('a',100000) j, make_set(1,'a','bb') k, export_set(5,'Y','N') l, export_set(5,'Y','N','--',4) m, format(i,2) n, format(dc,2,'de_DE') o, compress(v) p,
  aes_encrypt(v,'k') q, from_base64(vb) r, random_bytes(5) s from o limit 0;
show create table t1;
create table t2 as select user() a, current_user() b, database() c, charset(v) d, collation(v) e, char(65) f, char(65 using utf8mb4) g, n'abc' h,
  _latin1'abc' i, 'abc' collate utf8mb4_bin j, v collate utf8mb4_bin k, t collate utf8mb4_bin l, x'4142' m, if(i,x'41',1) n, if(i,x'41','a') o from o limit 0;
show create table t2;
-- differs: no warning of the digits of DOUBLE(8,6)
create table t3 as select interval(i,1,2) a, round(dc,i) b, round(dc,1) c, truncate(dc,1) d, pi() e, greatest(v,i) f, greatest(ti,tu) g, least(bu,i) h, mod(dc,i) i,
  dc%3 j, bit_count(i) k, i or 1 l, b5+0 m, extract(hour from tm) n, extract(day_microsecond from dt) o, sleep(0) p, uncompressed_length(vb) q from o limit 0;
show create table t3;
-- differs: no warnings of the digits of DOUBLE(22,3)
create table t4 as select if(i,v,t) a, if(i,vb,v) b, if(i,da,tm) c, if(i,f,i) d, if(i,b5,b5) e, if(i,b5,i) f, if(i,e,e) g, if(i,e,'x') h, if(i,j,v) i, if(i,tt,t) j,
  if(i,dp,dp) k, ifnull(i,1) l, ifnull(n,1) m, ifnull(null,1) n, ifnull(j,'{}') o, ifnull(e,'z') p, ifnull(b5,0) q, nullif(e,'a') r, nullif(t,'a') s,
  nullif(b5,1) t, coalesce(v,vl,'abc') u, coalesce(dp,dc) v, coalesce(bl,vb) w, case when i then tu else ti end x, case when i then e end z from o;
show create table t4;
select e, g, h, p, r, z, u from t4;
create table t5 as select cast(v as char character set latin1) a, cast(v as binary) b, cast(j as char) c, cast(null as char) d, convert(v using latin1) e,
  convert(v using binary) f, convert(vb using utf8mb4) g, convert(t using latin1) h, cast(v as time(2)) i, cast(v as datetime(4)) j from o limit 0;
show create table t5;
create table t6 as select now() a, now(3) b, current_timestamp(6) c, curdate() d, curtime(2) e, utc_date() f, utc_time(3) g, utc_timestamp(2) h, sysdate(4) i,
  ifnull(da,now()) j, ifnull(ts,now(3)) k, concat(now(2)) l, concat(curtime(1), 'x') m from o limit 0;
show create table t6;
create table t7 as select unix_timestamp(dt) a, unix_timestamp(dt3) b, unix_timestamp('2020-01-01 00:00:00.12') c, from_unixtime(i) d, from_unixtime(dc) e,
  from_unixtime(d) f, from_unixtime(i,'%Y') g, timestamp(da,tm) h, timestamp(dt,tm2) i, year(da) j, date_format(da,v) k, time_format(tm,'%H') l,
  get_format(date,'USA') m, addtime(tm,tm2) n, addtime(dt,tm) o, addtime('10:10:10','1:1:1') p, timediff(tm,tm2) q, timediff(dt,dt3) r, sec_to_time(dc) s,
  sec_to_time(d) t, maketime(1,1,dc) u, timestampadd(hour,1,da) v, timestampadd(day,1,dt3) w, convert_tz(dt3,'+00:00','+01:00') x from o limit 0;
show create table t7;
create table t8 as select max(e) a, max(w) b, max(bn) c, max(ti) d, max(c) e, max(t) f, min(1) g, max(tm2) h, max(j) i from o;
show create table t8;
create table t9 as select lag(i) over (order by i) a, lead(v,1,'x') over (order by i) b, min(e) over () c, lag(n,1,0) over (order by i) d from o;
show create table t9;
create table u1 as select bi c from o union select bu from o;
create table u2 as select ti c from o union select tu from o;
create table u3 as select ti c, v d, vb e, da f, e g, c h, bn i, y j, t k, tt l, bl m, f n, dp o, j p, tm q from o
  union select si, t, v, tm, 'x', c, bn, i, t, tt, t, i, dp, v, tm2 from o;
show create table u1;
show create table u2;
show create table u3;
select f is null, g, q from u3 order by g;
create table u4 as select now(3) c, curdate() d, curtime() e union select now(), now(), curtime(3);
show create table u4;
create table u5 as select 1 c union select 18446744073709551615;
show create table u5;
create view vw as select if(i,e,'x') a, ifnull(i,1) b, now(3) c, coalesce(v,'q') d from o;
show columns from vw;
create table x1 as select i, ifnull(v, 'q') a, now(2) is null b from o where v like 'h%' escape '|' and if(i, e, 'x') = 'bb' order by find_in_set('a', e);
show create table x1;
select a, b from x1;
