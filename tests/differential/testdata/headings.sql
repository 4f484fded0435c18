-- What columns without an alias are called: texts and numbers by themselves, without signs and parentheses.
select null, NULL, Null, 'a' 'b', +1, (1), "q", ((1)), +-1, - 1, +'a', (null), ('a'), 'a''b', "a\"b", true, TRUE, 1.50, 'a'   'b', ' a', 'a ', '';
select _utf8mb4'x', +(1), + + 1, (+1), (-1), (select 1), 1e5, ( 1 ), (1 + 2), + 1.5, 'it''s', "it's", (true), +(1+2), (date '2020-01-01');
select 1 /* c */, 'a' /* c */, ('a' 'b'), +('a' "b"), 'a''c' 'b', (select null), (select 'a' 'b'), concat('a' 'b', (1)), "a" as x, '1' + 1, ('1') + 1, -(1), _utf8mb4'x' 'y';
select null union select 1;
create procedure p() select null, +1, (1), "q";
call p();
