-- operations on bits: of binary texts on their bytes, of others on whole numbers of 64 bits
create table b (id int primary key, v varbinary(6), b binary(4), w varbinary(6), bl blob, mb mediumblob, tb tinyblob, vl varbinary(600), t varchar(20), n decimal(10, 3), d double, bi bigint, ub bigint unsigned, dt date, tm time(3), ts datetime(2), j json, bt bit(8), y year, en enum ('a', 'b'), g point);
insert into b values (1, x'010203', x'01020304', x'0f0f0f', x'0102', x'ffff', x'aa', x'0f0f0f', '12.9abc', 12.5, 13.5, -1, 18446744073709551615, '2020-01-02', '10:11:59.6', '2020-12-31 23:59:59.7', '5', b'101', 2020, 'b', point(1, 1));
select hex(v & w), hex(v | w), hex(v ^ w), hex(~v), hex(v << 3), hex(v >> 3), hex(v << 100), hex(v >> 9) from b;
select v & w, ~v, v << 3 from b;
select hex(v & x'ffffff'), hex(x'ffffff' & v), hex(v & 0xff00ff), hex(v & b'111100001111000011110000') from b;
select hex(v & x'ff') from b;
select hex(b & v) from b;
select hex(b | b), hex(bl | mb), hex(bl ^ bl), hex(~mb), hex(~bl << 2) from b;
-- differs: both operands that are no numbers are told
select bl | 1, v & 255, v ^ t from b;
select t | 0, t & 15, ~t, t << 1, t >> 1 from b;
select n | 0, d | 0, ~d, ~n, n << 1, d >> 1 from b;
select bi | 0, bi & ub, ub ^ bi, ~bi, bi << 1, bi >> 1, ub >> 63 from b;
select ub & 18446744073709551614, 9223372036854775809 & bi, 9007199254740993 & -1 from b;
select dt | 0, tm | 0, ts | 0, ~dt, ~tm, dt << 1 from b;
select j | 0, bt | 0, y | 0, en | 0, ~j, ~bt, ~en from b;
select cast('"5"' as json) | 0, cast('true' as json) | 1, cast('5.7' as json) | 0, cast('18446744073709551615' as json) | 0;
select g | 0 from b;
select ~g from b;
select g << 1 from b;
select v << -1, v << null, null << 1, null | null, ~null from b;
select hex(v << '2'), hex(v << 1.5), hex(v >> '1a') from b;
select x'ff' & x'0f', x'ff' | 1, x'ff' << 1, ~x'ff', b'11' ^ b'01', 0xff >> 1;
select _binary x'ff' & 15, hex(_binary 'ab' & 'ab'), hex(_binary 'ab' | x'0101'), hex(~_binary 'ab');
select 1 | 'a', '0x1f' | 0, '1e3' | 0, ' 12 ' | 0, '-5' | 0, '99999999999999999999' | 0, '-99999999999999999999' | 0, '1.9' | 0;
select 1e30 | 0, 1.5 | 0, 2.5 | 0, -1.5 | 0, 1.5e0 | 0, 2.5e0 | 0, 1e19 & 18446744073709551615;
select 1 << 64, 1 << 63, 1 << -1, 1 << 1.5, 1 >> 64, -1 >> 1, '8' >> '2';
select bit_count(v), bit_count(bl), bit_count(x'ff'), bit_count(b'1111'), bit_count(_binary x'ffff'), bit_count(t), bit_count(-1), bit_count(ub), bit_count(1.5), bit_count(null), bit_count(g) from b;
create table r as select v & w a, v | x'000001' b, ~b c, ~bl d, v << 1 e, bl >> 1 f, ~mb g, b ^ b h, mb | mb i, ~tb j, 1 | 2 k, x'01' | x'02' l, b >> 1 m from b;
show create table r;
select inet6_ntoa(inet6_aton('2001:db8::1') & inet6_aton('ffff:ffff::'));
set @a = x'0f0f', @b = x'ffff';
select hex(@a & @b), hex(~@a), hex(@a << 1), @a | 1;
select id from b where v & x'010000' = x'010000';
select id from b where v & 1;

-- aggregates
insert into b (id, v, w) values (2, x'0f0f0f', x'ffff00');
select hex(bit_and(v)), hex(bit_or(v)), hex(bit_xor(v)), bit_and(bi), bit_or(x'0f'), bit_xor(1.5), bit_or(t) from b;
select hex(bit_and(v)), hex(bit_or(v)), bit_and(1), bit_or(1) from b where id > 9;
select hex(bit_and(v) over (order by id)), bit_or(id) over (order by id rows between 1 preceding and current row) from b order by id;
select bit_and(bl) from b;
select bit_or(vl) from b;
create table s as select bit_or(x'ff') a, bit_xor(v) b from b;
show create table s;
insert into b (id, v) values (3, x'01');
select bit_xor(v) from b;
