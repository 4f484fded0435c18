-- SHOW COLUMNS of the server's own tables, and patterns of column names in either case.
describe mysql.db;
describe mysql.func;
describe mysql.plugin;
describe mysql.gtid_executed;
show full columns from mysql.db where field = 'Host';
show columns from information_schema.columns like 'char%';
create table lk (abc int, Cde int, `x_y` int, xzy int);
create view lv as select * from lk;
show columns from lk like 'c%';
show full columns from lk like 'ABC';
describe lk ABC;
describe lk 'c%';
describe lk `X_Y`;
show columns from lk like 'x\_y';
describe mysql.db host;
show columns from lv like 'C%';
describe lv ABC;
describe lk nix;
