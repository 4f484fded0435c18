-- Expressions of definitions: a table keeps working with each of them, and SHOW CREATE TABLE shows MySQL's text.

create table g1 (a date, b datetime, c int as (timestampdiff(day,a,b)), d int as (yearweek(a)), e int as (week(a,1)), f int as (extract(year_month from a)), g date as (a + interval 1 day), h int as (year(a) div 3), i varchar(20) as (date_format(a,'%Y')), j time as (time(b)), k time(2) as (cast(b as time(2))), l int as (datediff(b, a)), m varchar(20) as (get_format(date,'usa')), n int as (to_days(a)));
insert into g1 (a, b) values ('2020-01-01', '2020-02-01 10:11:12');
select * from g1;
show create table g1;
create table g2 (a int, b int, c int as (a not in (1,2)), d int as (a between 1 and b), e int as (a not between 1 and 2), f int as (a xor b), g int as ((a,b) = (1,2)), h int as (a is null), i int as (not a), j int as (a <=> b), k int as (-a), l int as (case a when 1 then 2 else 3 end), m int as (if(a > 1,b,a)), n int as (a & b | a ^ b << 2), o int as (a % b), p int as (cast(a as unsigned)), q int as (a in (1,2,3)), r int as (coalesce(a,b,1)), s double as (atan(a, 2)), t int as (interval(a, 1, 2)), u int as (a <> 1), v int as (a and b or not (a = b)));
insert into g2 (a, b) values (1, 2);
select a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, round(s, 6), t, u, v from g2;
show create table g2;
create table g3 (a json, b varchar(20) as (a->>'$.x'), c json as (a->'$.y'), d int as (json_length(a)), g varchar(40) default (uuid()), h int default (1+2), j varchar(20) as (regexp_replace('a','b','c')), check (d > 0 and (b <> 'x' or b is not null)), constraint c2 check (json_valid(a)));
insert into g3 (a) values ('{"x": "u", "y": 2}');
select a, b, c, d, h, j from g3;
show create table g3;
create table g4 (a varchar(20), b int as (position('x' in a)), c int as (find_in_set(a, 'x,y')), d varchar(9) as (replace(a,'x','y')), e varchar(9) as (left(a,2)), f varchar(99) as (lpad(a,5,' ')), g varchar(9) as (insert(a,1,2,'q')), j int as (a rlike 'b'), l int as (a like 'x%'), n decimal(5,2) as (1.5), p varchar(9) as (x'41'), t int as (true), u varchar(9) as (null), v varchar(9) as (trim(both 'x' from a)), w varchar(9) as (substring(a from 2 for 1)), x varchar(9) as (convert(a using latin1)));
insert into g4 (a) values ('axb');
select * from g4;
show create table g4;
create table g5 (a json, f int as (1 member of (a)));
insert into g5 (a) values ('[1, 2]');
select * from g5;
show create table g5;
alter table g1 add x int;
select x, c, d, f, j from g1;
drop table g1, g2, g3, g4, g5;
