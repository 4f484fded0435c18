# COLLATE of a text of another character set, with literals of the connection's.
create table t (s varchar(10), l varchar(10) character set latin1, i int);
insert into t values ('a', 'b', 1), ('A', 'B', 2);
set names utf8mb3;
select locate('HE', 'hello' collate utf8mb4_bin);
select count(*) from t where 'a' collate utf8mb4_bin = s;
select 'a' collate utf8mb3_bin = 'A' from t;
select json_arrayagg('x' collate utf8mb4_bin) from t;
select upper('a') collate utf8mb4_bin from t;
select concat(1, 2) collate utf8mb4_bin from t;
select s from t order by 'x' collate utf8mb4_bin;
select s collate utf8mb4_bin x from t order by x;
set names utf8mb4;
select 'a' collate utf8mb3_bin = 'A' from t;
select l collate utf8mb4_bin from t;
select s collate latin1_bin from t;
select count(*) from t where s collate utf8mb4_bin = 'a';
select concat(s, i) collate utf8mb4_bin x from t order by x;
