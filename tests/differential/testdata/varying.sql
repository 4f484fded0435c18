-- Functions that give another value for each row: each call is asked once a row, and a sequence
-- goes on from row to row.
create table t (id int primary key auto_increment, g int, s varchar(10));
insert into t (g, s) values (1, 'a'), (2, 'b'), (1, 'c'), (3, null), (2, 'e'), (1, 'f');
select rand(3), rand(3), rand(4) from t;
select id, rand(7) r from t order by r;
select id, rand(7) r from t order by r limit 2;
select id from t order by rand(5);
select id from t order by rand(5) desc limit 3;
select id, rand(id), floor(rand(9) * 100) from t where g > 1;
select id from t where rand(3) < 0.5;
select count(*) from t where rand() < 2;
select max(id) from t where rand() < 2;
select count(*) from t where rand() < 0;
select id from t where rand() >= 0 and id < 4 limit 2;
select id from t where id = floor(1 + rand() * 0);
select id from t having rand(3) >= 0;
select length(uuid()), length(random_bytes(3)), rand() < 1 from t limit 1;
select uuid() = uuid(), rand() = rand(), uuid_short() = uuid_short();
select distinct rand(4) < 0.5 from t;
select case rand() when 2 then 1 else 0 end from t limit 1;
select t.id, u.id from t join t u on t.id = u.id order by rand(3);
select random_bytes(0);
select rand(1, 2);
create table r1 select id, rand(3) r, uuid() u from t;
select id, r, length(u) from r1;
select count(distinct u) from r1;
insert into r1 select id, rand(4), '' from t;
select * from r1 where u = '';
