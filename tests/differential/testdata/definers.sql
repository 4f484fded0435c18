-- Accounts that are definers of stored objects may not be dropped, renamed or made but by those who may leave objects without a definer.
create table t (a int);
create user def_x, def_y, def_adm;
grant create user on *.* to def_adm;
create definer = def_x procedure p() select 1;
create definer = def_x function f() returns int deterministic return 1;
create definer = def_x view v as select 1;
create definer = def_x trigger tr before insert on t for each row set @a = 1;
create definer = def_x event ev on schedule every 1 day disable do set @a = 1;
-- as: def_adm
drop user def_x;
-- as: def_adm
drop user if exists def_x;
-- as: def_adm
rename user def_x to def_z;
-- as: def_adm
drop user def_y, def_x;
drop event ev;
-- as: def_adm
drop user def_x;
drop view v;
-- as: def_adm
drop user def_x;
drop user def_x;
show warnings;
-- as: def_adm
create user def_x;
drop procedure p;
drop function f;
create user def_x;
show warnings;
rename user def_x to def_z;
show warnings;
rename user def_z to def_x;
grant allow_nonexistent_definer on *.* to def_adm;
-- as: def_adm
drop user def_x;
drop trigger tr;
drop user def_y, def_adm;
