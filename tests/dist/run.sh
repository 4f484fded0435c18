#!/bin/sh
# Installs the .deb in a Debian of its own, starts the server as the unit would, kills it, upgrades it
# with data kept, refuses a downgrade, removes and purges it. Root; needs debootstrap and dpkg-deb.
#   run.sh DIST DIR     DIST holds the packages; DIR is where the Debian is made
set -eu
dist=$(readlink -f "$1")
mkdir -p "$2"
dir=$(readlink -f "$2")
root=$dir/root
deb=$(ls "$dist"/ember-server_*.deb)
mirror=${DEBIAN_MIRROR:-$(sed -n 's/^URIs: *//p; s/^deb [^h]*\(http[^ ]*\) .*/\1/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)}

step() { echo "== $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }
in_root() { chroot "$root" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
ask() { in_root mysql --no-defaults -uroot -N -e "$1"; }

pid=
stop() { [ -z "$pid" ] || { kill "$1" "$pid" && wait "$pid" || true; pid=; }; }
trap 'stop -KILL; umount "$root/proc" 2>/dev/null || true' EXIT

# start runs the server as the unit does, and waits until it answers.
start() {
	install -d -o "$(in_root id -u mysql)" -g "$(in_root id -g mysql)" "$root/run/mysqld"
	chroot --userspec=mysql:mysql "$root" /usr/sbin/emberd --defaults-file=/etc/ember/ember.cnf --datadir=/var/lib/ember \
		--socket=/run/mysqld/mysqld.sock --port=0 --skip-networking >"$dir/log" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		ask "SELECT 1" >/dev/null 2>&1 && return
		kill -0 "$pid" 2>/dev/null || { cat "$dir/log"; fail "the server ended"; }
		sleep 0.1
	done
	fail "the server does not answer"
}

# version VERSION makes a package of that version of the one there is, and prints its path.
version() {
	rm -rf "$dir/other" && mkdir "$dir/other"
	dpkg-deb -R "$deb" "$dir/other"
	old=$(sed -n 's/^Version: //p' "$dir/other/DEBIAN/control")
	sed -i "s/^Version: .*/Version: $1/" "$dir/other/DEBIAN/control"
	sed -i "s/$old/$1/g" "$dir/other/DEBIAN/preinst"
	dpkg-deb -b "$dir/other" "$root/tmp/ember-server_$1.deb" >/dev/null
	echo "/tmp/ember-server_$1.deb"
}

if [ ! -e "$dir/.ready" ]; then
	step "a Debian in $root"
	rm -rf "$root"
	debootstrap --variant=minbase --include=default-mysql-client,adduser stable "$root" "$mirror" >"$dir/debootstrap.log" 2>&1 || { tail -5 "$dir/debootstrap.log"; fail debootstrap; }
	touch "$dir/.ready"
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
in_root dpkg --purge ember-server >/dev/null 2>&1 || true
rm -rf "$root/var/lib/ember"

step install
cp "$deb" "$root/tmp/this.deb"
in_root dpkg -i /tmp/this.deb >/dev/null
for f in /usr/sbin/emberd /usr/bin/ember /etc/ember/ember.cnf /usr/lib/systemd/system/emberd.service /usr/share/man/man1/ember.1.gz; do
	[ -e "$root$f" ] || fail "$f is missing"
done
[ "$(stat -c %U:%a "$root/var/lib/ember" | sed 's/^[^:]*://')" = 750 ] || fail "the data directory is open to everybody"
in_root emberd --version

step "first start, a table, kill -9"
start
ask "CREATE DATABASE shop; CREATE TABLE shop.t (id INT PRIMARY KEY); INSERT INTO shop.t VALUES (1), (2), (3)"
stop -KILL
start
[ "$(ask 'SELECT COUNT(*) FROM shop.t')" = 3 ] || fail "rows are lost by kill -9"
stop -TERM

step upgrade
echo '# mine' >>"$root/etc/ember/ember.cnf"
in_root dpkg -i "$(version 99.0)" >/dev/null
grep -q '^# mine' "$root/etc/ember/ember.cnf" || fail "the configuration was overwritten"
start
[ "$(ask 'SELECT SUM(id) FROM shop.t')" = 6 ] || fail "rows are lost by the upgrade"
stop -TERM

step "a downgrade is refused"
! in_root dpkg -i /tmp/this.deb >"$dir/downgrade.log" 2>&1 || fail "the downgrade was let through"
grep -q "99.0 is installed" "$dir/downgrade.log" || { cat "$dir/downgrade.log"; fail "the refusal does not say why"; }

step "remove and purge"
in_root dpkg --remove ember-server >/dev/null
[ ! -e "$root/usr/sbin/emberd" ] || fail "emberd is still there"
[ -d "$root/var/lib/ember" ] || fail "the data are gone"
in_root dpkg --purge ember-server | grep -q "were kept" || fail "purge does not say that the data were kept"
[ ! -e "$root/etc/ember/ember.cnf" ] || fail "the configuration is still there after a purge"
step "all right"
