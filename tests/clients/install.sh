#!/usr/bin/env bash
# Installs what the client tests need and prints nothing when it is there: the mysql client, Chromium, node, Java, Maven, Rust and
# a Python with venv from the distribution (needs root), the drivers from their registries into the folder given.
set -euo pipefail

dir=${1:?usage: install.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

packages=()
command -v mysql >/dev/null && command -v mysqldump >/dev/null || packages+=(default-mysql-client)
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v chromium >/dev/null || packages+=(chromium)
command -v cargo >/dev/null || packages+=(cargo)
command -v mvn >/dev/null || packages+=(maven)
python3 -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3-venv)
/usr/bin/python3 -c 'import MySQLdb' 2>/dev/null || packages+=(python3-mysqldb)
if [ ${#packages[@]} -gt 0 ]; then
	[ "$(id -u)" = 0 ] || { echo "missing: ${packages[*]}; install them or run as root" >&2; exit 1; }
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

# Each driver is fetched again when its list changes.
fresh() { [ -e "$dir/$1.done" ] && [ "$dir/$1.done" -nt "$2" ]; }

if ! fresh pymysql "$here/pymysql/requirements.txt"; then
	python3 -m venv "$dir/venv"
	"$dir/venv/bin/pip" install --quiet -r "$here/pymysql/requirements.txt"
	touch "$dir/pymysql.done"
fi
if ! fresh mysql2 "$here/mysql2/package-lock.json"; then
	mkdir -p "$dir/mysql2"
	cp "$here/mysql2/package.json" "$here/mysql2/package-lock.json" "$dir/mysql2/"
	npm ci --silent --no-audit --no-fund --prefix "$dir/mysql2"
	touch "$dir/mysql2.done"
fi
if ! fresh sqlx "$here/sqlx/Cargo.lock" || ! fresh sqlx "$here/sqlx/src/main.rs"; then
	cargo build --quiet --locked --manifest-path "$here/sqlx/Cargo.toml" --target-dir "$dir/sqlx"
	touch "$dir/sqlx.done"
fi
if ! fresh connectorj "$here/connectorj/pom.xml"; then
	mvn -q -B -f "$here/connectorj/pom.xml" dependency:copy-dependencies -DoutputDirectory="$dir/connectorj"
	touch "$dir/connectorj.done"
fi
