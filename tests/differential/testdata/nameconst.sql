-- NAME_CONST: constants with names.
select NAME_CONST('test', -1.0), name_const('a',1), name_const('b','x');
select name_const(1,2);
select name_const(null,2);
select name_const('a',1+1);
select name_const(concat('a','b'),1);
select 1+name_const('a',2);
select name_const('n','ab' 'c'), name_const('q', _latin1'x');
select name_const('a', - -1);
select name_const('a',+1);
select name_const('', 1);
prepare s from 'select name_const("x",?)'; set @v=1; execute s using @v;
select name_const('a', @v);
select 1 from dual where name_const('a',1)=1;
select name_const('a',(select 1));
select name_const('a', 1) as z;
select name_const('a', b'101'), name_const('f', 1e3), name_const('dd', 1.50), name_const('g', -1e3);
