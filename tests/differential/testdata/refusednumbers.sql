-- AUTO_INCREMENT values of rows that do not come in: a row that ON DUPLICATE KEY UPDATE changes gives its
-- value to the next one, also under IGNORE; one that a CHECK refuses takes none. BEFORE triggers see 0.
create table t (id int primary key auto_increment, u int unique, v int);
insert into t (u, v) values (1, 1);
insert ignore into t (u, v) values (1, 2), (2, 2), (3, 3) on duplicate key update v = v + 1;
select * from t order by u;
select last_insert_id();
insert ignore into t (u, v) select * from (select 1 a, 5 b union all select 4, 4 union all select 5, 5) x on duplicate key update v = v + 1;
select * from t order by u;
insert ignore into t (u, v) values (2, 2), (6, 1) on duplicate key update id = last_insert_id(id), v = 11;
select last_insert_id();
insert ignore into t (u, v) values (2, 2), (7, 1), (3, 3), (8, 1) on duplicate key update id = 1;
select * from t order by u;
insert ignore into t (id, u, v) values (null, 2, 20), (0, 17, 2), (300, 18, 2), (null, 19, 1) on duplicate key update v = 77;
select * from t order by u;

create trigger bt before insert on t for each row set new.v = new.id + 1;
insert ignore into t (u) values (1), (30), (31) on duplicate key update v = v + 1;
replace into t (u) values (30), (32);
insert into t (id, u) values (null, 40), (0, 41), (500, 42);
insert into t (u) select 43;
select * from t where u >= 30 order by u;
drop trigger bt;
create trigger bt before insert on t for each row set new.id = if(new.u > 600, new.u, null);
insert into t (u) values (50), (601), (51);
select last_insert_id();
insert into t (id, u) values (7, 52);
select * from t where u >= 50 order by u;

create table c (id int primary key auto_increment, a int unique, check (a < 10));
insert into c (a) values (1);
insert into c (a) values (20);
insert into c (a) values (2);
insert ignore into c (a) values (30), (3);
insert into c (a) values (4), (40);
insert into c (a) select 5 union all select 50;
replace into c (a) values (50);
insert into c (a) values (6) on duplicate key update a = 7;
insert into c (a) values (6) on duplicate key update a = 70;
insert ignore into c (a) values (6), (8) on duplicate key update a = 70;
insert ignore into c (a) values (60), (9) on duplicate key update a = 70;
select * from c order by id;

create table p (id int primary key);
insert into p values (1);
create table r (id int primary key auto_increment, p int, foreign key (p) references p (id));
insert into r (p) values (1);
insert ignore into r (p) values (1), (5), (1), (6), (1);
select id from r order by id;
