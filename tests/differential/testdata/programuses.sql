-- Triggers of all events, PREPARE, temporary tables, transactions and SELECT in programs as users have them.
create table t(id int primary key auto_increment, a int, b varchar(50), u timestamp null);
create table log(n int auto_increment primary key, msg varchar(200));
delimiter //
create trigger bi before insert on t for each row begin set new.b=upper(new.b); insert into log(msg) values(concat('bi ',ifnull(new.a,'null'))); end//
create trigger ai after insert on t for each row insert into log(msg) values(concat('ai ',new.id,' ',ifnull(new.b,'null')))//
create trigger bu before update on t for each row begin if new.a<>old.a then set new.b=concat(old.b,'>',new.b); end if; insert into log(msg) values(concat('bu ',old.id,' ',old.a,'->',new.a)); end//
create trigger au after update on t for each row insert into log(msg) values(concat('au ',old.b,'->',new.b))//
create trigger bd before delete on t for each row insert into log(msg) values(concat('bd ',old.id))//
create trigger ad after delete on t for each row insert into log(msg) values(concat('ad ',old.id))//
insert into t(a,b) values(1,'x'),(2,'y')//
update t set a=a+1 where a=1//
update t set a=a//
update t set b='z' where id=2//
delete from t where id=1//
insert into t(id,a,b) values(2,9,'r') on duplicate key update a=9//
replace into t(id,a,b) values(2,10,'rr')//
insert ignore into t(id,a,b) values(2,11,'ig')//
select msg from log order by n//
select id,a,b from t//
delete from log//
insert into t(a,b) select a+1,'sel' from t//
update t set a=100 order by id desc limit 1//
delete from t order by id limit 1//
truncate t//
select msg from log order by n//
drop trigger bi//
drop trigger ai//
drop trigger bu//
drop trigger au//
drop trigger bd//
drop trigger ad//
create trigger bi before insert on t for each row begin if new.a<0 then signal sqlstate '45000' set message_text='negative', mysql_errno=1111; end if; if new.a>100 then set new.a=100; end if; end//
insert into t(a) values(1),(-1),(2)//
insert into t(a) values(500)//
select id,a from t//
insert ignore into t(a) values(-1)//
show warnings//
drop trigger bi//
create trigger bi before insert on t for each row set new.u='2024-01-01', new.id=77//
insert into t(a) values(3)//
select id,a,u from t where id=77//
drop trigger bi//
create trigger bi before insert on t for each row set new.b=repeat('x',60)//
insert into t(a) values(3)//
drop trigger bi//
create trigger bi before insert on t for each row begin declare c int; select count(*) into c from t; set new.a=c; end//
insert into t(b) values('c1'),('c2'),('c3')//
select a,b from t where b like 'c%' order by id//
drop trigger bi//
create trigger bi before insert on t for each row begin declare exit handler for sqlexception set new.b='handled'; insert into log(n,msg) values(1,'x'); insert into log(n,msg) values(1,'x'); end//
insert into t(b) values('h')//
select b from t where b in ('h','handled')//
drop trigger bi//
create procedure ps(n varchar(20)) begin set @q=concat('select ',n,'+? as r'); set @p=5; prepare st from @q; execute st using @p; deallocate prepare st; end//
call ps('10')//
call ps('nosuchcol')//
create procedure ps2() begin prepare st from 'create temporary table if not exists tt(a int)'; execute st; insert into tt values(1),(2); select sum(a) from tt; drop temporary table tt; end//
call ps2()//
call ps2()//
create procedure ps3(tab varchar(64)) begin set @s=concat('select count(*) into @cnt from ',tab); prepare s from @s; execute s; deallocate prepare s; select @cnt > 0; end//
call ps3('t')//
call ps3('nosuch')//
create procedure ps5() begin execute nosuch; end//
call ps5()//
create procedure lim(n int) begin select id from t order by id limit n; end//
call lim(2)//
create procedure tmp() begin drop temporary table if exists tmpx; create temporary table tmpx as select id,a from t where a is not null; alter table tmpx add c int default 4; update tmpx set c=a; select count(*), sum(c) from tmpx; end//
call tmp()//
call tmp()//
select count(*) from tmpx//
create procedure tx(f int) begin declare exit handler for sqlexception begin rollback; select 'rolled back'; end; start transaction; insert into log(msg) values('tx1'); savepoint s1; insert into log(msg) values('tx2'); if f=1 then rollback to s1; elseif f=2 then insert into log(n) values(null),(1),(1); end if; commit; end//
delete from log//
call tx(0)//
call tx(1)//
call tx(2)//
select msg,count(*) from log group by msg order by msg//
set autocommit=0//
create procedure txa() begin insert into log(msg) values('txa'); end//
call txa()//
rollback//
select count(*) from log where msg='txa'//
set autocommit=1//
create procedure clash(a int) begin select a from t where b='c1'; select t.a from t where b='c1'; update t set a=a where b='c1'; select t.a from t where b='c1'; end//
call clash(55)//
create procedure clash2() begin declare b varchar(10) default 'c2'; delete from t where b=b; select count(*) from t; end//
call clash2()//
create procedure rs() begin select 1; select 2,3 union select 4,5; select 'x' where 0; end//
call rs()//
create procedure sv() begin declare x int default 3; set session sort_buffer_size=100000+x; set @u=x, x=x+1; select @u,x; end//
call sv()//
create procedure rc() begin insert into log(msg) values('1'),('2'); select row_count(); update log set msg='z'; select row_count(); end//
call rc()//
create procedure whilep(n int) begin declare i,s int default 0; while i<n do set i=i+1; if i mod 2 then set s=s+i; end if; end while; select s, i; end//
call whilep(10)//
create procedure defv() begin declare a int default 5; declare b int default a*2; declare c,d varchar(5) default 'ab'; declare e decimal(5,2) default 1.005; declare f datetime default '2024-01-01 10:00:00'; declare g bool default true; select a,b,c,d,e,f,g; end//
call defv()//
create procedure json1() begin declare j json default '{"a":[1,2]}'; set j=json_set(j,'$.b',3); select j, j->'$.a' as a, json_extract(j,'$.b') as b; end//
call json1()//
create procedure existsp() begin if exists(select 1 from t where id>0) then select 'yes'; else select 'no'; end if; if (select count(*) from t)=0 then select 'empty'; end if; end//
call existsp()//
create procedure setsel() begin declare x int; set x=(select max(n) from log); select x > 0; select 7,8 into x,@y; select x,@y; select 1 into x from log; end//
call setsel()//
create procedure notf() begin declare x int default 9; select n into x from log where n<0; select x; end//
call notf()//
show warnings//
drop procedure if exists nosuch//
show warnings//
drop procedure nosuch//
create procedure notf() begin end//
create procedure if not exists notf() begin end//
show warnings//
create procedure com() comment 'hello' reads sql data sql security invoker begin end//
show create procedure com//
alter procedure com comment 'bye' sql security definer//
show create procedure com//
select routine_name, data_type, is_deterministic, sql_data_access, security_type, routine_comment from information_schema.routines where routine_schema=database() and routine_name in ('com','rs')//
-- differs: the type of PARAMETER_MODE
select parameter_name, parameter_mode, ordinal_position, data_type, dtd_identifier from information_schema.parameters where specific_schema=database() and specific_name in ('clash','ps')//
