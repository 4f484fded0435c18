-- Bodies of triggers and of other programs that are one statement without BEGIN and END.
create table x(a int, b varchar(100));
delimiter //
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW IF NEW.a<0 THEN SET NEW.a=0; END IF//
insert into x values(-3,'x')//
select * from x//
-- mask: Created
show create trigger t1//
-- mask: Created
show triggers//
select action_statement from information_schema.triggers where trigger_schema=database()//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW CASE NEW.a WHEN 1 THEN SET NEW.b='one'; WHEN 2 THEN SET NEW.b='two'; ELSE SET NEW.b='many'; END CASE//
insert into x(a) values(1),(2),(3)//
select * from x//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT='no', MYSQL_ERRNO=1234//
insert into x(a) values(1)//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW RESIGNAL//
insert into x(a) values(1)//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW RESIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'a'//
insert into x(a) values(1)//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW WHILE NEW.a<10 DO SET NEW.a=NEW.a+3; END WHILE//
insert into x(a) values(1)//
select * from x//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW lp: LOOP SET NEW.a=NEW.a+3; IF NEW.a>20 THEN LEAVE lp; END IF; END LOOP lp//
insert into x(a) values(1)//
select * from x//
-- mask: Created
show create trigger t1//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW lp: REPEAT SET NEW.a=NEW.a+3; IF NEW.a>20 THEN LEAVE lp; END IF; UNTIL NEW.a>14 END REPEAT//
insert into x(a) values(1)//
select * from x//
-- mask: Created
show create trigger t1//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW lb: BEGIN IF NEW.a=3 THEN LEAVE lb; END IF; SET NEW.b='not 3'; END lb//
insert into x(a) values(3),(4)//
select * from x//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW PRECEDES t1 IF NEW.a=7 THEN SET NEW.a=3; END IF//
-- mask: Created
show create trigger t2//
insert into x(a) values(7)//
select * from x//
drop trigger t1//
drop trigger t2//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW SELECT NEW.a+1 INTO @z//
insert into x(a) values(7)//
select @z//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW SELECT 1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW COMMIT//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW REPLACE INTO x VALUES(1,'a')//
insert into x(a) values(7)//
drop trigger t1//
CREATE TRIGGER t1 BEFORE INSERT ON x FOR EACH ROW IF NEW.a THEN SELECT 1 INTO @a; END IF;//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW LEAVE lb//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW RETURN 1//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW IF OLD.a THEN SET @a=1; END IF//
CREATE TRIGGER t2 AFTER INSERT ON x FOR EACH ROW IF NEW.a THEN SET NEW.a=1; END IF//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW IF NEW.zz THEN SET @a=1; END IF//
CREATE TRIGGER t2 BEFORE INSERT ON x FOR EACH ROW WITH c AS (SELECT 5 q) SELECT q FROM c INTO @q//
CREATE DEFINER=root@localhost TRIGGER IF NOT EXISTS t3
  BEFORE UPDATE ON x FOR EACH ROW
  -- a remark
  IF NEW.a <> OLD.a THEN
     SET NEW.b = 'x;y'; -- other
  END IF//
-- mask: Created
show create trigger t3//
select trigger_name, action_order, action_statement from information_schema.triggers where trigger_schema=database() order by 1//
update x set a=a+1 limit 1//
select * from x//
create procedure p1() if 1 then select 1; end if//
call p1//
create procedure p2(n int) case n when 1 then select 'one'; else select 'else'; end case//
call p2(1)//
call p2(2)//
create procedure p3(n int) while n>0 do select n; set n=n-1; end while//
call p3(2)//
create procedure p4(n int) l: loop select n; leave l; end loop l//
call p4(2)//
create procedure p5(n int) l: repeat set n=n+1; until n > 5 end repeat l//
call p5(2)//
create procedure p6() signal sqlstate '45000'//
call p6()//
create procedure p7() resignal//
call p7()//
create procedure p8() l: begin leave l; end//
call p8()//
create procedure p10() return 1//
create function f1() returns int deterministic return 1//
create function f2(a int) returns int deterministic if a then return 1; else return 2; end if//
select f2(0), f2(1)//
create function f3(a int) returns int deterministic case a when 1 then return 10; else return 20; end case//
select f3(0), f3(1)//
create function f4(a int) returns int deterministic while true do set a=a+1; if a > 10 then return a; end if; end while//
select f4(0)//
create function f5(a int) returns int deterministic l: loop set a=a+1; if a > 10 then return a; end if; end loop l//
select f5(0)//
create function f6(a int) returns int deterministic repeat set a=a+1; if a > 10 then return a; end if; until 0 end repeat//
select f6(0)//
create function f7(a int) returns int deterministic signal sqlstate '45000' set message_text='x'//
create function f8(a int) returns int deterministic l: begin return 7; end//
select f8(1)//
show create function f2//
show create procedure p1//
create event e1 on schedule every 1 day starts '2037-01-01' disable do if 1 then set @a=1; end if//
show create event e1//
create event e2 on schedule every 1 day starts '2037-01-01' disable do l: loop leave l; end loop l//
show create event e2//
create event e3 on schedule every 1 day starts '2037-01-01' disable do case 1 when 1 then set @a=2; end case//
create event e4 on schedule every 1 day starts '2037-01-01' disable do signal sqlstate '45000'//
create event e5 on schedule every 1 day starts '2037-01-01' disable do resignal//
create event e6 on schedule every 1 day starts '2037-01-01' disable do while 0 do set @a=1; end while//
create event e7 on schedule every 1 day starts '2037-01-01' disable do lab: begin end lab//
show create event e7//
select event_name, event_definition from information_schema.events where event_schema=database() order by 1//
