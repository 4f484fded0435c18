-- Variables of routines and their first values; definers that are the session's account; other statements that tools send.
create table t (id int primary key, v varchar(20));
insert into t values (1, 'a'), (2, 'b'), (3, null);
delimiter //
create procedure without() begin declare x int; declare v varchar(10); declare d date; select x, v, d, x is null, coalesce(x, 5); end//
call without()//
create procedure nulls() begin declare x int default null; declare y decimal(5,2) default null; select x, y, x + 1; end//
call nulls()//
create procedure computed() begin declare x, y int; declare z int default 1 + 1; declare w int default z * 2; declare s varchar(5) default 'abc';
  select x, y, z, w, s; end//
call computed()//
create procedure given(p int) begin declare d date default '2024-01-02'; declare n decimal(5,2) default 1.239; declare f double default 1.5; declare b bool default true;
  declare v varchar(3) default p; select d, n, f, b, v; end//
call given(17)//
call given(null)//
create procedure long_text() begin declare v varchar(2) default 'abcdef'; select v; end//
call long_text()//
create procedure inner_block() begin declare z int default 2; while z < 5 do begin declare k int; set k = coalesce(k, 0) + 1; set z = z + k; end; end while; select z; end//
call inner_block()//
create procedure cursors() begin declare done int default false; declare i int; declare n int default 0; declare c cursor for select id from t;
  declare continue handler for not found set done = true; open c; l: loop fetch c into i; if done then leave l; end if; set n = n + i; end loop; close c; select n; end//
call cursors()//
create function f_none(a int) returns int deterministic begin declare x int; if x is null then return a; end if; return x; end//
select f_none(5), f_none(null)//
create function f_given(a int) returns varchar(20) deterministic begin declare x varchar(10) default concat('v', a); declare y int default a; return concat(x, y); end//
select f_given(5), f_given(null), f_given(7)//
delimiter ;
create definer=current_user procedure own() select 6;
call own();
create definer = current_user() procedure own2() select 7;
call own2();
create definer=current_user function own3() returns int deterministic return 3;
select own3();
create definer=current_user view own4 as select id from t where id < 3;
select * from own4;
create definer=current_user trigger own5 before insert on t for each row set new.v = 'trigger';
insert into t values (4, 'x');
select v from t where id = 4;
describe t id;
desc t 'v%';
alter table t add column (c int, d varchar(10) default 'q');
alter table t add (e decimal(5,2), key ke (e));
select * from t where id = 1;
show create table t;
create index c on t (c) algorithm=inplace lock=none;
create unique index d on t (id, d) algorithm = inplace;
drop index c on t algorithm=inplace lock=none;
drop index d on t lock = default;
select now(9);
select json_extract('{}', 'a');
select id from t where match(v) against ('x');
