-- LEAST and GREATEST of all kinds of values; MIN and MAX of ENUM and SET.
create table t (id int primary key auto_increment, tm time, b blob, d date, dt datetime, d6 datetime(6), e enum('z','m','a'), s set('z','m','a'), j json, n int, v varchar(20), ts timestamp null, dc decimal(10,2), f double);
insert into t (tm,b,d,dt,d6,e,s,j,n,v,ts,dc,f) values ('10:00:00','abc','2024-01-02','2024-01-02 03:04:05','2024-01-02 03:04:05.25','z','z,a','{"a":1,"b":[1,2]}',5,'5x','2024-01-02 03:04:05',1.5,2.5), ('-01:00:00','zz','2023-01-02','2023-01-02 03:04:05','2023-01-02 03:04:05.5','m','m','[1,2,3]',7,'abc','2022-01-02 03:04:05',2.5,-1), ('23:00:00','zz','2021-01-02','2022-01-02 03:04:05','2022-01-02 03:04:05.75','a','z','"x"',null,null,'2022-01-02 03:04:05',2.5,-1);
select least(tm,'11:00:00'), greatest(tm,'11:00:00') from t;
select least(tm,time'11:00:00'), greatest(tm, cast('11:00:00' as time)), least(tm,null) from t;
select least(tm,tm), greatest(tm,dt) > '2025-01-01', least(tm,d) from t;
select least(tm,5), greatest(tm,n), least(tm,1.5), least(tm, f) from t;
select least(b,'b'), greatest(b,'b'), least(b,5), greatest(b,b), least(v,b), greatest(b,tm) from t;
select least(d,dt), greatest(d,dt), least(d,d), greatest(dt,dt), greatest(ts,dt), greatest(d,d6) from t;
select least(d,'2023-06-01'), greatest(dt,'2023-06-01'), least(d,20230601), least(d,'2023-06-01 10:00:00'), greatest(dt,20250101), least(d,tm,'2023-01-01') from t;
select least(d,'x') from t;
select least(e,'b'), greatest(e,e), least(s,s), greatest(s,'b'), least(e,1), least(e,s) from t;
select least(dc,n), greatest(dc,f), least(dc,'1.7'), greatest(n,v), least(v,5), least(dc,v) from t;
-- differs: JSON documents that are sorted leave no warning
select least(j,'1'), greatest(j,j) from t;
select least(null,1), greatest('a',null), least(1,'a'), greatest('b','A'), least(1.5,2), greatest(1e1,2), least(null,null);
select least(cast('a' as binary), 'B'), greatest(_binary'a', _binary'b');
select least(date'2024-01-01', timestamp'2024-01-01 10:00:00'), least(date'2024-01-01', time'10:00:00') > 0;
select id from t where least(tm, '05:00:00') = tm order by greatest(d, dt);
select min(e), max(e), min(s), max(s) from t where id < 3;
select n, min(e), max(s) from t group by n order by n;
select max(e) over (), min(s) over () from t;
select max(e) over (order by id), min(s) over (order by id) from t;
select id from t where e = (select min(e) from t);
select max(e) m from t having m > 'b';
select min(e) from t where e > 'b';
