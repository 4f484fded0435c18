-- types, defaults and order of the columns that CREATE TABLE ... SELECT makes
create table src (id int primary key auto_increment, v varchar(20) not null default 'q', d decimal(10,2), dt datetime(3) not null,
  e enum('a','b') not null default 'a', s set('x','y'), b bit(5), y year, t time(2), j json, tx text, bl blob, u bigint unsigned not null,
  ts timestamp null default current_timestamp on update current_timestamp);
insert into src(v,d,dt,u) values('a',1.5,'2024-01-01 10:00:00',1);
create table c1 as select 1 a, 'x' b, 1.5 c, 1e0 d, null e, true f, 12345678901 g, -1 h, 18446744073709551615 i, x'4142' j, date'2024-01-01' l, '' o;
show create table c1;
create table c2 as select id, v, d, dt, e, s, b, y, t, j, tx, bl, u, ts from src;
show create table c2;
create table c3 as select id+1 a, v x, concat(v,'a') b, d*2 c, dt+interval 1 day e, u+1 j, length(v) k, count(*) over() l, now() m, coalesce(d,1) r,
  case when id>1 then 1 end t, id=1 uu, id div 2 vv, id/2 ww, id%2 xx from src;
show create table c3;
create table c4 as select count(*) a, sum(id) b, avg(id) c, max(v) d, group_concat(v) f, max(id) g, sum(d) h from src;
show create table c4;
create table c5 as select s1.v, s2.v v2, s2.id from src s1 left join src s2 on s1.id=s2.id+1;
show create table c5;
create table c6 as select x.a, x.b from (select 1 a, 'x' b, id from src) x;
show create table c6;
create table c7 (a int, z bigint default 5) as select 1 a, 2 b;
show create table c7;
select * from c7;
create table c8 (b varchar(10) primary key) as select 1 a, 'q' b;
show create table c8;
select * from c8;
create table c9 (unique(a)) engine=innodb charset latin1 comment 'x' as select 1 a;
show create table c9;
create table d1 charset=latin1 collate latin1_bin comment='hi' as select id, d from src;
show create table d1;
-- differs: the id of the first row is not told
create table d2 (id int auto_increment primary key) select v from src;
show create table d2;
select * from d2;
create table d3 (key(v)) select v, id from src;
show create table d3;
create table d4 as select null a, 'x' as A;
create table d5 (a int not null) select 1 as A, 2 as A2;
show create table d5;
create table d6 ignore select 1 a union all select 1;
select * from d6;
create table if not exists d6 select 3 a;
select * from d6;
create temporary table d7 engine=innodb as select 1 a;
show create table d7;
create table d8 (x int default 7, y int as (x+1), id int) as select 1 id;
select * from d8;
create table d9 (a varchar(3)) as select 'abcdef' a;
create table e1 (b int not null) as select 1 a;
create table e2 (a int primary key) as select 1 a union all select 1;
show tables like 'e%';
-- differs: a row that is refused cannot be taken out of a table that the same transaction has made
create table e3 (unique(a)) replace as select 1 a, 2 b union all select 1, 3;
