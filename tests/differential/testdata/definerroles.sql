-- Roles and accounts that are definers of stored objects: who may leave these without a definer is warned, others are refused; several accounts are dropped together or not at all.
create user definer_admin;
create user definer_one;
create user definer_two;
create role definer_role;
grant create user, drop role, create role on *.* to definer_admin;
create definer = definer_role procedure p() select 1;
create definer = definer_one view v as select 1;
create table t (a int);
create definer = definer_one trigger tg before insert on t for each row set @a = 1;
create definer = definer_one event ev on schedule every 1 day do set @a = 1;
-- as: definer_admin
drop role definer_role;
-- as: definer_admin
drop role if exists definer_role;
-- as: definer_admin
drop user definer_one;
-- as: definer_admin
drop user definer_two, definer_one;
-- as: definer_admin
rename user definer_one to definer_other;
-- as: definer_admin
rename user definer_two to definer_three, definer_three to definer_two;
drop role definer_role;
show warnings;
drop role if exists definer_role, definer_nobody;
show warnings;
-- as: definer_admin
create role definer_role;
create role definer_role;
show warnings;
drop user definer_two, definer_one;
show warnings;
drop user if exists definer_two, definer_one;
show warnings;
create user definer_one;
show warnings;
rename user definer_one to definer_two;
show warnings;
drop event ev;
drop view v;
drop table t;
drop procedure p;
drop user definer_admin, definer_two;
drop role definer_role;
