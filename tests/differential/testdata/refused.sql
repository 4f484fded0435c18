-- What MySQL refuses to change: tables that the statement reads in a subquery, divisions by zero, zero dates.
create table z (id int primary key auto_increment, d date, dt datetime, ts timestamp null, i int, nn int);
insert into z (d,dt,i) values ('2024-01-01','2024-01-01',1);
update z set d = '0000-00-00';
update z set dt = '0000-00-00 00:00:00';
update z set ts = '0000-00-00 00:00:00';
update z set d = '2024-00-10';
update z set d = '2024-02-30';
update z set d = 0;
update ignore z set d = '0000-00-00';
insert into z (d) values ('0000-00-00');
insert into z (i) values (1/0);
insert into z (i) select 5/0;
insert into z (i) values (coalesce(1/0, 3));
update z set i = i/0;
update z set i = 7 % 0 where id = 1;
insert ignore into z (i) values (1/0);
set role none;
set role default;
update z set nn = (select max(nn) from z);
delete from z where id in (select id from z);
update z set nn = 1 where id in (select id from z where id > 0);
delete from z where exists (select 1 from z z2 where z2.id = z.id);
update z set nn = 3 where id in (select id from (select id from z) q);
update z, (select 1 a) x set z.nn = (select count(*) from z);
update z a join z b on a.id = b.id set a.nn = 4;
delete a from z a where a.id in (select id from z);
insert into z (i) values ((select max(i) from z));
delete from z where id = (select max(id) from z);
delete from z where (select count(*) from z) > 100;
update z set nn = 9 order by (select max(id) from z) limit 1;

-- LIMIT with a parameter that is NULL
create table limited (a int primary key);
insert into limited values (1), (2);
-- params: [null]
select a from limited limit ?;
-- params: [1, null]
select a from limited limit ? offset ?;
