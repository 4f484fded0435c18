-- Cursors, handlers, SIGNAL, RESIGNAL and GET DIAGNOSTICS in programs as users have them.
create table t(id int primary key auto_increment, a int, b varchar(50));
create table log(n int auto_increment primary key, msg varchar(200));
insert into t(a,b) values(1,'one'),(2,'two'),(3,'three'),(null,'null');
delimiter //
create procedure c1() begin
 declare done int default 0; declare va int; declare vb varchar(50); declare s varchar(200) default '';
 declare c cursor for select a,b from t order by id;
 declare continue handler for not found set done=1;
 open c;
 rl: loop fetch c into va,vb; if done then leave rl; end if; if va is null then iterate rl; end if; set s=concat(s,va,':',vb,';'); end loop;
 close c; select s;
end//
call c1()//
create procedure c2() begin
 declare a int; declare c cursor for select a from t;
 open c; fetch c into a; select a; fetch c into a; select a; close c; fetch c into a;
end//
call c2()//
create procedure c3() begin declare c cursor for select 1; close c; end//
call c3()//
create procedure c4() begin declare x,y int; declare c cursor for select 1; open c; fetch c into x,y; end//
call c4()//
create procedure c5() begin declare c cursor for select 1; open c; open c; end//
call c5()//
create procedure c6() begin declare x int; declare c cursor for select 1 where 0; open c; fetch c into x; end//
call c6()//
create procedure c7() begin
 declare i int default 0; declare x int;
 o: begin
  declare exit handler for not found begin select 'outer nf', i; end;
  begin
   declare c cursor for select a from t where a is not null;
   declare continue handler for sqlexception select 'never';
   open c;
   repeat fetch c into x; set i=i+1; until i>10 end repeat;
  end;
  select 'not reached';
 end;
 select 'after';
end//
call c7()//
create procedure n1() begin
 declare x int default 1;
 begin declare x int default 2; select x; begin declare x varchar(5) default 'abc'; select x; set x='zz'; select x; end; set x=3; select x; end;
 select x;
end//
call n1()//
create procedure h1() begin
 declare continue handler for 1051 select '1051 handled';
 declare continue handler for sqlstate '42S02' select '42S02 handled';
 declare continue handler for sqlexception select 'sqlexception';
 drop table nosuch; select * from nosuch2; insert into t(id) values(1); select 'end';
end//
call h1()//
create procedure h2() begin
 declare exit handler for sqlexception begin get diagnostics condition 1 @st=returned_sqlstate, @no=mysql_errno, @msg=message_text; select @st,@no,@msg; end;
 insert into t(id) values(1);
end//
call h2()//
create procedure h3() begin
 declare cond condition for sqlstate '45001';
 declare exit handler for cond begin
   get stacked diagnostics @n = number; get stacked diagnostics condition 1 @a=class_origin,@b=subclass_origin,@c=constraint_catalog,@d=constraint_schema,@e=constraint_name,@f=catalog_name,@g=schema_name,@h=table_name,@i=column_name,@j=cursor_name,@k=message_text,@l=mysql_errno,@m=returned_sqlstate;
   select @n,@a,@b,@c,@d,@e,@f,@g,@h,@i,@j,@k,@l,@m; end;
 signal cond set class_origin='co', subclass_origin='sco', constraint_catalog='cc', constraint_schema='cs', constraint_name='cn', catalog_name='cat', schema_name='sch', table_name='tab', column_name='col', cursor_name='cur', message_text='msg', mysql_errno=1234;
end//
call h3()//
create procedure h4() begin
 declare exit handler for sqlexception resignal set message_text='re', mysql_errno=4444;
 signal sqlstate '45000' set message_text='orig';
end//
call h4()//
show warnings//
create procedure h5() begin
 declare exit handler for sqlexception resignal sqlstate '45009' set message_text='again';
 signal sqlstate '45000' set message_text='orig';
end//
call h5()//
show warnings//
create procedure h6() begin
 declare exit handler for sqlexception begin declare exit handler for sqlexception begin resignal; end; resignal sqlstate '45007' set message_text='deep'; end;
 select * from nosuch;
end//
call h6()//
show warnings//
create procedure h7() begin
 declare continue handler for sqlwarning begin get diagnostics condition 1 @m=message_text,@no=mysql_errno; select 'warn',@no,@m; end;
 signal sqlstate '01000' set message_text='careful';
 set @x = 1/0;
 insert into log(msg) values(1);
 select 'end';
end//
call h7()//
create procedure h9() begin declare continue handler for sqlstate '00000' begin end; end//
create procedure h10() begin declare exit handler for not found, sqlwarning, sqlexception select 'any'; signal sqlstate '02000'; end//
call h10()//
create procedure h11() begin signal sqlstate '02000' set message_text='nf'; select 'go on'; end//
call h11()//
create procedure h12() begin signal sqlstate '01000' set message_text='w'; end//
call h12()//
show warnings//
create procedure h13() begin declare v varchar(10) default 'dyn'; signal sqlstate '45000' set message_text=v; end//
call h13()//
create procedure h15() begin signal sqlstate '45000' set message_text=@um; end//
set @um='from user'//
call h15()//
set @um=null//
call h15()//
create procedure h16() begin signal sqlstate '45000' set mysql_errno=0; end//
call h16()//
create procedure h17() begin declare exit handler for 1062 begin rollback; select 'dup'; end; start transaction; insert into log(msg) values('tx'); insert into t(id) values(1); commit; end//
call h17()//
select count(*) from log where msg='tx'//
create procedure h18() begin declare exit handler for sqlexception begin get diagnostics @rc=row_count, @n=number; select @rc,@n; end; insert into t(id) values(1); end//
call h18()//
create procedure h19() begin update t set b=concat(b,'!'); get diagnostics @rc=row_count; select @rc, row_count(); end//
call h19()//
get diagnostics condition 1 @m=message_text//
select * from nosuchtable//
-- differs: the count of warnings stays
get diagnostics condition 1 @s=returned_sqlstate,@m=message_text//
select @s,@m//
get diagnostics condition 5 @m=message_text//
show warnings//
