-- Columns of every kind of character set: texts that fill more bytes in UTF-8 than in their set.

create table t (id int primary key, l varchar(3) character set latin1, k varchar(3) character set koi8r, j varchar(3) character set sjis, u varchar(3) character set utf16, x char(3) character set cp1251, key (k), key (j));
insert into t values (1, 'ééé', 'яяя', '日本語', 'abc', 'ЖЖЖ'), (2, 'ééÉ', 'яяЯ', '日本', '日本語', 'жжж'), (3, 'ee', 'я ', 'ab', 'é', 'ж'), (4, null, null, null, null, null);
select min(l), min(k), min(j), max(u), min(x) from t;
select l, count(*), min(l) from t group by l order by l;
select k, count(*), min(id) from t group by k order by k;
select x, count(*), max(id) from t group by x order by x;
select j, u from t order by j desc, id;
select distinct x from t order by x;
select hex(l), hex(k), hex(j), hex(u), hex(x) from t order by id;
select length(l), length(k), length(j), length(u), length(x), char_length(j), bit_length(u) from t order by id;
select id from t where k = 'ЯЯЯ' order by id;
select id from t where j like '日%' order by id;
select count(*), sum(a.id * b.id) from t a join t b on a.k = b.k;
select id, row_number() over (partition by x order by id) from t order by id;
create table c select min(l) a, min(k) b, concat(k, 'x') d from t group by x;
show create table c;
insert into t values (5, 'я', 'a', 'a', 'a', 'a');
insert into t values (5, 'a', 'é', 'a', 'a', 'a');
insert into t values (5, 'éééé', 'a', 'a', 'a', 'a');
insert into t values (5, 'a', 'a', '日本語日', 'a', 'a');
select hex(_koi8r 0xd1), _koi8r 0xd1 = 'я', charset(_sjis 'a'), collation(_cp1251 'a'), hex(convert('ж' using cp1251)), convert(_cp1251 0xe6 using utf8mb4);
select hex(convert('日本' using sjis)), hex(convert('日本' using ujis)), hex(convert('日本' using utf16le)), hex(convert('日本' using gb18030)), hex(convert('日本' using euckr)), hex(convert('é' using koi8r));
set names koi8r;
select @@character_set_client, @@character_set_connection, @@collation_connection, @@character_set_results;
select hex(k) from t order by id;
set names utf8mb4;
-- differs: no rows are counted
alter table t convert to character set utf8mb4;
select l, k, j, u, x from t order by id;
