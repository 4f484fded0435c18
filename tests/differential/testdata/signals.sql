-- SIGNAL and RESIGNAL outside programs, and what their items are given.
signal foo;
resignal;
resignal foo;
resignal sqlstate '12345';
signal sqlstate 'HY000' set mysql_errno = 65536;
signal sqlstate 'HY000' set mysql_errno = 0;
signal sqlstate 'HY000' set mysql_errno = null;
signal sqlstate '45000' set message_text = @nope;
signal sqlstate '01234' set message_text = 'a', mysql_errno = 77;
show warnings;
signal sqlstate '45000' set message_text = abc;
signal sqlstate '45000' set message_text = 123;
signal sqlstate '02000';
show warnings;
set @t = 'some', @n = '0x12';
signal sqlstate '45000' set message_text = @t, mysql_errno = 0x12;
signal sqlstate '45000' set message_text = @t, mysql_errno = '65';
signal sqlstate '45000' set message_text = @t, mysql_errno = '65a';
signal sqlstate '45000' set message_text = @t, mysql_errno = 3.6;
signal sqlstate '45000' set message_text = @t, mysql_errno = @n;
signal sqlstate '45000' set message_text = @t := 'a';
signal sqlstate '45000' set message_text = 'a', message_text = 'b';
signal sqlstate '00000';
signal sqlstate '45000' set class_origin = 'x', subclass_origin = 'y', constraint_name = 'c', message_text = 'm';
-- differs: the OK counts the warnings that stay
get diagnostics condition 1 @a = class_origin, @b = subclass_origin, @c = constraint_name, @d = message_text, @e = mysql_errno, @f = returned_sqlstate;
select @a, @b, @c, @d, @e, @f;
delimiter //
create procedure p() begin declare foo condition for sqlstate '12345'; signal foo set mysql_errno = `65`; end//
call p()//
drop procedure p//
create procedure p() begin declare continue handler for sqlexception resignal set message_text = asdf; drop table none; end//
call p()//
create procedure q() begin declare foo condition for sqlstate '12345'; signal foo set message_text = @m := 'i'; end//
create table t (i int, msg varchar(20), errno int)//
create trigger tr before insert on t for each row if new.i > 1 then signal sqlstate '45000' set message_text = new.msg, mysql_errno = new.errno; end if//
insert into t values (1, 'a', 5)//
insert into t values (2, 'hello', 5)//
insert into t values (2, 'hello', 70000)//
drop trigger tr//
create trigger tr before insert on t for each row if new.i > 1 then signal sqlstate '45000' set message_text = 'x', mysql_errno = 70000; end if//
insert into t values (1, 'a', 5)//
insert into t values (2, 'hello', 5)//
drop trigger tr//
create trigger tr before insert on t for each row if new.i > 1 then signal sqlstate '45000' set message_text = nix; end if//
insert into t values (2, 'hello', 5)//
select * from t//
