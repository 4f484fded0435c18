commit and chain release
commit and no chain release
rollback work and chain no release
rollback to x
rollback work to savepoint x
rollback to savepoint x and chain
savepoint x
release savepoint x
release x
lock tables a read, b as x read local, c y write, d low_priority write
lock table a write
lock tables a
lock tables a concurrent write
lock instance for backup
unlock instance
unlock tables
unlock table
lock tables t.a read
xa start 'a','b',1
xa begin x'61' join
xa start 'a' resume
xa end 'a' suspend for migrate
xa end 'a' suspend
xa prepare 'a'
xa commit 'a' one phase
xa rollback 'a',b'01',0x1
xa start 'a', 'b', -1
xa start 'a', 'b', 1.5
xa start 'a', 'b', 99999999999999999999
xa recover convert xid
xa recover
prepare a from 'x'
prepare a from @b
prepare a from "select 1"
prepare a from 'a' 'b'
prepare a from 0x41
execute a using @b, @c
execute a
execute a using 1
deallocate prepare a
drop prepare a
kill 1
kill query 1+1
kill connection @a
use a
use 'a'
explain select 1
explain t
explain t a
explain t 'a%'
explain extended select 1
explain partitions select 1
explain format=tree select 1
explain format='tree' select 1
explain format=tree analyze select 1
explain analyze format=tree select 1
explain analyze select 1
explain format=json into @a select 1
explain into @a select 1
explain into @a format=json select 1
explain analyze into @a format=json select 1
explain format=json into @a for schema test select 1
explain for database test select 1
explain for connection 1
explain format=json for connection 1
explain format=json into @a for connection 1
explain analyze for connection 1
explain update t set a=1
explain replace into t values (1)
explain delete from t
explain (select 1)
explain with a as (select 1) select 1
explain table t
explain values row(1)
explain do 1
explain create table t (a int)
explain insert into t values (1)
desc select 1
describe t
explain format=json t
explain analyze t
explain call p()
do 1 as a, 2 b
do 1
do *
do 1 from t
set @a = 1, @b := 2
set @a = default
set @a = on
set a.b = 1, default.b = 2
set global a = 1, b = 2, session c = 3, @@global.d = 4, @@session.e = on, @@f = off, persist g = all, persist_only h = binary
set names utf8mb4, names default, character set utf8, charset default
set names utf8mb4 collate utf8mb4_bin
set names default collate x
set names = 1
set names 'utf8mb4' collate 'x'
set names binary
set names on
set character set = 1
set transaction isolation level read committed, read only
set transaction read write, isolation level serializable
set transaction read only, read write
set global transaction read only
set session transaction isolation level repeatable read
set local transaction isolation level read uncommitted
set persist transaction read only
set @@transaction read only
set transaction read only, a = 1
set a = 1, transaction read only
set global global a = 1
set @@global.a.b = 1, @@persist.c = row, @@persist_only.d = system
set @@a.b.c = 1
set a = select 1
set a = (select 1)
set = 1
set
set a
set a = 
set @@global.names = 1
set @@local.x = 1, local y = 2
set @'a' = 1, @`b` = 2
set one_shot a = 1
set global @a = 1
set global @@a = 1
set a = row(1,2)
set a = binary 'x'
set a = system
set session sql_mode = concat(@@sql_mode, 'x')
set option a = 1
start transaction
start transaction read only
start transaction with consistent snapshot, read only
start transaction read only, read write
start transaction read only, read only
begin
begin work
xa start ''
xa start 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
xa start 'a','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
xa start 'a','b',4294967296
xa start 'a','b',18446744073709551615
xa start 'a','b',9223372036854775807
xa start 'a','b',9223372036854775808
xa start 'a','b',2147483648
set global.a = 1
set `session`.a = 1
select @@global.session.a, 1
set @@local.local.x = 1
set @@persist.persist.x = 1
select @@persist.x
