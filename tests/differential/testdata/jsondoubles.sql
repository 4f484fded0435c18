-- Doubles in documents keep the digit behind their point. JSON_MERGE_PATCH of numbers and NULLs.
create table j (id int primary key, j json, f double, d decimal(10,2), r float);
insert into j values (1, '[3.0, 2.50]', 3, 3.00, 1.5), (2, '{"a": 1e0}', 1e10, 1.25, 3);
select j, json_array(f), json_array(d), json_array(r), json_object('f', f, 'd', d), json_set(j, '$.x', f), json_array_append('[1]', '$', f), json_insert('[1]', '$[1]', f), json_replace('{"a": 1}', '$.a', f) from j order by id;
select json_arrayagg(f), json_arrayagg(d), json_objectagg(id, f) from j;
select cast(3e0 as json), cast(cast(3e0 as json) as char), json_array(cast('3.0' as json)), json_array(3.0), json_array(1e-7), json_array(0.1e0 + 0.2e0), json_array(100e0), json_array(123456789.5e0), json_array(-3e0), json_array(0e0);
select json_type(json_extract(json_array(3e0), '$[0]')), json_array(3e0) = json_array(3), json_unquote(json_array(2e0)), json_pretty(json_array(3e0)), json_array(pi()), json_array(sqrt(4)), json_array(round(2.0e0));
set @a = 3e0;
select json_array(@a), json_object('a', @a / 1);
create table k (j json);
insert into k values (json_array(3e0)), (json_object('a', 1e5)), (cast(4e0 as json));
-- sorted
select * from k;
select * from k where j = json_array(3e0);
select json_merge_patch('{"a":1.0}', '{"b":2e0}'), json_merge_patch('{"a":{"b":1}}', '{"a":{"c":2.50}}'), json_merge_patch('{"a":1}', '{"a":null}'), json_merge_patch('{"a":1}', '{"b":{"c":null}}'), json_merge_patch('1', '{"a":null,"b":12345678901234567890}'), json_merge_patch('null', '{"a":1}'), json_merge_patch('{"a":1}', '[2]', '{"c":3}');
select json_merge_patch(null, '[1]'), json_merge_patch('[1]', null), json_merge_patch(null, '{}'), json_merge_patch('{"a":1}', null, '5', '{"b":2}'), json_merge_patch('{"a":1}', null, '{"b":1}');
select json_merge_patch('{"a":1}', 'x');
select json_merge_patch('{"a":1}', 1);
select json_merge_patch('{"a":1}');
