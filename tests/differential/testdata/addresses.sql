-- Internet addresses read and written.
select is_ipv4(null), is_ipv6(null), is_ipv4_compat(null), is_ipv4_mapped(null), inet6_aton(null), inet6_ntoa(null), inet_ntoa(null), inet_aton(null);
select is_ipv4(123), is_ipv6('::'), is_ipv4_compat('::'), is_ipv4_mapped(123), inet6_aton(12), inet6_ntoa(12), inet_ntoa('12');
show warnings;
select hex(inet6_aton('1.2.3.4')), hex(inet6_aton('::')), hex(inet6_aton(':')), hex(inet6_aton('1:2:3:4:5:6:7:8:9')), hex(inet6_aton('1::2::3')), hex(inet6_aton('00001::')), hex(inet6_aton('::g')), hex(inet6_aton('1.2.3.256')), hex(inet6_aton('1.2.3')), hex(inet6_aton(' 1.2.3.4')), hex(inet6_aton('::1.2.3')), hex(inet6_aton('1:2:3:4:5:6:7:1.2.3.4')), hex(inet6_aton('1:2:3:4:5:6:1.2.3.4')), hex(inet6_aton('::ffff:0:1.2.3.4')), hex(inet6_aton('1:')), hex(inet6_aton('1:2:3:4:5:6:7:')), hex(inet6_aton('::1%eth0'));
show warnings;
select inet6_ntoa(unhex('00000000000000000000000000000000')), inet6_ntoa(unhex('00000000000000000000000000000001')), inet6_ntoa(unhex('00000000000000000000000000010001')), inet6_ntoa(unhex('00000000000000000000FFFF01020304')), inet6_ntoa(unhex('00010000000000000001000000000000')), inet6_ntoa(unhex('00010000000000020000000000000003')), inet6_ntoa('abcd'), inet6_ntoa(unhex('000000000000000000000000FFFFFFFF')), inet6_ntoa(unhex('0000000000000000FFFF000001020304'));
show warnings;
select is_ipv4_compat(inet6_aton('::1')), is_ipv4_compat(inet6_aton('::')), is_ipv4_compat(inet6_aton('::1.2.3.4')), is_ipv4_compat(inet6_aton('1.2.3.4')), is_ipv4_mapped(inet6_aton('::ffff:1.2.3.4')), is_ipv4_compat(inet6_aton('::0.0.0.2'));
select is_ipv4('1.2.3.4'), is_ipv4('01.002.3.4'), is_ipv4('1.2.3.0004'), is_ipv4('::1'), is_ipv6('1.2.3.4'), is_ipv6('::1.2.3.4'), is_ipv6('x'), is_ipv4('');
select inet_aton('1.2.3.4'), inet_aton('1.2'), inet_aton('300.1.1.1'), inet_aton('1.2.3.4.5'), inet_aton('');
show warnings;
create table addresses as select inet_aton('1.2.3.4') a, inet_ntoa(1) b, inet6_aton('::') c, inet6_ntoa(unhex('01020304')) d;
select hex(inet6_aton('00.00.00.00')), hex(inet6_aton('001.002.003.004')), hex(inet6_aton('::01.2.3.4')), hex(inet6_aton('::FFFF:1.2.3.00'));
select inet6_ntoa(inet6_aton('::2:3:4:5:6:7:8')), inet6_ntoa(inet6_aton('1:2:3::5:6:7:8')), inet6_ntoa(inet6_aton('1:2:3:4:5:6:7::')), inet6_ntoa(inet6_aton('::1.2.3.04'));
