#!/bin/sh
# Tries the packages in a Debian of its own. From the .deb and from the .rpm it installs the server,
# starts it as the unit would, kills it, upgrades it with data kept, is refused a downgrade, and
# removes it. From the container image it starts the server in a root that holds nothing else, and
# takes the data over by a second one. Root; needs debootstrap, python3 and a mysql client.
#   run.sh DIST NEXT DIR     DIST holds the packages, NEXT those of a later version; the Debian is made in DIR
set -eu
dist=$(readlink -f "$1")
next=$(readlink -f "$2")
mkdir -p "$3"
dir=$(readlink -f "$3")
debian=$dir/debian
mirror=${DEBIAN_MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb [^h]*\(http[^ ]*\) .*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)}

step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
in_root() { chroot "$debian" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
ask() { mysql --no-defaults -uroot -N -S "$root/run/mysqld/mysqld.sock" -e "$1"; }

root=$debian
pid=
stop() { [ -z "$pid" ] || { kill "$1" "$pid" && wait "$pid" || true; pid=; }; }
trap 'stop -KILL; umount "$debian/proc" 2>/dev/null || true' EXIT

# start runs a server in the root, as the user whose numbers come first, and waits until it answers.
start() {
	user=$1
	shift
	chroot --userspec="$user" "$root" "$@" --socket=/run/mysqld/mysqld.sock --port=0 --skip-networking >"$dir/log" 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		ask "SELECT 1" >/dev/null 2>&1 && return
		kill -0 "$pid" 2>/dev/null || { cat "$dir/log"; fail "the server ended"; }
		sleep 0.1
	done
	fail "the server does not answer"
}

# start_unit starts the server as the unit does.
start_unit() {
	install -d -o "$(in_root id -u mysql)" -g "$(in_root id -g mysql)" "$root/run/mysqld"
	start "$(in_root id -u mysql):$(in_root id -g mysql)" /usr/sbin/emberd --defaults-file=/etc/ember/ember.cnf --datadir=/var/lib/ember
}

# try_package KIND INSTALL UPGRADE REMOVE takes one package through its life.
try_package() {
	kind=$1
	step "$kind: install, $(stat -c %s "$dist"/ember-server*."$kind") bytes"
	cp "$dist"/ember-server*."$kind" "$root/tmp/this.$kind"
	cp "$next"/ember-server*."$kind" "$root/tmp/next.$kind"
	rm -rf "$root/var/lib/ember"
	in_root $2 "/tmp/this.$kind" >/dev/null
	for f in /usr/sbin/emberd /usr/bin/ember /etc/ember/ember.cnf /usr/lib/systemd/system/emberd.service /usr/share/man/man1/ember.1.gz; do
		[ -e "$root$f" ] || fail "$f is missing"
	done
	[ "$(stat -c %a "$root/var/lib/ember")" = 750 ] || fail "the data directory is open to everybody"

	step "$kind: first start, a table, kill -9"
	start_unit
	ask "CREATE DATABASE shop; CREATE TABLE shop.t (id INT PRIMARY KEY); INSERT INTO shop.t VALUES (1), (2), (3)"
	stop -KILL
	start_unit
	[ "$(ask 'SELECT COUNT(*) FROM shop.t')" = 3 ] || fail "rows are lost by kill -9"
	stop -TERM

	step "$kind: upgrade"
	echo '# mine' >>"$root/etc/ember/ember.cnf"
	in_root $3 "/tmp/next.$kind" >/dev/null
	grep -q '^# mine' "$root/etc/ember/ember.cnf" || fail "the configuration was overwritten"
	start_unit
	[ "$(ask 'SELECT SUM(id) FROM shop.t')" = 6 ] || fail "rows are lost by the upgrade"
	stop -TERM

	step "$kind: a downgrade is refused"
	! in_root $3 "/tmp/this.$kind" >"$dir/downgrade.log" 2>&1 || fail "the downgrade was let through"
	grep -q "99.0.* is installed\|99.0.* is already installed" "$dir/downgrade.log" || { cat "$dir/downgrade.log"; fail "the refusal does not say why"; }

	step "$kind: remove"
	in_root $4 ember-server >/dev/null 2>&1
	[ ! -e "$root/usr/sbin/emberd" ] || fail "emberd is still there"
	[ -d "$root/var/lib/ember" ] || fail "the data are gone"
}

if [ ! -e "$dir/.ready" ]; then
	step "a Debian in $debian"
	rm -rf "$debian"
	debootstrap --variant=minbase --include=adduser,rpm stable "$debian" "$mirror" >"$dir/debootstrap.log" 2>&1 || { tail -5 "$dir/debootstrap.log"; fail debootstrap; }
	touch "$dir/.ready"
fi
mountpoint -q "$debian/proc" || mount -t proc proc "$debian/proc"
in_root dpkg --purge ember-server >/dev/null 2>&1 || true
in_root rpm -e --nodeps ember-server >/dev/null 2>&1 || true

try_package deb "dpkg -i" "dpkg -i" "dpkg --remove"
step "deb: purge"
in_root dpkg --purge ember-server | grep -q "were kept" || fail "purge does not say that the data were kept"
[ ! -e "$root/etc/ember/ember.cnf" ] || fail "the configuration is still there after a purge"

try_package rpm "rpm --noplugins --nodeps -i" "rpm --noplugins --nodeps -U" "rpm --noplugins -e"
rm -rf "$root/etc/ember" "$root/var/lib/ember"

step "image: first start, a table, kill -9"
image=$(ls "$dist"/ember-*.image.tar)
root=$dir/image
rm -rf "$root" "$dir/layers"
mkdir -p "$root" "$dir/layers"
tar -xf "$image" -C "$dir/layers"
field() { python3 -c 'import json, sys; print(eval("json.load(open(sys.argv[1]))" + sys.argv[2]))' "$@"; }
for layer in $(field "$dir/layers/manifest.json" '[0]["Layers"]' | tr -d "[],'"); do
	tar -xzpf "$dir/layers/$layer" -C "$root"
done
config=$dir/layers/$(field "$dir/layers/manifest.json" '[0]["Config"]')
entry=$(field "$config" '["config"]["Entrypoint"]' | tr -d "[],'")
user=$(field "$config" '["config"]["User"]')
start "$user" $entry
ask "CREATE DATABASE shop; CREATE TABLE shop.t (id INT PRIMARY KEY); INSERT INTO shop.t VALUES (1), (2), (3)"
stop -KILL
start "$user" $entry
[ "$(ask 'SELECT SUM(id) FROM shop.t')" = 6 ] || fail "rows are lost by kill -9"
stop -TERM
step "all right"
