-- Definitions in stored programs mean what they mean outside of them.
create table t (a int primary key, b int);
delimiter //
create procedure storage() begin alter table t row_format=compressed; alter table t engine=innodb, min_rows = 5, comment = 'c'; alter table t engine=innodb, add column c int default (1+2), add index k ((b+c)); end //
create procedure makes() begin create table if not exists n (a int default (1+1), d date default (date'2024-01-01'), b int, key ((b+1)), check (a > 0)) row_format=dynamic min_rows=10 comment 'x'; end //
create procedure selects(v int) begin create table s row_format=compressed as select b from t where a = v; create table l like s; end //
create procedure gathers() begin declare continue handler for sqlexception begin get diagnostics condition 1 @m = message_text; select @m; end; alter table nope add i int; drop table nope; create index a on nope (i); drop index q on t; drop database nope; truncate nope; rename table nope to nope2; create table t (i int); alter table t add a int; end //
create procedure loops(n int) begin declare n2 int default 0; while n2 < n do create temporary table lo (i int default (7), key ((i+1))); alter table lo add j int default 3; insert into lo () values (); drop temporary table lo; set n2 = n2 + 1; end while; select n2; end //
create procedure names(tn varchar(10)) begin create table tn (tn int) comment 'it''s "q"' /* gone */, charset latin1; show create table tn; drop table tn; end //
create function counts() returns int deterministic begin create temporary table ft (i int default (1+1), key ((i+1))); insert into ft values (1),(2); return (select count(*) from ft); end //
create function gone() returns int deterministic begin drop temporary table if exists ft; return 1; end //
create trigger tr before insert on t for each row begin create temporary table if not exists tx (i int); insert into tx values (new.a); set new.b = (select sum(i) from tx); end //
create event ev on schedule every 1 day disable do begin create table evt (i int default (1+1)); end //
create procedure altersevent() begin alter event ev on completion preserve; alter event ev rename to ev2; drop event ev2; drop event if exists ev2; end //
create procedure makesevent() begin create event ev on schedule every 1 day do select 1; end //
create function bad() returns int deterministic begin alter table t add z int; return 1; end //
create function bad() returns int deterministic begin create table t2 (i int); return 1; end //
create function bad() returns int deterministic begin rename table t to z; return 1; end //
create function bad() returns int deterministic begin truncate table t; return 1; end //
create function bad() returns int deterministic begin drop index i on t; return 1; end //
create function bad() returns int deterministic begin drop event e; return 1; end //
create trigger bad before update on t for each row begin drop table t2; end //
delimiter ;
call storage();
show create table t;
call makes();
show create table n;
call makes();
show warnings;
insert into t (a) values (1), (2);
select * from t;
call selects(2);
show create table s;
show create table l;
select * from s;
call gathers();
call loops(3);
call names('a');
call names('b');
select counts();
-- text
select gone();
call altersevent();
drop procedure storage;
set sql_mode = 'ansi_quotes';
create procedure quoted() begin create table "q" ("a" int default (1+1), b varchar(10) default 'x"y'); alter table "q" add "c" int, add key (("c" + 1)); end;
set sql_mode = default;
call quoted();
show create table q;
