-- JSON values and functions.

create table j (id int primary key auto_increment, j json, g int generated always as (j->'$.n') virtual, s varchar(20) as (j->>'$.s') stored, key (g));
insert into j (j) values ('{"n": 1, "s": "x", "a": [1, 2, {"b": null}]}'), ('{"n": 2, "s": "y\\"z", "d": 1.50, "e": 1e3}'), ('{"s": null, "t": true}'), (null);
select * from j order by id;
select j->'$.n', j->>'$.s', j->'$.a[2].b', j->'$.a[*]', j->'$.nope', j->'$**.b', j->'$.a[last]' from j order by id;
select json_extract(j, '$.n', '$.s'), json_unquote(json_extract(j, '$.s')), json_type(j), json_type(j->'$.n'), json_type(j->'$.d'), json_length(j), json_depth(j), json_keys(j), json_valid(j) from j order by id;
select json_object('a', 1, 'b', 'x', 'c', null, 'd', 1.5, 'e', true, 'f', now() > 0), json_array(1, 'a', null, true, 1.50, 1e10, date'2024-01-01'), json_quote('x'), json_unquote('"x\\n"'), json_object(), json_array();
select json_set('{"a": 1}', '$.b', 2, '$.a', 3), json_insert('{"a": 1}', '$.a', 2, '$.c', 'x'), json_replace('{"a": 1}', '$.a', 2, '$.c', 3), json_remove('{"a": 1, "b": 2}', '$.a'), json_array_append('[1]', '$', 2), json_array_insert('[1, 3]', '$[1]', 2), json_merge_patch('{"a": 1}', '{"a": null, "b": 2}'), json_merge_preserve('[1]', '{"a": 1}');
select json_contains('[1, 2]', '1'), json_contains('{"a": 1}', '1', '$.a'), json_contains_path('{"a": 1}', 'one', '$.a', '$.b'), json_search('["abc", "xyz"]', 'one', 'abc'), json_overlaps('[1, 2]', '[2, 3]'), 2 member of ('[1, 2]'), json_value('{"a": "1"}', '$.a' returning unsigned), json_pretty('{"a": [1, 2]}'), json_storage_size('{}');
select id from j where j->'$.n' = 1;
select id from j where j->>'$.s' = 'x';
select id from j where g = 2;
select id from j order by j->'$.n' desc, id;
select j->'$.n' + 1, cast(j->'$.n' as signed), cast(j->'$.d' as decimal(5,2)), j->'$.n' = 1, j->'$.n' is null, j->>'$.s' is null from j order by id;
select json_extract('{"a": 12345678901234567890, "b": 1.10, "c": 1e2, "d": -0, "e": "\\u00e9", "f": 1e400}', '$');
select json_extract('{"a": 12345678901234567890, "b": 1.10, "c": 1e2, "d": -0, "e": "\\u00e9"}', '$');
select cast('{"b": 1, "a": 2, "aa": 3, "c": 4}' as json), cast('[1,2]' as json) = json_array(1, 2), cast(1 as json) < cast(2 as json), json_array(1) = '[1]';
update j set j = json_set(j, '$.n', 100) where id = 1;
select j, g from j where id = 1;
select json_arrayagg(g), json_objectagg(id, s) from j where id < 3;
insert into j (j) values ('{"a":1,"a":2}');
select j from j order by id desc limit 1;
insert into j (j, g) values ('{}', 5);
insert into j (j) values ('[1,2');
show create table j;
select json_type('1'), json_type('"a"'), json_type('1.5'), json_type('true'), json_type('null'), json_type('[]'), json_type(cast(now() as json)), json_type(cast(1 as json));
select json_extract('[1, [2, 3]]', '$[1][0]'), json_extract('{"a b": 1}', '$."a b"'), json_extract('[1,2,3,4]', '$[1 to 2]'), json_extract(null, '$');
select json_table.x from json_table('[1,2]', '$[*]' columns (x int path '$')) json_table;
select json_schema_valid('{"type": "object"}', '{}');

-- numbers keep what they are written as
create table jn (id int primary key, j json);
insert into jn values (1, '{"a": 9007199254740993, "b": 1e3, "c": 1.0, "d": 18446744073709551615, "e": -9223372036854775808, "f": 1.5, "g": [1, 2.0]}'), (2, '9007199254740993'), (3, '1e3'), (4, '1.10'), (5, '[1,1.0]'), (6, '-0'), (9, '0.1e1'), (10, 'true');
select id, j from jn order by id;
select j->'$.a', j->>'$.a', j->'$.b', j->'$.d', j->'$.g', j->'$.g[1]', json_extract(j, '$.a', '$.e') from jn where id = 1;
select id, json_type(j) from jn order by id;
select json_type(j->'$.b') as b, json_type(j->'$.d') as d, json_type(j->'$.a') as a, json_type(j->'$.e') as e from jn where id = 1;
select cast('9007199254740993' as json), cast('1e3' as json), cast('{"a":1.0}' as json), json_extract('{"a": 9007199254740993}', '$.a'), json_extract('[1e3]', '$[0]');
select json_set('{"a": 9007199254740993}', '$.b', 1), json_merge_patch('{"a": 9007199254740993}', '{"b":1e2}'), json_object('a', 9007199254740993);
update jn set j = json_set(j, '$.a', 9007199254740995) where id = 1;
select j from jn where id = 1;
select id from jn where j->'$.a' = 9007199254740995;
select id from jn where json_contains(j, '1') order by id;
select id from jn where json_contains(j, '9007199254740993', '$.a') or json_contains(j, '9007199254740993');
select id from jn where j = 1000 order by id;
select cast(j->'$.a' as unsigned) as a, cast(j->'$.d' as unsigned) as d, j->'$.c' + 1 as c from jn where id = 1;
select json_length(j) as l, json_keys(j) as k from jn where id = 1;
