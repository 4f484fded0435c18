create user u
create user u@h, 'v'@'%', `w`@localhost
create user current_user
create user ''@h
create user if not exists u identified by 'x'
create user u identified by 'x' , v identified by random password
create user u identified with caching_sha2_password
create user u identified with 'caching_sha2_password' by 'x'
create user u identified with caching_sha2_password by random password
create user u identified with caching_sha2_password as 'hash'
create user u identified with caching_sha2_password as x'41'
create user u identified with p as 'hash' by 'x'
create user u identified by password 'x'
create user u identified with p1 by 'x' and identified with p2 as 'y' and identified with p3
create user u identified with p1 and identified by 'x' and identified by random password
create user u identified with webauthn initial authentication identified by 'x'
create user u identified with webauthn initial authentication identified by random password
create user u identified with webauthn initial authentication identified with p as 'x'
create user u identified by 'x' replace 'y'
create user u identified by 'x' retain current password
create user u default role r
create user u default role r, s@t
create user u default role all
create user u require none
create user u require ssl
create user u require x509
create user u require subject 'a' and issuer 'b' cipher 'c'
create user u require subject 'a' subject 'b'
create user u require ssl and x509
create user u with max_queries_per_hour 5 max_updates_per_hour 6 max_connections_per_hour 7 max_user_connections 8
create user u with max_queries_per_hour 0x5
create user u with max_queries_per_hour 1.5
create user u with
create user u with max_queries_per_hour -1
create user u account lock
create user u account unlock password expire
create user u password expire never
create user u password expire default
create user u password expire interval 5 day
create user u password expire interval 0x5 day
create user u password expire interval 5 hour
create user u password history 5 password history default
create user u password reuse interval 5 day password reuse interval default
create user u password require current
create user u password require current optional
create user u password require current default
create user u failed_login_attempts 3 password_lock_time 4
create user u password_lock_time unbounded
create user u failed_login_attempts default
create user u comment 'x'
create user u attribute '{}'
create user u comment 'x' attribute '{}'
create user u comment 'x' account lock
create user u account lock comment 'x'
create user u attribute 'a' 'b'
create user u default role r require ssl with max_queries_per_hour 5 account lock password expire comment 'x'
create user u account lock require ssl
create user u require ssl default role r
create user u identified by 'x' account lock, v
create user
create user u,
create user u identified
create user u@
create user u @h
create user u@ h
create user u@h.b.c
create user u@'10.%'
create user 5
create user select
create user role
create user user
create user u identified by x'41'
create user u identified by 'a' 'b'
create user u identified by ''
alter user u identified by 'x'
alter user u, v@h account lock
alter user if exists u identified by 'x' replace 'y' retain current password
alter user u identified by 'x' retain current password replace 'y'
alter user u identified with p by 'x' replace 'y' retain current password
alter user u identified with p as 'x' retain current password
alter user u identified with p
alter user u identified by random password replace 'y' retain current password
alter user u discard old password
alter user user() identified by 'x'
alter user user() identified by 'x' replace 'y' retain current password
alter user user() identified by random password
alter user user() discard old password
alter user user() account lock
alter user user() identified with p by 'x'
alter user current_user() identified by 'x'
alter user u default role all
alter user u default role none
alter user u default role r, s
alter user u, v default role r
alter user if exists u default role r
alter user user() default role r
alter user u default role r account lock
alter user u identified by 'x' default role r
alter user u require none with max_user_connections 5 password expire account unlock attribute '{}'
alter user u add 2 factor identified by 'x'
alter user u add 2 factor identified with p by 'x' add 3 factor identified with q as 'y'
alter user u modify 2 factor identified with p by 'x'
alter user u modify 2 factor identified by 'x' modify 3 factor identified by 'y'
alter user u drop 2 factor drop 3 factor
alter user u drop 2 factor
alter user u add 5 factor identified by 'x'
alter user u 2 factor initiate registration
alter user u 2 factor finish registration set challenge_response as 'x'
alter user u 2 factor unregister
alter user user() 2 factor initiate registration
alter user
alter user u
alter user u,
drop user u, v@h
drop user if exists u
drop user current_user()
drop user
drop role r, s@h
drop role if exists r
drop role current_user
create role r, s@h
create role if not exists r
create role none
create role r identified by 'x'
create role event
create role process
create role
rename user u to v, w@h to x@i
rename user u v
rename user
set password = 'x'
set password for u = 'x'
set password for u@h = 'x' replace 'y'
set password = 'x' replace 'y' retain current password
set password to random
set password for u to random replace 'y' retain current password
set password = password('x')
set password for current_user() = 'x'
set password := 'x'
set password for u
set role none
set role default
set role all
set role all except r, s@h
set role r, s
set role r except s
set role
set default role none to u
set default role all to u, v
set default role r, s@h to u
set default role r
set default role r to
grant select on t to u
grant select on *.* to u@h, v
grant select on * to u
grant select on d.* to u
grant select on d.t to u
grant select on table t to u
grant select on *.t to u
grant execute on procedure d.p to u
grant execute on function f to u
grant execute on library l to u
grant all on *.* to u
grant all privileges on d.* to u with grant option
grant select (a, b), insert (c), update, references (a) on t to u
grant delete (a) on t to u
grant create (a) on t to u
grant alter, alter routine, create, create routine, create role, create tablespace, create temporary tables, create user, create view, delete, drop, drop role, event, execute, file, grant option, index, insert, lock tables, process, proxy, references, reload, replication client, replication slave, select, show databases, show view, shutdown, super, trigger, update, usage on *.* to u
grant alter, alter routine, create, create routine, create role, create tablespace, create temporary tables, create user, create view, delete, drop, drop role, event, execute, file, grant option, index, insert, lock tables, process, references, reload, replication client, replication slave, select, show databases, show view, shutdown, super, trigger, update, usage on *.* to u
grant binlog_admin, role_admin on *.* to u
grant `binlog_admin` on *.* to u
grant 'r' to u
grant r, s@h to u, v@i with admin option
grant r to u with grant option
grant r to u as v
grant select on *.* to u as v
grant select on *.* to u as v with role none
grant select on *.* to u as v with role all
grant select on *.* to u as v with role all except r
grant select on *.* to u as v with role default
grant select on *.* to u as v with role r, s
grant select on *.* to u with grant option as v with role r
grant select on *.* to u with grant option max_queries_per_hour 5
grant select on *.* to u with max_queries_per_hour 5
grant select on *.* to u require ssl
grant select on *.* to u identified by 'x'
grant proxy on v to u
grant proxy on v@h to u, w with grant option
grant proxy on ''@'' to u
grant r on *.* to u
grant select to u
grant r (a) to u
grant select, r to u
grant select on to u
grant on *.* to u
grant select on *.* to
grant
grant select on d.t.u to u
grant select on `d%`.* to u
grant select on d . * to u
revoke select on t from u
revoke if exists select on t from u
revoke select on t from u ignore unknown user
revoke if exists r from u ignore unknown user
revoke all on *.* from u
revoke all privileges on *.* from u
revoke all, grant option from u, v@h
revoke all privileges, grant option from u
revoke if exists all, grant option from u ignore unknown user
revoke all from u
revoke grant option on *.* from u
revoke r, s@h from u, v
revoke proxy on v from u
revoke if exists proxy on v from u
revoke execute on procedure d.p from u
revoke select (a) on t from u
revoke admin option for r from u
revoke select on t from u cascade
revoke select on t from u with grant option
revoke
grant select any table on *.* to u
grant r, select to u
grant r, s@h on *.* to u
revoke r, select from u
revoke s@h on *.* from u
grant grant option on *.* to u
grant grant option to u
grant all to u
grant all, select on *.* to u
grant select, all on *.* to u
grant usage to u
create user u identified with p by 'x' default role r account lock
create user u identified with p1 by 'x' and identified with p2 by 'y' and identified with p3 by 'z' and identified with p4 by 'a'
create user if not exists current_user() identified by 'x'
alter user u identified with p1 by 'x' and identified with p2 by 'y'
alter user u 2 factor initiate registration, v
alter user u add 2 factor identified by 'x' modify 3 factor identified by 'y'
alter user u add 1.5 factor identified by 'x'
alter user u modify 2 factor identified with p
alter user u add 2 factor identified with p
alter user u drop 2 factor account lock
alter user u add 2 factor identified by random password
alter user u add 2 factor identified by 'x' replace 'y'
set default role r, s to u, v@h account lock
set password for u to random retain current password
set password = 'a' 'b'
set password
create user u failed_login_attempts 1.5
create user u password history 1.5
revoke all privileges from u
revoke if exists all privileges on d.* from u ignore unknown user
revoke select on *.* from u ignore unknown
drop role r@`h`, 's'
grant select on procedure to u
grant select on procedure p.q to u
