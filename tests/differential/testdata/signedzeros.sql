# Zeros keep their sign on the way into a column.
create table d(id int primary key, v double, f float);
insert into d values(1,-0e0,-0e0);
insert into d values(2,0e0*-1,0e0*-1);
insert into d select 3,-0e0,-0e0;
insert into d values(4,-0.0,-0.0);
insert into d values(5,'-0','-0');
insert into d values(6,-0,-0);
insert into d values(7,-(0e0),-(-0e0));
insert into d values(8,ceil(-0.5e0), round(-0.3e0));
insert into d values(9,-1e0*0, 0e0/-1);
set @a=-0e0;

insert into d values(10,@a,@a);
prepare s from 'insert into d values(11,?,?)';
execute s using @a,@a;
insert into d values(12,1,1);
update d set v=-0e0, f=-0e0 where id=12;
insert into d values(13,1,1);
update d set v=-v*0, f=-f*0 where id=13;
replace into d values(14,-0e0,-0e0);
insert into d(id,v,f) values(15,1,1) ;
insert into d values(15,1,1) on duplicate key update v=-0e0,f=values(v)*-0e0;
insert into d set id=16,v=-0e0,f=-0e0;
insert into d values row(17,-0e0,-0e0);
insert into d values(18,-0e0,-0e0),(19,-0e0,-0e0);
select * from d order by id;
drop table d;
