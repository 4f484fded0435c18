-- forms of EXPLAIN; what a plan is and what it costs is each server's own
create table a (id int primary key, b int, c varchar(20), key b (b));
insert into a values (1,2,'x'),(2,3,'y'),(3,4,'z');
select @@explain_format, @@explain_json_format_version;
explain format=json select 1;
set explain_json_format_version = 1;
explain format=json select 1;
explain format = JSON insert into a values (9,9,'');
explain format=json replace into a values (9,9,'');
set explain_json_format_version = 3;
set explain_json_format_version = default;
explain format=foo select 1;
explain format='json' select 1;
-- differs: another wording of the error
explain analyze format=traditional select 1;
explain format=traditional select 1;
set explain_format = traditional;
explain select 1;
desc select c from a where id = 2;
describe format=traditional select c from a where b = 3;
set explain_format = 'json';
select @@explain_format;
set explain_format = nonsense;
set explain_format = default;
select @@explain_format;
explain format=traditional select b from a where c = 'x';
show warnings;
select count(*) from a;
