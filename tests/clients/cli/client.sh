#!/usr/bin/env bash
# The mysql command line client against the server in EMBER_HOST, EMBER_PORT, EMBER_SOCKET as EMBER_USER with
# EMBER_PASSWORD. Ends with 1 at the first difference from what MySQL does.
set -euo pipefail

db=client_cli
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export MYSQL_PWD=$EMBER_PASSWORD
tcp=(mysql --no-defaults --protocol=tcp -h "$EMBER_HOST" -P "$EMBER_PORT" -u "$EMBER_USER")
sock=(mysql --no-defaults -S "$EMBER_SOCKET" -u "$EMBER_USER")
main=("${tcp[@]}" --ssl --default-character-set=utf8mb4 --local-infile=1 -N -B -D "$db")

equal() { # equal GOT WANT
	[ "$1" = "$2" ] || { printf 'got:\n%s\nwant:\n%s\n' "$1" "$2" >&2; exit 1; }
}
fails() { # fails CODE SQL
	local out
	if out=$("${main[@]}" -e "$2" 2>&1); then
		echo "$2: no error, want $1" >&2
		exit 1
	fi
	case $out in *"ERROR $1"*) ;; *) echo "$2: want ERROR $1, got $out" >&2; exit 1 ;; esac
}

# Ways in.
equal "$("${sock[@]}" -N -e 'select 1')" 1
[ -n "$("${tcp[@]}" --ssl -N -e "show status like 'Ssl_cipher'" | cut -f2)" ]
if MYSQL_PWD=wrong "${tcp[@]}" --ssl -e 'select 1' 2>"$tmp/err"; then
	echo "a wrong password was accepted" >&2
	exit 1
fi
grep -q 'ERROR 1045 (28000)' "$tmp/err"
"${tcp[@]}" --ssl -e "drop database if exists $db; create database $db"

# A script as people pipe it in: delimiters, comments, several statements on a line.
"${main[@]}" <<'SQL'
-- a comment
create table t (id int primary key auto_increment, name varchar(50) not null default 'none', born date, key (name));
insert into t (name, born) values ('Ada', '1815-12-10'), ('Grace', '1906-12-09'); insert into t () values ();
delimiter //
create procedure p (in n int)
begin
  declare i int default 0;
  while i < n do
    insert into t (name) values (concat('row ', i));
    set i = i + 1;
  end while;
end //
delimiter ;
call p(5);
create view v as select name from t where id <= 2;
create trigger tr before insert on t for each row set new.name = upper(new.name);
insert into t (name) values ('shout');
SQL
equal "$("${main[@]}" -e 'select count(*), max(id) from t')" $'9\t9'
equal "$("${main[@]}" -e 'select * from v')" $'Ada\nGrace'
equal "$("${main[@]}" -e 'select name from t where id = 9')" SHOUT
equal "$("${main[@]}" -e 'select null, "snow ☃ fire 🔥", 0x4142, 1.50, true')" $'NULL\tsnow ☃ fire 🔥\tAB\t1.50\t1'

# Transactions over one session, with the results of several statements.
equal "$("${main[@]}" -e 'begin; delete from t; select count(*) from t; rollback; select count(*) from t')" $'0\n9'

# What people type.
equal "$("${main[@]}" -e 'show tables')" $'t\nv'
equal "$("${main[@]}" -e 'describe t' | cut -f1,2,4)" $'id\tint\tPRI\nname\tvarchar(50)\tMUL\nborn\tdate\t'
"${main[@]}" -e 'show create table t' | grep -q 'PRIMARY KEY (`id`)'
"${main[@]}" -e 'show processlist' | grep -q "$EMBER_USER"
"${main[@]}" -e 'status' | grep -qi '^Server version'
[ -n "$("${main[@]}" -e "show variables like 'version'")" ]
[ -n "$("${main[@]}" -e "show engine innodb status")" ]
"${main[@]}" -e 'explain select * from t where id = 1' >/dev/null
equal "$("${main[@]}" -e 'select 1' --table)" $'+---+\n| 1 |\n+---+'

# Errors.
fails 1062 'insert into t (id) values (1)'
fails 1146 'select * from missing'
fails 1064 'selec 1'
fails 1054 'select nothing from t'
fails 1292 "insert into t (born) values ('2024-02-30')"

# LOAD DATA LOCAL.
for i in $(seq 1 2000); do printf '%d;"name %d"\r\n' "$i" "$i"; done >"$tmp/rows.csv"
"${main[@]}" -e 'create table loaded (id int primary key, name varchar(20))'
"${main[@]}" -e "load data local infile '$tmp/rows.csv' into table loaded fields terminated by ';' enclosed by '\"' lines terminated by '\r\n'"
equal "$("${main[@]}" -e 'select count(*), sum(id), min(name) from loaded')" $'2000\t2001000\tname 1'

# mysqldump writes a copy that loads back.
mysqldump --no-defaults --protocol=tcp -h "$EMBER_HOST" -P "$EMBER_PORT" -u "$EMBER_USER" --ssl --routines --triggers \
	--single-transaction "$db" >"$tmp/dump.sql"
"${tcp[@]}" --ssl -e "create database if not exists ${db}_copy"
"${tcp[@]}" --ssl -D "${db}_copy" <"$tmp/dump.sql"
equal "$("${tcp[@]}" --ssl -N -D "${db}_copy" -e 'checksum table t, loaded' | cut -f2)" \
	"$("${main[@]}" -e 'checksum table t, loaded' | cut -f2)"
equal "$("${tcp[@]}" --ssl -N -D "${db}_copy" -e 'select * from v')" $'Ada\nGrace'
"${tcp[@]}" --ssl -e "drop database $db; drop database ${db}_copy"
