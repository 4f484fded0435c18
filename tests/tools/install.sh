#!/usr/bin/env bash
# Installs the tools that the tests of this folder run, into the folder given. Needs root and Debian.
#   install.sh FOLDER            canal of go-mysql, mydumper from the distribution, percona-toolkit 3.7 from Debian's sid: earlier ones do not know MySQL 8.4
#   install.sh FOLDER SOURCES    and gh-ost, Orchestrator, Maxwell and ProxySQL, built of those that SOURCES has: gh-ost, orchestrator, maxwell, proxysql
set -euo pipefail

dir=${1:?usage: install.sh FOLDER [SOURCES]}
sources=${2:-}
mkdir -p "$dir/bin"
dir=$(cd "$dir" && pwd)

packages=()
command -v mydumper >/dev/null || packages+=(mydumper)
perl -MDBD::mysql -e 1 2>/dev/null || packages+=(libdbd-mysql-perl)
if [ ${#packages[@]} -gt 0 ]; then
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

# The scripts run with the distribution's Perl, so the package is only unpacked.
if [ ! -e "$dir/usr/bin/pt-table-checksum" ]; then
	sid="$dir/sid"
	mkdir -p "$sid/lists/partial" "$sid/archives/partial"
	mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | awk '/^URIs:/{print $2; exit} /^deb /{print $2; exit}' || true)
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" >"$sid/sources.list"
	cat >"$sid/apt.conf" <<-CONF
		Dir::Etc::SourceList "$sid/sources.list";
		Dir::Etc::SourceParts "-";
		Dir::State::Lists "$sid/lists";
		Dir::Cache "$sid";
		Acquire::Languages "none";
		APT::Sandbox::User "root";
	CONF
	export APT_CONFIG="$sid/apt.conf"
	apt-get update -qq
	(cd "$sid" && apt-get download -qq percona-toolkit && dpkg -x percona-toolkit_*.deb "$dir")
	unset APT_CONFIG
	rm -rf "$sid"
fi

if [ ! -e "$dir/bin/canal" ]; then
	(cd "$(dirname "$0")/canal" && CGO_ENABLED=0 go build -o "$dir/bin/canal" .)
fi

if [ -e "$sources/gh-ost" ] && [ ! -e "$dir/bin/gh-ost" ]; then
	version=$(git -C "$sources/gh-ost" describe --tags 2>/dev/null || echo unknown)
	(cd "$sources/gh-ost" && CGO_ENABLED=0 go build -ldflags "-X main.AppVersion=$version" -o "$dir/bin/gh-ost" ./go/cmd/gh-ost)
fi

# Without cgo it has no SQLite, and keeps what it knows in a server. Its folder vendor is not needed.
if [ -e "$sources/orchestrator" ] && [ ! -e "$dir/bin/orchestrator" ]; then
	version=$(cat "$sources/orchestrator/RELEASE_VERSION")
	(cd "$sources/orchestrator" && CGO_ENABLED=0 GOFLAGS="-buildvcs=false -mod=mod" go build -ldflags "-X main.AppVersion=$version" -o "$dir/bin/orchestrator" ./go/cmd/orchestrator)
fi

# Maxwell is built with Maven. 1.44.1 is the last release whose parts Maven Central has. It asks for one of many Kafka clients
# by its version, and finds its libraries beside itself.
if [ -e "$sources/maxwell" ] && [ ! -e "$dir/bin/maxwell" ]; then
	packages=()
	command -v mvn >/dev/null || packages+=(maven)
	command -v javac >/dev/null || packages+=(default-jdk-headless)
	if [ ${#packages[@]} -gt 0 ]; then
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
	fi
	mvn -B -q -f "$sources/maxwell/pom.xml" package -Dmaven.test.skip=true
	mkdir -p "$dir/maxwell"
	tar -xzf "$sources"/maxwell/target/maxwell-*.tar.gz --strip-components=1 -C "$dir/maxwell"
	cat >"$dir/bin/maxwell" <<-'RUN'
		#!/bin/sh
		here=$(dirname "$0")/../maxwell
		kafka=$(ls "$here/lib/kafka-clients" | sed 's/^kafka-clients-//; s/\.jar$//' | tail -1)
		exec "$here/bin/maxwell" --kafka_version="$kafka" "$@"
	RUN
	chmod +x "$dir/bin/maxwell"
fi

if [ -e "$sources/proxysql" ]; then
	"$(dirname "$0")/proxysql.sh" "$dir" "$(cd "$sources/proxysql" && pwd)"
fi
