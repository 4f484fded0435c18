#!/usr/bin/env bash
# Holds this build against other servers: runs "ember bench VERB" with Ember, on a directory of its own, as the first
# server, and with every peer the environment describes.
#
#   bench/versus.sh VERB [options of ember bench VERB]
#
# PEERS lists names; each has its variables, of which only the first is needed for servers that run already:
#
#   PEERS="mysql mariadb"
#   mysql_DSN='root@unix(/run/mysql.sock)/'  mysql_START='command'  mysql_STOP='command'  mysql_KILL='command'
#
# POOL is Ember's buffer pool, EMBER_OPTIONS more of its options, DIR a directory to keep instead of a temporary one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || { sed -n '2,14p' "$0"; exit 2; }
verb=$1
shift

if [ -n "${DIR:-}" ]; then
	mkdir -p "$DIR"
	dir=$(cd "$DIR" && pwd)
else
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
fi
servers=(
	--server "ember=root@unix($dir/s.sock)/"
	--start "ember=exec $root/bin/emberd --datadir=$dir/data --port=0 --socket=$dir/s.sock --innodb-buffer-pool-size=${POOL:-1G} ${EMBER_OPTIONS:-}"
)
for name in ${PEERS:-}; do
	for what in DSN START STOP KILL; do
		variable=${name}_$what
		flag=$(echo "$what" | tr '[:upper:]' '[:lower:]')
		[ "$flag" = dsn ] && flag=server
		[ -z "${!variable:-}" ] || servers+=("--$flag" "$name=${!variable}")
	done
done
"$root/bin/ember" bench "$verb" "${servers[@]}" "$@"
