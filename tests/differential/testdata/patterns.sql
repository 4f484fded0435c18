-- Backslashes before % and _ stay in strings, where they are for patterns to read.
create table l (id int primary key auto_increment, v varchar(20), key(v));
insert into l (v) values ('a%b'), ('a_b'), ('axb'), ('a\\b'), ('a\%b'), ('a\_b'), ('50\%'), ("q\%q"), ('a\'\%');
select id, v, length(v), hex(v) from l order by id;
select id from l where v like 'a\%b' order by id;
select id from l where v like 'a\_b' order by id;
select id from l where v like 'a\\%' order by id;
select id from l where v like 'a\\\%b' order by id;
select id from l where v = 'a\%b' order by id;
select id from l where v like '50\%' order by id;
select id from l where v not like 'a\%b' order by id;
-- params: ["a\\%b"]
select id from l where v like ? order by id;
-- params: ["a_b"]
select id from l where v like ? order by id;
select 'a\%', "b\_", 'a%c' like 'a\%c', 'abc' like 'a\%c';
select 'c\\%' as c, '\\\%' as d, _utf8mb4'\%' as e;
set @p = 'a\%b';
select @p, hex(@p), 'a%b' like @p;
prepare s from 'select id from l where v like ''a\\%b'' order by id';
execute s;
show tables like 'l\_';
create view lv as select id from l where v like 'a\%b';
select * from lv;
create procedure lp() select id from l where v like 'a\_b';
call lp();
set sql_mode = 'ANSI_QUOTES';
select "v" from l where v like 'a\%b';
set sql_mode = default;
select t.table_name, c.column_name from information_schema.columns c straight_join information_schema.tables t using (table_schema, table_name) where t.table_schema = database() and t.table_type = 'BASE TABLE' order by c.ordinal_position;
