-- forms of EXPLAIN; what a plan is and what it costs is each server's own
create table a (id int primary key, b int, c varchar(20), key b (b));
insert into a values (1,2,'x'),(2,3,'y'),(3,4,'z');
-- differs: system variables are described without UNSIGNED
select @@explain_format, @@explain_json_format_version;
-- differs: the query as it was written, no cost of the first row
explain format=json select 1;
set explain_json_format_version = 1;
explain format=json select 1;
explain format = JSON insert into a values (9,9,'');
explain format=json replace into a values (9,9,'');
set explain_json_format_version = 3;
set explain_json_format_version = default;
explain format=foo select 1;
-- differs: the query as it was written, no cost of the first row
explain format='json' select 1;
-- differs: another wording of the error
explain analyze format=traditional select 1;
-- differs: `filtered` without its digits
explain format=traditional select 1;
set explain_format = traditional;
-- differs: `filtered` without its digits
explain select 1;
-- differs: `filtered` without its digits
desc select c from a where id = 2;
-- differs: `filtered` without its digits
describe format=traditional select c from a where b = 3;
set explain_format = 'json';
select @@explain_format;
set explain_format = nonsense;
set explain_format = default;
select @@explain_format;
-- differs: `filtered` without its digits
explain format=traditional select b from a where c = 'x';
-- differs: the query as it was written
show warnings;
select count(*) from a;
