-- Rows that an index gives by several ranges, in its order, from one of its ends, or up to a limit.
create table r (id int primary key, a int, b int not null, s varchar(20), d date, u bigint unsigned, key ab (a, b), key s (s), key bd (b desc, id), key d (d), key u (u));
insert into r with recursive n as (select 1 i union all select i + 1 from n where i < 600) select i, if(i % 7 = 0, null, i % 50), i % 11, if(i % 13 = 0, null, concat(char(97 + i % 5), 'x', i % 40, if(i % 3 = 0, ' ', ''))), date_add('2024-01-01', interval i % 90 day), i * 1000 from n;
select id from r where id in (3, 1, 2, 700, 3, null, -1);
select id from r where id in (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200);
select count(*), sum(id) from r where id not in (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200);
select id from r where id < 4 or id > 597;
select id from r where id < 4 or id > 597 or id between 3 and 6 or id = 5;
select id from r where id < 10 and id > 7 or id = 1 or id = 1;
select id from r where id > 5 and id < 3 or id = 2;
select id from r where (id in (1, 2, 3) or id > 598) and id <> 2;
-- sorted
select id, a, b from r where a in (1, 3) and b = 4;
-- sorted
select id, a, b from r where a in (1, 3) and b in (4, 5, 6);
-- sorted
select id, a, b from r where (a, b) in ((1, 4), (2, 5), (3, 99));
-- sorted
select id, a, b from r where a = 1 and (b < 2 or b > 9);
-- sorted
select id, a, b from r where a = 2 and b = 3 or a = 4 and b > 8 or a is null and b = 1;
-- sorted
select id from r where a is null and b = 3;
-- sorted
select id from r where a is null and b in (3, 4) and id < 100;
select count(*) from r where a is null or a = 5;
select count(*) from r where a = 5 or b = 5;
-- sorted
select id from r where a = 5 and b = 5 or id = 3;
-- sorted
select id, s from r where s like 'ax1%' and id < 300;
-- sorted
select id, s from r where s like 'AX1_' and id < 300;
-- sorted
select id, s from r where s like 'ax10' and id < 300;
select count(*) from r where s like '%1' or s like 'bx2%';
-- sorted
select id, s from r where (s like 'ax3%' or s like 'cx2%') and id < 200;
-- sorted
select id, s from r where s in ('ax5', 'BX16', 'zz') and id < 300;
select count(*) from r where s is null;
select id from r where d in ('2024-01-05', '2024-02-05') order by id;
select id from r where d < '2024-01-03' or d > '2024-03-29' order by d, id limit 12;
select id from r where u in (1000, 2000, -1, 18446744073709551615, 3000) order by u desc;
select id from r order by id limit 3;
select id from r order by id desc limit 3;
select id from r order by id limit 3 offset 597;
select id from r order by id desc limit 2, 3;
select id from r where id > 100 order by id limit 3;
select id from r where id < 100 order by id desc limit 3;
select id from r where id in (5, 9, 7) order by id desc;
select id from r where id in (5, 9, 7, 400) order by id limit 2;
select id from r where id in (5, 9, 7, 400) and id % 2 = 1 order by id desc limit 2;
select a, b, id from r order by a, b, id limit 5;
select a, b, id from r order by a desc, b desc, id desc limit 5;
select a, b, id from r order by a, b desc, id limit 5;
select a, b, id from r where a = 4 order by b, id limit 5;
select a, b, id from r where a = 4 order by a desc, b desc, id desc limit 5;
select b, id from r order by b desc, id limit 5;
select b, id from r order by b, id desc limit 5;
select b, id from r where b < 4 order by b desc, id limit 5;
select s, id from r order by s, id limit 4;
select s, id from r where s > 'ax' order by s, id limit 4;
select s, id from r where s is not null order by s desc, id desc limit 4;
select d, id from r where b = 3 order by d, id limit 4;
select id from r where b = 3 and a = 7 order by id limit 100;
select id from r limit 0;
select count(*) from (select id from r limit 7) x;
select count(*) from (select id from r where id > 590 limit 7, 5) x;
select min(id), max(id) from r;
select min(a), max(a) from r;
select min(a), max(a), min(b), max(b) from r;
select min(b) from r where a = 3;
select max(b), min(b) from r where a = 3;
select min(a) from r where a > 10;
select max(a) from r where a < 10;
select min(a) from r where a < 0;
select max(a) from r where a is null;
select min(b), max(b) from r where a is null;
select min(s), max(s) from r;
select min(d), max(d), count(*) from r;
select min(d) from r where d > '2024-02-01' having min(d) is not null;
select max(id) + min(id) from r where id between 10 and 20;
select max(id) from r where id > 1000;
select (select max(id) from r x where x.a = y.a) m from r y where y.id < 9 order by y.id;
select (select min(b) from r x where x.a = y.id) m from r y where y.id < 9 order by y.id;
select id, (select x.id from r x where x.a = y.a order by x.b desc, x.id limit 1) m from r y where y.id < 9 order by y.id;
select y.id + 0 y, x.id + 0 x from r y join r x on x.a = y.id and x.b in (1, 2) where y.id in (3, 4, 5) order by 1, 2;
select y.id + 0 y, x.id + 0 x from r y left join r x on x.id = y.a and (x.id < 3 or x.id > 40) where y.id < 12 order by 1, 2;
select id + 0 id from r where id in (select a from r where id < 20 or id > 590) and (id < 5 or id > 40) order by 1;
create table e (n int, m int, key n (n));
select min(n), max(n), count(*) from e;
insert into e values (null, 1), (null, 2);
select min(n), max(n), count(*) from e;
select n, m from e order by n limit 1;
create table p (k varchar(10) collate utf8mb4_bin, c char(4), t text, key k (k), key c (c), key t (t(2)));
insert into p values ('a', 'a', 'abc'), ('A', 'B', 'abd'), ('c ', 'b', 'x'), ('b', 'C', null), ('B', 'ß', 'ab');
select k, c from p where k in ('a', 'b', 'A') order by k desc, c;
select k, c from p where k like 'b%' order by c;
select k from p where c in ('b', 'c') order by k;
select c from p where c like 's%';
select t from p where t like 'ab%' order by t;
select t from p where t = 'ab' or t > 'abc' order by t;
select min(k), max(k), min(c), max(c), min(t), max(t) from p;
select min(k collate utf8mb4_general_ci) is not null from p;
