-- Whose rights count in stored programs and views. Accounts: d defines, u calls, p has what is told.
set global log_bin_trust_function_creators = 1;
create user sec_d, sec_u, sec_p, sec_gone;
create table t (a int, b int);
create table log (who varchar(80), me varchar(80));
insert into t values (1,2),(3,4);
grant all on diff_security.* to sec_d;
grant create routine, alter routine, execute on diff_security.* to sec_p;
create definer=sec_d procedure pd() select current_user(), count(*) from t;
create definer=sec_d procedure pi() sql security invoker select current_user(), count(*) from t;
create definer=sec_d procedure pdi() call diff_security.pi();
create definer=sec_d function fd() returns int reads sql data return (select count(*) from t);
create definer=sec_d function fi() returns int reads sql data sql security invoker return (select count(*) from t);
create definer=sec_d function fwho() returns varchar(80) no sql return current_user();
create definer=sec_d view vd as select a, b from t where current_user() = 'sec_d@%';
create definer=sec_d sql security invoker view vi as select a, b from t where current_user() = 'sec_d@%';
create definer=sec_d view vvi as select * from vi;
create definer=sec_d view vf as select diff_security.fi() x, diff_security.fwho() y;
create definer=sec_gone view vg as select * from t;
create definer=sec_gone procedure pg() select count(*) from t;
create definer=sec_gone function fg() returns int reads sql data return (select count(*) from t);
create definer=sec_nobody procedure pn() select 1;
show warnings;
call pn();
select fg();
create table tt (a int);
create definer=sec_d trigger tr before insert on tt for each row insert into log values (current_user(), user());
create table tg (a int);
create definer=sec_gone trigger trg before insert on tg for each row set new.a = 5;
create table tl (a int);
delimiter //
create definer=sec_d trigger trl before insert on tl for each row begin declare x int; select count(*) into x from t; set new.a = x; insert into log values (current_user(), user()); end//
delimiter ;
drop user sec_gone;
select * from vg;
call pg();
select fg();
insert into tg values (1);
grant execute on diff_security.* to sec_u;
grant select on diff_security.vd to sec_u;
grant select on diff_security.vi to sec_u;
grant select on diff_security.vvi to sec_u;
grant select on diff_security.vf to sec_u;
grant select on diff_security.vg to sec_u;
grant insert, update on diff_security.tt to sec_u;
grant insert on diff_security.tg to sec_u;
grant insert on diff_security.tl to sec_u;
-- as: sec_u
call diff_security.pd();
-- as: sec_u
call diff_security.pi();
-- as: sec_u
call diff_security.pdi();
-- as: sec_u
select diff_security.fd();
-- as: sec_u
select diff_security.fi();
-- as: sec_u
select diff_security.fwho(), current_user(), user(), session_user();
-- as: sec_u
select * from diff_security.vd;
-- as: sec_u
select * from diff_security.vi;
-- as: sec_u
select * from diff_security.vvi;
-- as: sec_u
select * from diff_security.vf;
-- as: sec_u
select * from diff_security.vg;
-- as: sec_u
call diff_security.pg();
-- as: sec_u
select * from diff_security.t;
-- as: sec_u
insert into diff_security.t values (1,1);
-- as: sec_u
update diff_security.t set a = 1;
-- as: sec_u
delete from diff_security.t;
-- as: sec_u
replace into diff_security.t values (1,1);
-- as: sec_u
insert into diff_security.tt values (1);
-- as: sec_u
insert into diff_security.tg values (1);
-- as: sec_u
insert into diff_security.tl values (1);
-- as: sec_u
create procedure diff_security.px() select 1;
-- as: sec_u
create function diff_security.fx() returns int deterministic return 1;
-- as: sec_u
create view diff_security.vx as select 1;
-- as: sec_u
create trigger diff_security.trx before insert on diff_security.tt for each row set @x = 1;
-- as: sec_u
drop procedure diff_security.pd;
-- as: sec_u
drop function diff_security.fd;
-- as: sec_u
alter procedure diff_security.pd comment 'x';
-- as: sec_u
alter function diff_security.fd comment 'x';
-- as: sec_u
drop view diff_security.vd;
-- as: sec_u
drop trigger diff_security.tr;
-- as: sec_u
show create procedure diff_security.pd;
-- as: sec_u
show create function diff_security.fd;
-- as: sec_u
show create view diff_security.vd;
-- as: sec_u
create table diff_security.ct (a int);
-- as: sec_u
drop table diff_security.t;
-- as: sec_u
alter table diff_security.t add c int;
-- as: sec_u
truncate table diff_security.t;
-- as: sec_u
create index i on diff_security.t (a);
select who, me from log;
grant create view, create routine, trigger, alter routine on diff_security.* to sec_u;
-- as: sec_u
create procedure diff_security.px() select current_user();
-- as: sec_u
call diff_security.px();
-- as: sec_u
create definer=root@localhost procedure diff_security.py() select 1;
-- as: sec_u
create definer=root@localhost function diff_security.fy() returns int deterministic return 1;
-- as: sec_u
create definer=root@localhost view diff_security.vy as select 1 as c;
-- as: sec_u
create definer=root@localhost trigger diff_security.try before insert on diff_security.tt for each row set @x = 1;
-- as: sec_u
create view diff_security.vz as select * from diff_security.vd;
-- as: sec_u
select * from diff_security.vz;
-- as: sec_u
create trigger diff_security.trx before update on diff_security.tt for each row insert into diff_security.t values (1,1);
-- as: sec_u
update diff_security.tt set a = 9;
-- as: sec_u
drop trigger diff_security.trx;
-- as: sec_u
update diff_security.tt set a = 9;
-- as: sec_u
drop procedure diff_security.px;
revoke all on diff_security.* from sec_d;
-- as: sec_u
select * from diff_security.vd;
-- as: sec_u
select * from diff_security.vz;
-- as: sec_u
call diff_security.pd();
-- as: sec_u
select diff_security.fd();
-- as: sec_u
insert into diff_security.tt values (1);
-- as: sec_u
insert into diff_security.tl values (1);
-- as: sec_p
create procedure diff_security.mine() select 1;
show grants for sec_p;
revoke create routine, alter routine, execute on diff_security.* from sec_p;
-- as: sec_p
call diff_security.mine();
-- as: sec_p
call diff_security.pd();
-- as: sec_p
select diff_security.fd();
-- as: sec_p
drop procedure diff_security.pd;
-- as: sec_p
drop procedure diff_security.mine;
grant create routine on diff_security.* to sec_p;
-- as: sec_p
create procedure diff_security.own() select current_user();
-- as: sec_p
create function diff_security.fown() returns int deterministic return 7;
-- as: sec_p
call diff_security.own();
-- as: sec_p
select diff_security.fown();
show grants for sec_p;
-- as: sec_p
drop procedure diff_security.own;
-- as: sec_p
drop function diff_security.fown;
show grants for sec_p;
grant execute on procedure diff_security.pi to sec_p;
grant execute on function diff_security.fwho to sec_p;
grant execute on function diff_security.no_such to sec_p;
grant select on function diff_security.fwho to sec_p;
grant all on diff_security.* to sec_d;
-- as: sec_p
call diff_security.pi();
-- as: sec_p
select diff_security.fwho();
-- as: sec_p
select diff_security.fd();
revoke execute on function diff_security.fwho from sec_p;
show grants for sec_p;
drop user sec_d, sec_u, sec_p;
set global log_bin_trust_function_creators = 0;
