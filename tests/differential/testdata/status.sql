-- What a session counts: SHOW SESSION STATUS. Every statement is run twice, for the first run is the SQL layer's and the second a compiled program's.

create table t (id int primary key, v int, s varchar(20), key (v));
insert into t values (1,1,'a'),(2,2,'b'),(3,3,'c'),(4,4,'d'),(5,5,'e'),(6,6,'f'),(7,3,'g'),(8,3,'h'),(9,3,'i'),(10,10,'j');
flush status;
-- text
select * from t where id = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id = 77;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id = 77;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id between 2 and 4;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id between 2 and 4;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id in (1,3,5);
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t where id in (1,3,5);
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t order by s;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t order by s;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t a join t b on a.v = b.id where a.id = 1;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t a join t b on a.v = b.id where a.id = 1;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
insert into t values (100, 1, 'x');
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
insert into t values (101, 1, 'x');
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
update t set s = 'y' where id = 100;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
update t set s = 'y' where id = 100;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
update t set s = 'z' where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
update t set s = 'z' where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
delete from t where id = 100;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
delete from t where id = 101;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select v from t where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select v from t where v = 3;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t limit 2;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
flush status;
-- text
select * from t limit 2;
-- text
show session status where variable_name rlike '^(Handler_(read|write|update|delete)|Select_(scan|range$|full_join)|Sort_(rows|scan|range)|Com_(select|insert|update|delete)$)' and value > 0;
-- what all sessions did to rows
select variable_name, variable_value >= 3 from performance_schema.global_status where variable_name in ('Innodb_rows_inserted', 'Innodb_rows_read', 'Handler_write') order by 1;
