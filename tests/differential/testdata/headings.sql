-- What columns without an alias are called: texts and numbers by themselves, without signs and parentheses.
select null, NULL, Null, 'a' 'b', +1, (1), "q", ((1)), +-1, - 1, +'a', (null), ('a'), 'a''b', "a\"b", true, TRUE, 1.50, 'a'   'b', ' a', 'a ', '';
select _utf8mb4'x', +(1), + + 1, (+1), (-1), (select 1), 1e5, ( 1 ), (1 + 2), + 1.5, 'it''s', "it's", (true), +(1+2), (date '2020-01-01');
select 1 /* c */, 'a' /* c */, ('a' 'b'), +('a' "b"), 'a''c' 'b', (select null), (select 'a' 'b'), concat('a' 'b', (1)), "a" as x, '1' + 1, ('1') + 1, -(1), _utf8mb4'x' 'y';
select null union select 1;
create procedure p() select null, +1, (1), "q";
call p();
-- a column of a table is called as the statement writes it, one of a derived table or a view by its own name
create table cased (id int primary key, Name char(5));
insert into cased values (1, 'a');
select ID, NAME, cased.iD from cased;
select ID from cased where id in (select 1);
select ID, count(*) from cased group by id order by Id;
select ID from cased union select 2;
select Id from (select ID from cased) x;
select * from (select ID, nAME from cased) x;
with c as (select ID from cased) select iD from c;
create view casedview as select ID from cased;
select id from casedview;
create table casedcopy select ID, NAME from cased;
show create table casedcopy;
select distinct NAME from cased;
