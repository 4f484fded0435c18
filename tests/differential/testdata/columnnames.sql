-- columns have the names as they are written, but for those of views
create table names (Abc int, unique key (abc));
select abc, ABC, names.aBc from names group by abc, ABC, aBC with rollup;
select abc, soundex(ABC), Abc from names;
select innodb_columns.NAME, innodb_columns.name, Pos, MTYPE, prtype, len from information_schema.innodb_columns join information_schema.innodb_tables using (table_id) where innodb_tables.name = 'none';
select table_name, Table_Name from information_schema.tables where table_schema = 'none';
select id, FOR_NAME from information_schema.innodb_foreign where id = 'none';
select id, for_col_name from information_schema.innodb_foreign_cols where id = 'none';
