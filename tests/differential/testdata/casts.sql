-- CAST to numbers: what of a text is no number, what is beyond the type, dates, documents, members, and the columns that are made of it.
select cast('abc' as signed), cast('12x' as signed), cast('1.5' as signed), cast('' as signed), cast(' 12 ' as signed), cast('-5x' as unsigned), cast('-1' as unsigned), cast('1e3' as signed), convert('1z', unsigned);
show warnings;
select cast('99999999999999999999' as signed), cast('-99999999999999999999' as signed), cast('18446744073709551616' as unsigned), cast('-18446744073709551615' as unsigned);
select cast('18446744073709551615' as signed), cast('9223372036854775808' as signed);
show warnings;
select cast('1.5x' as decimal(10,2)), cast('' as decimal), cast('1e2' as decimal(10,2)), cast('99999' as decimal(3,1)), cast(' 1.255 ' as decimal(10,2)), cast('-.5' as decimal(3,2)), cast('1.5.5' as decimal(10,2)), cast(1e20 as decimal(5));
show warnings;
select cast('abc' as double), cast('' as double), cast('1e3x' as double), cast('1e400' as double), cast(' 5 ' as double), cast('a' as float), cast('1.5y' as real);
show warnings;
select cast('abc' as date), cast('2020-01-01x' as date), cast('x' as time), cast('10:00x' as time), cast('y' as datetime), cast('2020-01-01 10:00:00zz' as datetime);
show warnings;
select cast('abc' as year), cast('2020' as year), cast('2020x' as year), cast('' as year), cast(1 as year), cast(3000 as year), cast('70' as year), cast(1970.5 as year), cast(null as year), cast('0' as year), cast(0 as year), cast(date '2020-01-01' as year), cast(2155.6 as year);
show warnings;
select cast(1.5 as signed), cast(-1.5 as unsigned), cast(1e30 as signed), cast(18446744073709551615 as signed), cast(-1 as unsigned), cast(true as signed), cast(x'41' as signed), cast(b'11' as unsigned), cast((select '5x') as signed);
select cast(date '2020-01-01' as signed), cast(timestamp '2020-01-01 10:00:00.55' as decimal(20,2)), cast(time '10:00:00' as decimal(10,1)), cast(last_day('2020-01-01') as signed), cast('2020-01-01' + interval 1 day as signed);
show warnings;
select cast(json_extract('{"a": 5}', '$.a') as signed), cast(json_extract('{"a": "5"}', '$.a') as unsigned), cast(json_extract('{"a": 1.5}', '$.a') as decimal(5,2));
create table t (id int primary key, s varchar(10), e enum('a','b'), m set('x','y'), b bit(8), y year, i int as (cast(s as signed)) stored, d decimal(5,2) as (cast(s as decimal(5,2))), u bigint unsigned as (cast(s as unsigned)), f double as (cast(s as double)), key k ((cast(s as signed))));
insert into t (id, s, e, m, b, y) values (1, '12', 'b', 'x,y', b'101', 2020), (2, '7', null, null, null, null);
select id, i, d, u, f, cast(e as signed), cast(m as unsigned), cast(b as signed), cast(y as decimal(6,1)) from t order by id;
select id from t where cast(s as signed) = 12;
select id from t where d = 7;
-- mask: Table
show create table t;
