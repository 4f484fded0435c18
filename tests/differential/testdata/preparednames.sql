-- A name of PREPARE is no text, and a text no name
prepare `select 7` from 'select 8';
select 7;
execute `select 7`;
execute `SELECT 7`;
prepare `commit` from 'select 9';
commit;
execute commit;
deallocate prepare `commit`;
execute `commit`;
deallocate prepare Nope;
prepare A1 from 'select 1';
execute a1;
prepare a1 from 'selec';
execute a1;
drop prepare a1;
