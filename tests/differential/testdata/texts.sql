-- Functions of texts take dates, times and documents as they are written; AES_ENCRYPT and AES_DECRYPT.
create table moments (id int primary key, d date, dt datetime, f datetime(3), t time, j json, s varchar(20));
insert into moments values (1, '2024-02-03', '2024-02-03 04:05:06', '2024-02-03 04:05:06.789', '04:05:06', '["a", 1]', 'x');
insert into moments values (2, null, null, null, null, null, null);
select (left(d,7)) as x0, (right(d,5)) as x1, (upper(d)) as x2, (substr(d,2,5)) as x3, (mid(d,1,12)) as x4, (instr(d,'0')) as x5, (replace(d,'0','b')) as x6, (trim(d)) as x7, (lpad(d,30,'x')) as x8, (rpad(d,30,'x')) as x9, (reverse(d)) as x10, (hex(d)) as x11, (repeat(d,2)) as x12, (length(d)) as x13, (char_length(d)) as x14, (locate('4',d)) as x15, (crc32(d)) as x16, (to_base64(d)) as x17, (insert(d,1,1,'z')) as x18, (substring_index(d,'-',2)) as x19, (elt(1,d)) as x20, (quote(d)) as x21, (lower(d)) as x22, (ltrim(d)) as x23, (bit_length(d)) as x24, (find_in_set('a',d)) as x25, (regexp_replace(d,'0','b')) as x26, (regexp_substr(d,'0')) as x27, (sha2(d,256)) as x28, (make_set(1,d)) as x29 from moments order by id;
select group_concat(d), max(concat(d)) from moments;
select cast(d as char) as a, convert(d using utf8mb4) as b, hex(cast(d as binary)) as c, case when id = 1 then d else 'none' end as e, ifnull(d, '-') as g from moments order by id;
select (left(dt,7)) as x0, (right(dt,5)) as x1, (upper(dt)) as x2, (substr(dt,2,5)) as x3, (mid(dt,1,12)) as x4, (instr(dt,'0')) as x5, (replace(dt,'0','b')) as x6, (trim(dt)) as x7, (lpad(dt,30,'x')) as x8, (rpad(dt,30,'x')) as x9, (reverse(dt)) as x10, (hex(dt)) as x11, (repeat(dt,2)) as x12, (length(dt)) as x13, (char_length(dt)) as x14, (locate('4',dt)) as x15, (crc32(dt)) as x16, (to_base64(dt)) as x17, (insert(dt,1,1,'z')) as x18, (substring_index(dt,'-',2)) as x19, (elt(1,dt)) as x20, (quote(dt)) as x21, (lower(dt)) as x22, (ltrim(dt)) as x23, (bit_length(dt)) as x24, (find_in_set('a',dt)) as x25, (regexp_replace(dt,'0','b')) as x26, (regexp_substr(dt,'0')) as x27, (sha2(dt,256)) as x28, (make_set(1,dt)) as x29 from moments order by id;
select group_concat(dt), max(concat(dt)) from moments;
select cast(dt as char) as a, convert(dt using utf8mb4) as b, hex(cast(dt as binary)) as c, case when id = 1 then dt else 'none' end as e, ifnull(dt, '-') as g from moments order by id;
select (left(f,7)) as x0, (right(f,5)) as x1, (upper(f)) as x2, (substr(f,2,5)) as x3, (mid(f,1,12)) as x4, (instr(f,'0')) as x5, (replace(f,'0','b')) as x6, (trim(f)) as x7, (lpad(f,30,'x')) as x8, (rpad(f,30,'x')) as x9, (reverse(f)) as x10, (hex(f)) as x11, (repeat(f,2)) as x12, (length(f)) as x13, (char_length(f)) as x14, (locate('4',f)) as x15, (crc32(f)) as x16, (to_base64(f)) as x17, (insert(f,1,1,'z')) as x18, (substring_index(f,'-',2)) as x19, (elt(1,f)) as x20, (quote(f)) as x21, (lower(f)) as x22, (ltrim(f)) as x23, (bit_length(f)) as x24, (find_in_set('a',f)) as x25, (regexp_replace(f,'0','b')) as x26, (regexp_substr(f,'0')) as x27, (sha2(f,256)) as x28, (make_set(1,f)) as x29 from moments order by id;
select group_concat(f), max(concat(f)) from moments;
select cast(f as char) as a, convert(f using utf8mb4) as b, hex(cast(f as binary)) as c, case when id = 1 then f else 'none' end as e, ifnull(f, '-') as g from moments order by id;
select (left(t,7)) as x0, (right(t,5)) as x1, (upper(t)) as x2, (substr(t,2,5)) as x3, (mid(t,1,12)) as x4, (instr(t,'0')) as x5, (replace(t,'0','b')) as x6, (trim(t)) as x7, (lpad(t,30,'x')) as x8, (rpad(t,30,'x')) as x9, (reverse(t)) as x10, (hex(t)) as x11, (repeat(t,2)) as x12, (length(t)) as x13, (char_length(t)) as x14, (locate('4',t)) as x15, (crc32(t)) as x16, (to_base64(t)) as x17, (insert(t,1,1,'z')) as x18, (substring_index(t,'-',2)) as x19, (elt(1,t)) as x20, (quote(t)) as x21, (lower(t)) as x22, (ltrim(t)) as x23, (bit_length(t)) as x24, (find_in_set('a',t)) as x25, (regexp_replace(t,'0','b')) as x26, (regexp_substr(t,'0')) as x27, (sha2(t,256)) as x28, (make_set(1,t)) as x29 from moments order by id;
select group_concat(t), max(concat(t)) from moments;
select cast(t as char) as a, convert(t using utf8mb4) as b, hex(cast(t as binary)) as c, case when id = 1 then t else 'none' end as e, ifnull(t, '-') as g from moments order by id;
select (left(j,7)) as x0, (right(j,5)) as x1, (upper(j)) as x2, (substr(j,2,5)) as x3, (mid(j,1,12)) as x4, (instr(j,'0')) as x5, (replace(j,'0','b')) as x6, (trim(j)) as x7, (lpad(j,30,'x')) as x8, (rpad(j,30,'x')) as x9, (reverse(j)) as x10, (hex(j)) as x11, (repeat(j,2)) as x12, (length(j)) as x13, (char_length(j)) as x14, (locate('4',j)) as x15, (crc32(j)) as x16, (to_base64(j)) as x17, (insert(j,1,1,'z')) as x18, (substring_index(j,'-',2)) as x19, (elt(1,j)) as x20, (quote(j)) as x21, (lower(j)) as x22, (ltrim(j)) as x23, (bit_length(j)) as x24, (find_in_set('a',j)) as x25, (regexp_replace(j,'0','b')) as x26, (regexp_substr(j,'0')) as x27, (sha2(j,256)) as x28, (make_set(1,j)) as x29 from moments order by id;
select group_concat(j), max(concat(j)) from moments;
select cast(j as char) as a, convert(j using utf8mb4) as b, hex(cast(j as binary)) as c, case when id = 1 then j else 'none' end as e, ifnull(j, '-') as g from moments order by id;
select left(dt, 7) as m, count(*) from moments where dt is not null group by left(dt, 7) order by m;
select id from moments where left(d, 4) = '2024' and substring(dt, 12, 2) = '04';
select substring('hello' from 2 for 3), substring(s from 1 for 1) from moments order by id;
select x from (select substr(d, 6) as x from moments) y order by x;
create view v as select left(dt, 10) as day, cast(f as char) as f, group_concat(t) as ts from moments group by day, f;
-- differs: another type or flag of the column, the same value
select * from v order by day;
-- differs: a deprecation warning
select hex(aes_encrypt('text', 'key')), aes_decrypt(aes_encrypt('text', 'key'), 'key'), aes_decrypt('x', 'k'), aes_encrypt(null, 'k'), hex(aes_encrypt('', 'k')), hex(aes_encrypt(12.5, 'a key that is longer than sixteen bytes'));
select hex(aes_encrypt(d, 'k')) from moments order by id;
set block_encryption_mode = 'aes-256-cbc';
select hex(aes_encrypt('text', 'key', '0123456789abcdefXYZ')), aes_decrypt(aes_encrypt(repeat('text', 20), 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
select aes_encrypt('a', 'b');
select aes_encrypt('a', 'b', 'c');
select aes_decrypt(aes_encrypt('text', 'key', '0123456789abcdef'), 'other', '0123456789abcdef');
