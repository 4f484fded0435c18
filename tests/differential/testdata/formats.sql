-- FORMAT of numbers beyond BIGINT, of exact ones and doubles, of texts and dates.
select format(18446744073709551615, 2), format(1e20, 2), format(1234567.891, 2), format(-0.001, 2), format(-1234.5, 0), format(1.005, 2), format('1234567890123456789012.5', 3), format(12345678901234567890.125, 2);
select format(null, 1), format(1, null), format('x', 1), format('12x', 2), format(-5.932887e-08, 2), format(-0.00000005932887, 2), format(0.5, 0), format(2.5, 0), format(2.5e0, 0), format(1, 31), format(1, -1), format(1, '2x');
select format(date '2020-01-01', 1), format(time '10:00:00', 1), format(true, 1), format(b'11', 1), format(999.999, 2), format(100, 0), format(-1000, 1), format(1.2345678901234567890123456789012345, 31);
create table t (n decimal(30,4), f double, s varchar(20));
insert into t values (12345678901234567890.55555, 1234.5678, '98765.4321'), (null, null, null);
select format(n, 2), format(f, 2), format(s, 2), length(format(n, 0)), concat(format(f, 1), '!') from t where n is not null;
