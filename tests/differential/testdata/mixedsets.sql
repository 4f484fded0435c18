-- Texts that are put together of columns of several character sets.
create table u (id int primary key, utf8mb3 varchar(10) character set utf8mb3, utf8mb4 varchar(10) character set utf8mb4 collate utf8mb4_general_ci, ucs2 varchar(10) character set ucs2, utf16 varchar(10) character set utf16, utf16le varchar(10) character set utf16le, utf32 varchar(10) character set utf32, l varchar(10) character set latin1, k varchar(10) character set koi8r, a varchar(10) character set ascii, b varbinary(10));
insert into u values (1, 'ä', '𝄞', 'c', 'd', 'e', 'f', 'ü', 'и', 'g', 'h');
select charset(concat(utf8mb3, utf8mb4)), charset(concat(utf8mb4, utf8mb3)), charset(concat(utf8mb3, utf32)), charset(concat(utf32, utf8mb4)), charset(concat(utf8mb4, utf32)), charset(concat(utf16, utf8mb4)), charset(concat(ucs2, utf32)), charset(concat(utf16le, utf32)) from u;
select charset(concat(l, utf8mb3)), charset(concat(ucs2, l)), charset(concat(a, l)), charset(concat(l, a)), charset(concat(a, utf32)), charset(concat(k, utf16)), charset(concat(l, 'x')), charset(concat(utf16, 1)) from u;
select hex(concat(utf8mb3, utf32)), hex(concat(utf8mb4, utf16)), hex(concat(l, ucs2)), hex(concat(a, l)), concat(utf8mb3, utf8mb4, utf16), hex(concat_ws(',', utf32, utf8mb3)), length(concat(utf8mb4, utf32)), char_length(concat(utf32, utf8mb4)) from u;
select concat(utf8mb3, ucs2) from u;
select concat(utf16, utf8mb3) from u;
select concat(utf16, utf16le) from u;
select concat(ucs2, utf16) from u;
select concat(l, k) from u;
create table made as select concat(utf8mb3, utf32) a, concat(utf16, utf8mb4) b, concat(l, ucs2) c, concat(a, l) d from u;
show create table made;
select hex(a), hex(b), hex(c), hex(d) from made;
create view v as select concat(utf8mb3, utf32) a, concat(utf16, utf8mb4) b from u;
select charset(a), hex(a), charset(b), hex(b) from v;
select hex(upper(concat(utf8mb3, utf32))), hex(left(concat(utf8mb3, utf32), 1)), concat(utf8mb3, utf32) = 'äf' from u;
