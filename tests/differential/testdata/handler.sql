-- HANDLER: tables read row by row in the order of an index.
create table t(a int primary key, b int, c varchar(10), key kb(b), key kc(c(2)), key kd(b desc, c));
insert into t values(1,10,'aaa'),(2,20,'abb'),(3,20,'abc'),(4,30,null),(5,null,'q');
-- text
handler t open;
-- text
handler t read kb first;
-- text
handler t read next;
-- text
handler t read kb next;
-- text
handler t read `primary` next;
-- text
handler t read kb = (15);
-- text
handler t read kb next;
-- text
handler t read kb = (15);
-- text
handler t read kb prev;
-- text
handler t read kb = (20) limit 5;
-- text
handler t read kb next;
-- text
handler t read kb = (20) limit 5;
-- text
handler t read kb prev;
-- text
handler t read kb > (100);
-- text
handler t read kb next;
-- text
handler t read kb > (100);
-- text
handler t read kb prev;
-- text
handler t read kb < (1);
-- text
handler t read kb < (20) limit 9;
-- text
handler t read kb prev;
-- text
handler t read kb next;
-- text
handler t read kb first;
-- text
handler t read kb prev;
-- text
handler t read kb next;
-- text
handler t read kb last;
-- text
handler t read kb next;
-- text
handler t read kb next;
-- text
handler t read kb prev;
-- text
handler t read kb first where a > 3;
-- text
handler t read kb next;
-- text
handler t read kb first limit 2,1;
-- text
handler t read kb next;
-- text
handler t read kb first where a > 100;
-- text
handler t read kb next;
-- text
handler t read kb prev;
-- text
handler t read kb first limit 0;
-- text
handler t read kb next;
-- text
handler t read kb last limit 1;
-- text
handler t read kb first limit 0;
-- text
handler t read kb prev;
-- text
handler t read kc = ('ab') limit 5;
-- text
handler t read kc = ('abb') limit 5;
-- text
handler t read kc = ('aXb') limit 5;
-- text
handler t read kc >= ('abb') limit 5;
-- text
handler t read kc > ('abb') limit 5;
-- text
handler t read kd first limit 9;
-- text
handler t read kd > (20) limit 9;
-- text
handler t read kd < (20) limit 9;
-- text
handler t read kd = (20,'abb') limit 9;
-- text
handler t read kd >= (20,'abb') limit 9;
-- text
handler t read kb = ('x');
-- text
show warnings;
-- text
handler t read kb = (1.5);
-- text
show warnings;
-- text
handler t read kb = (19.6);
-- text
show warnings;
-- text
handler t read kb >= (99999999999);
-- text
show warnings;
-- text
handler t read kb <= (99999999999);
-- text
handler t read kc = ('abcdefghijklmnopqrst');
-- text
show warnings;
-- text
handler t read kb = (default);
-- text
handler t read kb = (null);
-- text
handler t read kb > (null);
-- text
handler t read kb < (null);
-- text
handler t read kb = (rand()*0+20);
-- text
handler t read kb = (@x);
set @x=30;
-- text
handler t read kb = (@x);
-- text
handler t read kb = (a);
-- text
handler t read kb = (20,30);
-- text
handler t read kb = ();
-- text
handler t read kb = (count(*));
-- text
handler t read first where count(*) > 1;
-- text
handler t read first where t.a = 2;
-- text
handler t read first where d.t.a = 2;
-- text
handler t read first where x.a = 2;
-- text
handler t read first where nosuch = 2;
-- text
handler t read first where a in (select 1);
-- text
handler t read kb = ((select 20));
-- text
handler t read first where exists (select 1);
-- text
handler t read first limit 1 offset 1;
-- text
handler t read first limit 0,3;
-- text
handler t read first limit 18446744073709551615;
-- text
handler t read first for update;
-- text
handler t read last;
-- text
handler t read prev;
-- text
handler t close;
-- text
handler t open as t;
-- text
handler t open as t5;
-- text
handler t5 read first where t5.a=2;
-- text
handler t5 read first where t.a=2;
-- text
handler T5 read first;
-- text
handler T5 close;
create table v1(a int, g int as (a+1) virtual, unique(g));
insert into v1(a) values(1),(2);
-- text
handler v1 open;
-- text
handler v1 read g first limit 3;
-- text
handler v1 read first limit 3;
create table ft(a int, b text, g geometry not null srid 0, fulltext(b), spatial index sg(g), index fx((a+1)), index inv(a) invisible);
insert into ft values(1,'x y', point(1,2));
-- text
handler ft open;
-- text
handler ft read b first;
-- text
handler ft read b = ('x');
-- text
handler ft read sg first;
-- text
handler ft read fx first;
-- text
handler ft read fx = (2);
-- text
handler ft read inv = (1);
-- text
handler performance_schema.threads open;
-- text
handler t read first;
begin;
insert into t values(8,8,'e');
-- text
handler t read `primary` = (8);
rollback;
-- text
handler t read `primary` = (8);
set autocommit=0;
-- text
handler t read first;
commit;
set autocommit=1;
-- text
handler t read kb next limit 1,1;
-- text
handler t read first limit ?;
-- text
handler t read first where a = ?;
-- text
handler t read first limit 2;
create temporary table t(z int);
-- text
handler t read first;
-- text
handler t close;
-- text
handler t open;
-- text
handler t read first;
alter table t add y int;
-- text
handler t read first;
drop temporary table t;
-- text
handler t read first;
-- text
handler t open;
drop table v1;
-- text
handler v1 close;
-- text
handler ft read nosuch first;
-- text
handler ft read first;
-- text
handler ft read first;
create index ii on ft(a);
-- text
handler ft read first;
-- text
handler ft open;
-- text
handler t read first;
-- text
handler t read next;
-- text
handler t read next;
-- text
prepare s from 'handler t open';
-- text
prepare s from 'handler t read first';
create procedure p() handler t read first;
create table k (a int, b varchar(5) character set latin1, c decimal(5,2), d date, e enum('x','y'), key (b, c), key (d), key (e), unique (a));
insert into k values (1, 'a', 1.25, '2024-01-02', 'x'), (2, 'b', 2.5, '2024-03-04', 'y'), (null, 'B', null, null, null);
-- text
handler k open;
-- text
handler k read b = ('B') limit 5;
-- text
handler k read b = ('b', 2.499) limit 5;
-- text
handler k read b = ('b', 2.5) limit 5;
-- text
handler k read b > ('a') limit 5;
-- text
handler k read d = ('2024-01-02');
-- text
handler k read d >= (20240103);
-- text
handler k read d < ('2024-03-04') limit 5;
-- text
handler k read e = ('y');
-- text
handler k read e = (1);
-- text
handler k read e > ('x') limit 5;
-- text
handler k read a <= (5) limit 5;
-- text
handler k read a > (null) limit 5;
-- text
handler k read a < (2) limit 5 where b = 'a';
-- text
handler k read a < (2) where b = 'a' limit 5;
-- text
handler k read a first where b = 'b' and c > 2;
-- text
handler k read a next where 1 = 0;
-- text
-- differs: a condition that is false for every row reads none, so the place stays
handler k read a prev;
-- text
handler k read a next where a > 100;
-- text
handler k read a prev;
-- text
handler k read first where a is null;
-- text
handler k read next;
-- text
handler k read first where count(*) > 0;
-- text
handler k read first where (a, b) = (2, 'b');
-- text
handler k read first where a = 1 or a = 2 limit 2;
-- text
handler k close;
-- text
handler k read first;
-- text
handler k open;
lock tables k read;
-- text
handler k read first;
-- text
handler k close;
unlock tables;
-- text
handler k read a first;
flush tables;
-- text
handler k read a next;
-- text
handler k read a next;
truncate table k;
-- text
handler k read a next;
create view v as select 1;
-- text
handler v open;
drop table k;
drop view v;
