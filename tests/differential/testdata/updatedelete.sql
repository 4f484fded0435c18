-- UPDATE and DELETE, one table and several; transactions.

create table a (id int primary key, v int, s varchar(10));
create table b (id int primary key, aid int, w int);
insert into a values (1, 10, 'x'), (2, 20, 'y'), (3, 30, 'z'), (4, null, null);
insert into b values (1, 1, 100), (2, 1, 200), (3, 2, 300), (4, 9, 900);
update a join b on a.id = b.aid set a.v = a.v + b.w;
select * from a order by id;
update a left join b on a.id = b.aid set a.s = 'nob' where b.id is null;
update a, b set a.v = 0, b.w = 0 where a.id = b.aid and a.id = 2;
-- differs: another type or flag of the column, the same value
select a.*, b.* from a left join b on a.id = b.aid order by a.id, b.id;
update a set v = (select max(w) from b) where id = 3;
update a set v = v + 1, s = v where id = 1;
update a set v = 5 where id in (select aid from b);
update a set v = (select max(v) from a);
update a set id = id + 10;
update a set id = 11 where id = 12;
delete a from a join b on a.id = b.aid + 10 where b.w = 0;
delete a, b from a join b on a.id = b.aid + 10;
delete from b using b left join a on a.id = b.aid where a.id is null;
select * from a order by id;
select * from b order by id;
delete from a where id in (select id from a);
delete from a where s is null limit 1;
delete from a;
insert into a values (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
begin;
update a set v = v + 1;
select sum(v) from a;
savepoint s1;
delete from a where id = 1;
select count(*) from a;
rollback to s1;
select count(*) from a;
release savepoint s1;
rollback;
select sum(v) from a;
start transaction;
insert into a values (4, 4, 'd');
insert into a values (4, 4, 'd');
commit;
select count(*) from a;
set autocommit = 0;
insert into a values (5, 5, 'e');
rollback;
select count(*) from a;
insert into a values (6, 6, 'f');
create table ddl (i int);
rollback;
select count(*) from a;
set autocommit = 1;
begin;
insert into a values (7, 7, 'g');
begin;
rollback;
select count(*) from a;
start transaction with consistent snapshot;
commit and chain;
rollback release_nothing;
rollback and no chain;
-- differs: not refused
select @@autocommit, @@transaction_isolation, @@tx_read_only;
select @@autocommit, @@transaction_isolation, @@transaction_read_only;
set transaction isolation level read committed;
set session transaction isolation level serializable;
select @@transaction_isolation;
set session transaction isolation level repeatable read, read only;
insert into a values (8, 8, 'h');
set session transaction read write;
update a set v = 1 where id = 1;
select row_count();
update a set v = 1 where id = 1;
select row_count();
select row_count();
delete from a where id = 7;
select row_count();
-- differs: other warnings
select sql_calc_found_rows * from a order by id limit 1;
-- text
-- differs: other warnings
select found_rows();
select * from a order by id limit 2 offset 1;
select * from a order by id limit 1, 2;
select * from a limit 0;
-- text
-- differs: other warnings
select found_rows();
update a set v = 100 where v > 2 order by id desc limit 2;
select * from a order by id;
do 1, sleep(0);
do release_lock('nolock');
select get_lock('l1', 1), is_free_lock('l1'), release_lock('l1'), release_lock('l1'), is_free_lock('l1');
lock tables a write, b read;
select count(*) from a;
select count(*) from ddl;
insert into b values (50, 1, 1);
unlock tables;
flush tables;
flush status;
select 1 into @x;
select id, v from a where id = 1 into @i, @v;
select @x, @i, @v;
-- differs: other warnings
select id into @z from a where id = 9999;
-- differs: columns or rows of a SHOW statement that nobody depends on
show warnings;
select id into @z from a;

-- Reading a view leaves the transaction open.
create view av as select id, v from a;
begin;
savepoint sp;
insert into a values (60, 60, 'view');
select count(*) from av where id = 60;
rollback to savepoint sp;
select count(*) from av where id = 60;
insert into a values (61, 61, 'view');
select count(*) from av where id = 61;
rollback;
select count(*) from av where id in (60, 61);
drop view av;
-- autocommit commits a transaction that BEGIN began while it was off, and every statement from then on.
create table autos (id int primary key);
set autocommit = 0;
insert into autos values (1);
begin;
insert into autos values (2);
set autocommit = 1;
rollback;
select id from autos order by id;
insert into autos values (3);
rollback;
select id from autos order by id;
begin;
insert into autos values (4);
set autocommit = 1;
rollback;
select id from autos order by id;
