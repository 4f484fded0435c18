-- texts as defaults of dates and times
-- differs: spaces around a text leave no warning
create table a1(t time default ' 00:00:00', u time default '10:11', v time default '1 10:11:12', w time default '-10:11:12');
-- differs: spaces around a text leave no warning
create table a2(t datetime default ' 2000-01-01', u date default ' 2000-01-01 ', v timestamp default ' 2000-01-01 00:00:00', y year default ' 2000');
create table a3(t time(1) default '10:11:12.55', v time default 101112, w time(3) default '10:11:12.5');
insert into a1 values();
insert into a2 values();
insert into a3 values();
select * from a1;
select * from a2;
select * from a3;
show create table a1;
show create table a2;
show create table a3;
create table a4(w time default '10:11:12abc');
create table a5(w time default 'abc');
create table a6(w date default 'abc');
create table a7(w datetime default '2000-13-01');
