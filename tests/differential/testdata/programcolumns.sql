-- The names of the columns that programs show.
create table t(a int, b varchar(20));
insert into t values(1,'x'),(2,'y');
delimiter //
create procedure p1(n int) begin declare v int default 3; select 1+1, n+1, v*2 , concat(b,'a;b') from t; select COUNT(*), Max(a),group_concat(b order by b), now()>0 from t; select n, v, a, t.a from t; select (select max(a) from t)+0, exists(select 1), case when a=1 then 'one' else 'z' end from t; select 'str', "dq", 1.50, null, true, -1, @@sql_safe_updates; select a+1 x, a AS y from t union select 5, 6; end//
call p1(7)//
create procedure p2() begin flush tables; select 1 +  1; do 1; select a   +   1 from t; set @q = 1; select if(1,2,3), interval(3,1,2,5), cast('5' as signed), a in (1,2), 'a' like 'b', not 1, a is null from t limit 1; end//
call p2()//
create procedure p4() select 2  *  3//
call p4()//
