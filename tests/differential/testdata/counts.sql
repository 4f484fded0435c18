-- Texts where a whole number is wanted.
create table t (id int primary key, s varchar(10), n varchar(10), i int);
insert into t values (1, 'abcdef', '2x', 2), (2, 'abcdef', 'x', -1), (3, 'abcdef', NULL, NULL), (4, 'abcdef', ' 3', 0), (5, 'abcdef', '-1', 1), (6, 'abcdef', '1.6', 3), (7, 'abcdef', '', 9), (8, 'abcdef', '+2', -2);
select id, left(s, n), right(s, n), substring(s, n), substring(s, 2, n), mid(s, n, n), repeat('ab', n), space(n) from t order by id;
select id, lpad(s, n, 'z'), rpad('a', n, 'z'), substring_index('a.b.c', '.', n), elt(n, 'a', 'b') from t order by id;
select id, left(s, i), substring(s, i), repeat('ab', i), space(i), elt(i, 'a', 'b') from t order by id;
select id, locate('b', 'abc', n), conv('10', n, 2), round(1.25e0, n), truncate(1.25e0, n), format(1234.5, n) from t where n is not null order by id;
select left('abc', 1.6), left('abc', 1.5e0), left('abc', 2), left('abc', null), substring('abc', 1.6), repeat('a', 2.5), left('abc', true), repeat('a', -1), repeat('a', null);
-- params: ["abc", "2", "ab", 3]
select left(?, ?), repeat(?, ?);
-- Errors with MySQL's codes.
select sum(i) from t group by 5;
select 1 from t limit nope;
select id from t union select id from t order by t.id;
with recursive x as (select n + 1 from x) select * from x;
create view v (x) as select id, s from t;
select st_geomfromtext('nope');
select bin_to_uuid('x');
select ntile(0) over () from t;
