-- LOCATE, INSTR and POSITION count characters, and go by collations
create table t (id int primary key, b varbinary(100), c varchar(100), d char(30), e text, f varchar(20) character set latin1, g varchar(10) collate utf8mb4_bin, h blob);
insert into t values (1, null, null, null, null, null, null, null), (2, '', '', '', '', '', '', ''),
  (3, 'ab-', 'ä-b-', 'xA', 'é--', 'é--', 'Aa-', 'é-'), (4, 'a', '-', '--', '---', '-', '-', '-');
select id, locate('-', b, 3), locate('-', c, 3), locate('-', d, 2), locate('-', e, 2), locate('-', f, 2), locate('A', g, 2), locate('-', h, 2) from t order by id;
select id, locate('-', b), locate('-', c), locate('-', d), locate('-', e), locate('-', f), locate('A', g), locate('-', h) from t order by id;
select id, instr(b, '-'), instr(c, '-'), instr(d, 'a'), instr(e, '-'), instr(f, 'E'), instr(g, 'A'), instr(h, '-') from t order by id;
select id, position('-' in c), position('A' in d) from t order by id;
select id from t where locate('B', c) = 3;
select id, locate(c, c), locate(c, concat('é', c)), locate(f, c), locate(c, f) from t order by id;
select locate('', ''), locate('', 'a'), locate('', 'a', 1), locate('', 'a', 2), locate('', 'a', 3), locate('', 'a', 0);
select locate('a', 'a', -1), locate('', '', 1), locate('', '', 2), locate('a', 'ba', 9223372036854775807), locate('a', 'ba', 18446744073709551615);
select locate('b', 'éb', 2), locate('b', 'éb', 3), locate('B', 'éb' collate utf8mb4_bin), locate(1, 212, 2);
select locate('a', 'b', null), locate(null, 'b', 1), locate('a', null, 1), instr(null, 'a'), instr('a', null);
select locate('-', '', 3), position('a' in 'ba'), instr('ba', 'a'), instr('éa', 'A'), instr(_binary'éa', 'a'), instr('a', ''), instr('', '');
select locate(_binary 'a', 'éa'), locate('a', _latin1 'éa'), locate('e', 'aé'), locate('a ', 'xa'), locate(x'61', 'xa', 2);
select locate('aab', 'aaab'), locate('abab', 'ababaabab', 2), locate('ÉÉ', 'xéxeé');
set @s = 'éaé-';
select locate('-', @s, 2), locate('-', @s, 5), locate('-', @s, 9), locate('-', @s, '2'), locate('-', @s, 2.5), locate('-', @s, 1.4), locate('é', @s, 2);
prepare p from 'select locate(?, ?, ?)';
set @a = 'b', @b = 'éb', @c = 2;
execute p using @a, @b, @c;
set @c = 3;
execute p using @a, @b, @c;
select locate('a', 'baa', 'x');
show warnings;
-- The collation of the text decides, not that of the part.
select position(_latin1'B' collate latin1_bin in _latin1'abcd') a, position(_latin1'B' in _latin1'abcd' collate latin1_bin) b, position(_latin1'B' in _latin2'abcd') c, locate('B' collate utf8mb4_bin, 'abcd') d, instr('abcd', 'B' collate utf8mb4_bin) e;
create table w(b varchar(10) collate utf8mb4_bin, c varchar(10) collate utf8mb4_0900_ai_ci, v varbinary(10), l varchar(10) character set latin1);
insert into w values('B','B','B','B');
select locate(b,'abcd') a, locate(c,'abcd') b, locate(v,'abcd') c, locate('b',b) d, locate('b',c) e, locate('b',v) f from w;
select locate(b collate utf8mb4_0900_ai_ci,'abcd') a, locate('b',b collate utf8mb4_0900_ai_ci) b, locate(_binary'B','abcd') c, locate('B',_binary'abcd') d, instr('abcd',b) e from w;
select locate(b,c) a, locate(c,b) b, locate(l,'abcd') c,locate('b' collate utf8mb4_0900_ai_ci,b) d, locate('B' collate utf8mb4_bin, lower(c)) e from w;
