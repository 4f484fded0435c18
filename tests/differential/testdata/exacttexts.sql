-- texts that are whole numbers are compared with exact columns as such
create table t (b bigint unsigned, d decimal(40,0), i int, s bigint);
insert into t values (102935229216544103, 100000000000000000000001, 1, -9007199254740993), (102935229216544104, 100000000000000000000002, 2, -9007199254740992),
  (102935229216544105, 100000000000000000000003, 3, 5);
select b from t where b='102935229216544104';
select d from t where d='100000000000000000000002';
select s from t where s='-9007199254740993';
select i from t where i=' 2 ' order by i;
select i from t where i>'1' order by i;
select i from t where b in ('102935229216544104','102935229216544105') order by i;
select i from t where b between '102935229216544104' and '102935229216544104';
select i from t where b='18446744073709551616';
select i from t where i='2.0';
update t set i=9 where b='102935229216544105';
select i from t order by b;
create index sx on t(s);
select s from t where s='-9007199254740993';
delete from t where b='102935229216544103';
select count(*) from t;
-- the present date is a DATE
select curdate()+0>20200101, curdate()>20200101, curdate()=date(now()), length(curdate()), current_date=curdate(), curdate()+interval 1 day>now();
-- digits that no value has
select cast(1 as datetime(7));
select cast(1 as time(9));
select convert(1, datetime(7));
select cast(1 as decimal(66,1));
select cast(1 as decimal(5,6));
select cast(1 as decimal(60,31));
select cast(1 as float(54));
select cast('2024-01-01 10:00:00.1234567' as datetime(6)), cast(1.005 as decimal(5,2)), cast(7 as decimal);
