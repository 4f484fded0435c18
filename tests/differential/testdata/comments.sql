-- what is a comment and what is not
create table t (id int primary key, a int, b varchar(60));
insert into t values (1, 6, ''), (2, 6, '');
delete from t where a>5--1 and id=1;
select id from t order by id;
update t set a=a--1 where id=1;
select id, a from t order by id;
select 5 - -1, 5 -
-1;
select 5-- 1
;
select 5--	it's
;
insert into t values (3, --	it's
'7', 'due DATE ''2024-01-01''');
select * from t where id=3;
select 3//* comment */1 as x;
select 1 /*!99999 + 1 */ + 1 /*!50000 + 1 */ as x;
select 1 -- end's
+ 1 as x;
select 1 # end's
+ 1 as x;
-- text
prepare s from 'delete from t where a>5--1 and id=2';
-- text
execute s;
select id from t order by id;
-- text
prepare s from 'select 4--	it''s
';
-- text
execute s;
-- params: [2]
delete from t where a>5--1 and id=?;
select id from t order by id;
create procedure p() delete from t where a>5--1 and id=2;
call p();
select id from t order by id;
drop procedure p;
create view v as select id--1 as x from t;
select * from v order by x;
set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES';
select '\' as x, "id"--1 as y from t where 5--1=6 order by y;
set sql_mode = default;
