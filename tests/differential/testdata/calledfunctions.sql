-- Functions that are called row by row over values of columns: geometries, documents, bytes.
create table t (id int primary key, a varchar(20), g geometry, d date, n decimal(10,2), j json, b varbinary(10), dt datetime(3));
insert into t values (1,'abc',point(1,2),'2020-01-02',1.5,'{"a":1}',x'4142','2020-01-02 03:04:05.678'), (2,null,null,null,null,null,null,null),
  (3,'x  ',st_geomfromtext('LINESTRING(0 0,3 4)'),'2021-12-31',-3.25,'[1,2]','zz ','1999-12-31 23:59:59');
select id, g from t order by id;
select id, st_astext(g), st_srid(g), st_geometrytype(g), st_length(g) from t where id <> 1 order by id;
select st_distance(g, point(0,0)), mbrcontains(g,g), st_isvalid(g) from t order by id;
select id from t where st_within(g, st_geomfromtext('POLYGON((0 0,10 0,10 10,0 10,0 0))')) order by id;
select st_x(g) from t;
select st_x(g) from t where id = 1;
select * from (select g, id from t) x order by id;
select id, g, count(*) from t group by id order by id;
-- Errors and warnings of the one row of constants are told as they are; where a row is left out, nothing is.
select st_geomfromtext('POINT(1'), 1;
select 0 and st_x(st_geomfromtext('POINT(1'));
select case when 1 then 2 else st_x(st_geomfromtext('POINT(1')) end;
select uncompress('a'), aes_decrypt('x', 'k');
select inet6_aton('zz'), inet6_ntoa('abc');
select json_schema_valid('{', '{}');
select cast('{' as json);
select st_geomfromtext('POINT(100 20)',4326);
-- Documents.
select json_schema_valid('{"type":"object"}', j), json_pretty(j), json_quote(a), json_storage_size(j), json_value(j, '$.a') from t order by id;
select json_array_append(j,'$.a',2), json_array_insert(j,'$[0]',9), json_merge_preserve(j,'2') from t order by id;
select cast(a as json) from t where id = 2;
select json_type(cast('1' as json)), cast(id as json), cast(j as json) from t order by id;
-- Texts and bytes.
select hex(trim(both 'x' from a)), trim(leading 'a' from a), trim(trailing ' ' from a) from t order by id;
select x'41', 0x4142, b'1000001', x'41'+0, x'41' = 65, x'31' = 1, x'41' = 'A', x'41' | 2, hex(x'0a'), length(x'0a0b');
select id from t where id = x'03' or b = x'4142' order by id;
select make_set(5,'a','b','c'), make_set(id, a, 'y'), format(n, 1), format(id*1000000.5, 2) from t order by id;
select hex(aes_encrypt(a,'k')), aes_decrypt(aes_encrypt(a,'k'),'k'), uncompress(compress(a)), uncompressed_length(compress(a)) from t order by id;
select cast(id as float), cast(n as float), cast(a as binary), hex(cast(a as binary(5))), cast(id as binary), binary a from t order by id;
select bin_to_uuid(uuid_to_bin('6ccd780c-baba-1026-9564-5b8c656024db')), is_uuid(a), space(id), export_set(id,'Y','N',',',4), regexp_replace(a,'a','b') from t order by id;
select extractvalue('<a><b>x</b></a>','/a/b'), updatexml('<a>1</a>','/a',a), period_add(202001, id), period_diff(202003,202001) from t order by id;
-- Clocks of the session's time zone.
set time_zone = '+05:00';
select from_unixtime(id), unix_timestamp(dt) from t order by id;
set time_zone = '+00:00';
create table b (id int primary key, b varbinary(10), c binary(4), bl blob, a varchar(10), l varchar(10) charset latin1);
insert into b values (1,x'00ff41','ab','blob','abc','äb'),(2,null,null,null,null,null),(3,'XyZ','','','','');
select length(b), char_length(b), length(c), length(bl), char_length(bl), hex(upper(b)), lower(bl), trim(b), concat(b, a), concat(b,bl) from b order by id;
select substring(b, 2), substring(bl, -2), left(c,1), substring(b,2,1), mid(bl,0), substr(bl,9), hex(concat(bl,1)), concat(id,x'41') from b order by id;
select id from b where b = 'XyZ' or a = x'616263' order by id;
select id from b where b = a or bl < a order by id;
select id from b where l = x'41' or l = x'c3a4' order by id;
select id from b where binary a in ('abc','x') and a like binary 'a%' order by binary a;
select a = binary 'ABC', a = 'ABC', binary a = 'ABC' from b order by id;
-- Values of other kinds than a function is for become what it wants.
create table v (id int primary key, i int, u bigint unsigned, n decimal(12,3), f double, s varchar(20), d date, dt datetime(2), m time, j json);
insert into v values (1,12,18446744073709551615,12.500,1.5e10,'12','2024-01-02','2024-01-02 03:04:05.67','10:11:12','[1,2]'), (2,-7,0,-0.004,-2.25,'x  ','1999-12-31','1999-12-31 23:59:59','-01:02:03','"q"'),
  (3,null,null,null,null,null,null,null,null,null);
select quote(i), quote(n), quote(f), quote(s), quote(d), quote(dt), quote(m) from v order by id;
select hex(i), hex(u), hex(n), hex(f), hex(s), hex(d), hex(dt), hex(m) from v order by id;
select bin(i), oct(u), conv(n,10,16), bin(f), conv(d,10,16) from v order by id;
select hex(weight_string(s)), hex(weight_string(s as char(3))), hex(weight_string(s as binary(20))), hex(char(i, 65)), soundex(s) from v order by id;
select i member of (j), '12' member of ('[1,12,"12"]'), s member of ('["x  "]'), 1 member of (j) from v order by id;
select id, last_insert_id(), row_count(), database(), user() from v order by id;
select get_format(date,'USA'), get_format(time,s) from v order by id;
select _binary'a' = 'A', _utf8mb4'a' = 'A', hex(_binary'é') from v;
select hex(reverse(b)), hex(reverse(bl)), reverse(a), reverse(id), reverse('aé€😀') as r, hex(reverse(x'0102')) from b order by id;
select hex(coalesce(b,a)), if(id=1,b,a), ifnull(a,b), case id when 1 then b else a end, hex(replace(b,'y','z')), max(b) over () from b order by id;
drop table t, b, v;
