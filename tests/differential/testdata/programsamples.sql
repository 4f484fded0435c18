-- Programs as users have them: transfers of money, cursors within cursors, texts that are cut up, checks by triggers; and what CREATE refuses.
create table acc(id int primary key, bal decimal(10,2));
create table hist(id int primary key auto_increment, acc int, amt decimal(10,2), at datetime default current_timestamp);
insert into acc values(1,100),(2,50),(3,0);
delimiter //
create procedure transfer(in f int, in t int, in amt decimal(10,2), out ok tinyint)
begin
  declare cur decimal(10,2);
  declare exit handler for sqlexception begin rollback; set ok=0; resignal; end;
  start transaction;
  select bal into cur from acc where id=f for update;
  if cur is null then signal sqlstate '45000' set message_text='no account'; end if;
  if cur<amt then signal sqlstate '45000' set message_text='insufficient funds', mysql_errno=5001; end if;
  update acc set bal=bal-amt where id=f; update acc set bal=bal+amt where id=t;
  insert into hist(acc,amt) values(f,-amt),(t,amt);
  commit; set ok=1;
end//
call transfer(1,2,30,@ok)//
select @ok//
call transfer(3,2,30,@ok)//
select @ok//
call transfer(9,2,30,@ok)//
select * from acc//
create function fmt(x decimal(10,2)) returns varchar(30) deterministic no sql return concat('$',format(x,2))//
select id+0, fmt(bal) from acc order by fmt(bal)//
create view va as select id, fmt(bal) f from acc//
select id+0, concat(f) from va where f like '$7%'//
create function lvl(x decimal(10,2)) returns varchar(10) deterministic begin case when x>=100 then return 'high'; when x>=50 then return 'mid'; else return 'low'; end case; end//
select lvl(bal), count(*) from acc group by lvl(bal) order by 1//
create function fib(n int) returns bigint deterministic begin declare a,b,t bigint default 0; set b=1; while n>0 do set t=a+b, a=b, b=t, n=n-1; end while; return a; end//
create function isprime(n int) returns boolean deterministic begin declare i int default 2; if n<2 then return false; end if; l: loop if i*i>n then return true; end if; if n%i=0 then return false; end if; set i=i+1; end loop; end//
select isprime(7), isprime(9), isprime(97)//
create procedure pivot() begin set @s=null; select group_concat(concat('max(case when id=',id,' then bal end) as a',id) order by id) into @s from acc; set @q=concat('select ',@s,' from acc'); prepare x from @q; execute x; deallocate prepare x; end//
call pivot()//
create procedure nested_cursor() begin
 declare d1 int default 0; declare i int; declare total int default 0;
 declare c1 cursor for select id from acc order by id;
 declare continue handler for not found set d1=1;
 open c1;
 a: loop fetch c1 into i; if d1 then leave a; end if;
  b: begin declare d2 int default 0; declare j int; declare c2 cursor for select id from acc where id<=i; declare continue handler for not found set d2=1; open c2; x: loop fetch c2 into j; if d2 then leave x; end if; set total=total+j; end loop; close c2; end b;
 end loop; close c1; select total;
end//
call nested_cursor()//
create procedure bulk(n int) begin declare i int default 0; truncate hist; while i<n do insert into hist(acc,amt) values(i,i*1.5); set i=i+1; end while; select count(*), sum(amt), max(id) from hist; end//
call bulk(100)//
create trigger aud after update on acc for each row begin if not (old.bal <=> new.bal) then insert into hist(acc,amt) values(new.id,new.bal-old.bal); end if; end//
update acc set bal=bal*1.1//
select acc,amt from hist where id>100//
drop trigger aud//
create trigger chk before update on acc for each row begin declare msg varchar(128); if new.bal<0 then set msg=concat('balance of ',new.id,' would be ',new.bal); signal sqlstate '45000' set message_text=msg; end if; end//
update acc set bal=bal-1000 where id=2//
update acc set bal=-1 where id=3//
select * from acc//
drop trigger chk//
create trigger sl before insert on acc for each row set new.bal=coalesce(new.bal,(select avg(amt) from hist where acc=1)), new.id=new.id+1000//
insert into acc values(4,null),(5,7)//
select * from acc where id>1000//
drop trigger sl//
create procedure vars() begin declare a int; declare b,c varchar(10); select 1,'x' into a,b; set c=b, @g=a; select a,b,c,@g; select count(*) into @cnt from acc; select @cnt; select id,bal from acc where id=1 into a,@b; select a; end//
call vars()//
create procedure datesp() begin declare d date default '2024-02-28'; declare t time default '10:30'; declare dt datetime(3) default '2024-01-01 10:00:00.1234'; declare y year default 2024; while d<'2024-03-02' do select d; set d=date_add(d, interval 1 day); end while; select t,dt,y, datediff(d,'2024-01-01'), d + interval 1 month; end//
call datesp()//
create procedure strs() begin declare s varchar(100) default 'a,b,,c'; declare p int; declare part varchar(20); declare n int default 0; while length(s)>0 do set p=locate(',',s); if p=0 then set part=s, s=''; else set part=substring(s,1,p-1), s=substring(s,p+1); end if; set n=n+1; select n,part; end while; end//
call strs()//
create procedure upsert(i int, b decimal(10,2)) begin insert into acc values(i,b) on duplicate key update bal=values(bal)+b; select row_count(); replace into acc values(i,b); select row_count(); delete from acc where id=i; select row_count(); end//
call upsert(1,5)//
call upsert(77,5)//
create procedure multidel() begin delete a from acc a join hist h on a.id=h.acc where h.amt<3; select count(*) from acc; update acc a left join hist h on a.id=h.acc set a.bal=0 where h.id is null; select * from acc; end//
call multidel()//
create procedure locks() begin select get_lock('x',1), is_free_lock('x'); select release_lock('x'); end//
call locks()//
create procedure err1() begin insert into nosuch values(1); end//
call err1()//
create procedure err2() begin select nosuchcol from acc; end//
call err2()//
create procedure err3() begin declare x int; set x='abc'; end//
call err3()//
create procedure err4() begin declare x tinyint; set x=1000; end//
call err4()//
create procedure err5() begin declare x int; set nosuchvar=1; end//
create procedure err7() begin select 1 into nosuch; end//
create procedure err8() begin declare x int; declare x int; end//
create procedure err9(a int, a int) begin end//
create procedure err10() begin fetch c into x; end//
create procedure err11() begin declare continue handler for nocond begin end; end//
create procedure err12() begin leave x; end//
create procedure err13() begin declare c cursor for select 1; declare x int; end//
create procedure err15() begin call nosuchproc(); end//
call err15()//
create procedure err16() begin return 1; end//
create procedure err18() begin use test; end//
create function err20() returns int deterministic begin declare x int; end//
create procedure err22() begin signal sqlstate '4500'; end//
create procedure err24() begin get diagnostics condition 9 @x=message_text; end//
call err24()//
create procedure err25() begin lock tables acc read; end//
create procedure err26() begin create procedure x() begin end; end//
