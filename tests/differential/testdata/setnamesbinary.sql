-- SET NAMES binary: strings are bytes, which go into columns as they are
create table l (id int primary key, a varchar(20) character set latin1, g varchar(20) character set gbk, u varchar(20) character set utf8mb4, x varchar(20) character set utf16, y varchar(20) character set utf32, b varbinary(20), e enum('é','b') character set utf8mb4, t text character set latin1, j json, d date, n decimal(10,2));
set names binary;
insert into l(id,a) values(1,'café');
insert into l(id,g) values(2,'浣犲ソ');
insert into l(id,u) values(3,'é😀');
insert into l(id,x) values(4,'\0a\0b'),(5,'abc'),(6,'ab\0c');
insert into l(id,y) values(7,'abcde');
insert into l(id,b) values(8,'\0é');
insert into l(id,a,t) values(9,'plain','é'),(10,'é','plain');
insert into l set id=11, a='é', e='é', d='2024-01-02', n='1.50';
insert into l(id,j) values(12,'{"a": 1}');
replace into l(id,a) values(1,'é');
insert into l(id,a) values(1,'q') on duplicate key update a='éé';
insert into l(id,a) select 13,'é';
update l set t='éx' where a='plain';
-- sorted
select id,hex(a),hex(g),hex(u),hex(x),hex(y),hex(b),hex(e),hex(t),d,n from l;
select id from l where a='PLAIN';
select id from l where a='éé';
select id from l where u='É😀';
-- sorted
select id from l where a in ('é','PLAIN','nosuch');
select id from l where a like 'PLA%';
select id from l where a between 'PLAIM' and 'PLAIO';
select 'a'='A', hex('é'), length('é'), char_length('é');
set names utf8mb4;
-- sorted
select id,a,g,u,x,e,t from l;
