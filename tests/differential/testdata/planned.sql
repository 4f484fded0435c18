-- subqueries beside window functions, constants in derived tables, joins over full-text columns, hints
create table wd (id int primary key, k int, grp int);
insert into wd values (1,10,1),(2,20,1),(3,5,2),(4,7,2);
create table wd2 as select id, row_number() over (order by id) rn, (select count(*) from wd x where x.grp = wd.grp) c from wd;
-- sorted
select id + 0, rn, c from wd2;
-- sorted
select k, row_number() over (order by id) rn, exists (select k from wd x where x.id = wd.id + 1) c from wd;
update wd set k = (select c from (select id, rank() over (order by id) rn, (select count(*) from wd2 x where x.rn <= wd2.rn) c from wd2) y where y.id = wd.id);
-- sorted
select * from wd;
create table fb (name varchar(50), n int);
insert into fb values (null, 1), ('x', 2), ('y', 0);
create view fv as select name, n from fb;
-- sorted
select sq.o + 1 from (select t1.name as v, 1 as o from fv as t1) as sq where if(sq.v <> 'x', 1, sq.o);
select length(sq.v) from (select t1.name as v, 1 as o from fv t1) sq where coalesce(sq.v, sq.o) = 'y' or ifnull(null, sq.o) = 2;
select sq.z from (select n * 2 z, 'k' as k from fv) sq where if(sq.k = 'k', sq.z, 0) > 1 order by sq.z;
select sq.o + 1 from (select t1.name as v, 1 as o from fv as t1) as sq where concat(sq.v, sq.o) = 'x1';
show variables where value = 'nosuch';
show variables where variable_name = 'autocommit' and value = 'ON';
show variables where variable_name like 'sql\_quote%' or value = 'no such value';
create table f1 (id int primary key, name varchar(50), del datetime, role int, fulltext key (name));
insert into f1 values (1,'abc',null,1),(2,'xyz',null,2);
-- sorted
select a.id + 0 from f1 a join f1 c on a.name = c.name;
-- sorted
select a.id + 0 from f1 a join f1 c using(name);
-- sorted
select a.id + 0 from f1 a where exists(select 1 from f1 c where a.name = c.name);
update f1 a join f1 c on a.name = c.name set a.role = c.role + 1;
-- sorted
select id + 0, role from f1;
delete a from f1 a join f1 c on a.name = c.name where a.id = 2;
select id + 0 from f1;
select id from f1 use index (nosuch);
select id from f1 force index (primary, nosuch);
select id from f1 ignore index (nosuch, primary);
update f1 use index (nosuch) set role = 1;
delete x from f1 x use index (nosuch);
select id from f1 force index for order by (nosuch) order by id;
insert into f1(id) select id from f1 use index (nosuch);
select id from f1 use index (primary, primary);
select id from f1 use index (pri);
select id from f1 use index () order by id;
