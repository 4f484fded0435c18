-- Changes through views of one table.
create table t (id int auto_increment primary key, a int not null, b int default 7, c varchar(20));
create table log (id int auto_increment primary key, txt varchar(40));
create table need (id int primary key, must int not null);
create view va as select id, a, b from t;
create view vr as select id as i, a as x, c as y from t where a > 10;
create view vc as select id, a, a + 1 as a1 from t;
create view vk as select * from t where a < 100 with check option;
create view vkr as select id as i, a as x, b as z from vk where b > 1 with local check option;
create view vkc as select * from vkr where x > 2 with cascaded check option;
create view vkn as select id, a from vk where a > 50;
create view vn as select id from need;
create view vd as select distinct a from t;
create view vg as select a, count(*) n from t group by a;
create view vl as select a from t limit 1;
create view vu as select a from t union select b from t;
create view vx as select 1 as one;
create algorithm=temptable view vt as select id, a from t;
insert into va (a) values (1), (20), (30);
select last_insert_id();
insert into va values (10, 5, 6);
insert into va set a = 40;
insert into vr (x, y) values (5, 'five'), (50, 'fifty');
select * from t order by id;
update vr set y = 'big' where x > 25;
update vr set x = x + 1 order by i desc limit 1;
update vr v set v.y = concat(v.y, '!') where v.i in (select 13);
update vr set y = 'none' where x = 5;
update vr set b = 1;
update vr set y = 1 where b = 1;
update vr set nosuch = 1;
select * from t order by id;
delete from vr where x = 20;
delete from vr where i > 10 limit 1;
select * from t order by id;
insert into vc (id, a) values (100, 1);
update vc set a1 = 5;
update vc set a = a1 where a1 > 30;
select * from t order by id;
replace into va values (10, 55, 66);
insert into va values (10, 1, 2) on duplicate key update b = b + values(b), a = a + 1;
insert into va (id, a) select i + 200, x from vr;
select * from t order by id;
insert into vk (id, a) values (300, 100);
insert into vk (id, a) values (301, 99);
update vk set a = 200 where a = 99;
insert into vkr (i, x, z) values (302, 1000, 5);
insert into vkr values (303, 50, 1);
insert into vkr values (303, 50, 5);
insert into vkc values (304, 1, 5);
insert into vkc values (305, 3, 1);
insert into vkc values (306, 3, 3);
insert into vkc values (307, 3, null);
insert into vkn (a) values (5);
insert into vkn values (400, 500);
insert ignore into vk (id, a) values (401, 300), (402, 3);
show warnings;
update vkn set a = 2 where a = 99;
select * from t order by id;
-- differs: the field of the table is told of (1364)
insert into vn values (1);
insert into vd values (1);
insert into vg values (1, 1);
insert into vl values (1);
insert into vu values (1);
insert into vx values (1);
insert into vt values (1, 1);
update vd set a = 1;
update vg set a = 1;
update vl set a = 1;
update vu set a = 1;
update vx set one = 2;
update vt set a = 1;
delete from vd;
delete from vg;
delete from vl;
delete from vu;
delete from vt;
create trigger tr before insert on t for each row insert into log (txt) values (concat('new ', new.a));
insert into va (a) values (77);
select txt from log;
-- params: [78]
insert into va (a) values (?);
-- params: ["p", 50]
update vr set y = ? where x > ?;
select * from t order by id;
delete from va;
select count(*) from t;
select table_name, check_option, is_updatable from information_schema.views where table_schema = database() order by table_name;
create user vw_u, vw_d;
grant all on diff_viewwrites.* to vw_d;
create definer=vw_d view vw as select id, a from t;
create definer=vw_d view vs as select id, a from t;
grant select, insert, update, delete on diff_viewwrites.vw to vw_u;
grant select on diff_viewwrites.vs to vw_u;
-- as: vw_u
insert into diff_viewwrites.vw (a) values (1);
-- as: vw_u
update diff_viewwrites.vw set a = 2;
-- as: vw_u
delete from diff_viewwrites.vw where a = 2;
-- as: vw_u
insert into diff_viewwrites.t (a) values (1);
-- as: vw_u
insert into diff_viewwrites.vs (a) values (1);
-- as: vw_u
update diff_viewwrites.vs set a = 1;
-- as: vw_u
delete from diff_viewwrites.vs;
revoke insert on diff_viewwrites.* from vw_d;
-- as: vw_u
insert into diff_viewwrites.vw (a) values (1);
-- as: vw_u
update diff_viewwrites.vw set a = 2;
drop user vw_u, vw_d;
create table plainly (i int primary key);
insert into plainly values (1), (2);
create algorithm=temptable definer=root@localhost sql security definer view definedby as select * from plainly where i = 1;
select i + 0 from definedby;
select definer, security_type from information_schema.views where table_name = 'definedby';
drop view definedby;
