-- conditions over a column of a full-text index
create table t (id int primary key, name varchar(20), role int, del datetime, key k (role), fulltext key f (name));
insert into t values (1, 'abc', 1, null), (2, 'q', 2, null), (3, 'b word', 2, now());
select id from t where name = 'abc';
select id from t where name = 'abc' and del is null;
select id from t where name = 'abc' and role = 1;
select id from t where name in ('abc', 'q') order by id;
select id from t where name like 'a%';
select id from t where name > 'b' order by id;
select id from t where name <> 'abc' order by id;
select id from t where name is not null order by id;
select id from t where name is null or name between 'a' and 'b';
select id from t where match(name) against ('word');
select id from t where match(name) against ('word') and name = 'b word' and role = 2;
-- params: ["abc", 1]
select id from t where name = ? and role = ?;
update t set role = 9 where name = 'abc' and del is null;
delete from t where name = 'q' and role = 2;
select id, role from t order by id;
-- digests of statements
select statement_digest_text('select 1 from t where a=5');
select length(statement_digest('select 2')), statement_digest('select 1') = statement_digest('select   2');
select statement_digest_text('select 1 from');
select statement_digest('');
select statement_digest_text(null) is null;
-- introducers of wide character sets
select hex(_utf32 0x1200), hex(_utf16 0x41), _utf16 x'0041', _utf32 x'41';
