-- Values of virtual columns are cut and converted as those of stored ones.
create table t (a int, j json, v json as (j) virtual, w json as (json_extract(j, '$.a')) virtual, s json as (j) stored, d int as (a) virtual, vc varchar(2) as (a) virtual, bt bit(4) as (a) virtual, e enum('x','y') as (a) virtual, dc decimal(5,2) as (a / 3) virtual, f float as (a / 3), y year as (a), b binary(3) as (a));
insert ignore into t (a, j) values (1, null), (2, 'null'), (3, '{"a": null}'), (20240102, '{"a": 1}');
select * from t;
select a from t where v is null;
select a from t where w is null;
select count(v), count(w), count(s) from t;
select a, ifnull(v, 'N'), json_type(v), coalesce(w, 'N') from t;
select a, vc, bt + 0, e + 0, dc, f, y, hex(b) from t where a < 10;
