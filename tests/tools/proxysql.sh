#!/usr/bin/env bash
# Builds ProxySQL 2.7 of its source, into FOLDER/bin. Needs root and Debian 12, and takes about half an hour of a core.
#   proxysql.sh FOLDER SOURCE
# Debian's OpenSSL, curl and civetweb stand in for the copies that ProxySQL brings and links statically: their archives are
# the largest files of its repository, and need not be there. Clients and servers must not use TLS with such a build.
set -euo pipefail

dir=${1:?usage: proxysql.sh FOLDER SOURCE}
source=${2:?usage: proxysql.sh FOLDER SOURCE}
[ -e "$dir/bin/proxysql" ] && exit
libraries=/usr/lib/$(gcc -print-multiarch)

apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends automake bison bzip2 civetweb cmake flex g++ git \
	libcivetweb-dev libcurl4-openssl-dev libgnutls28-dev libssl-dev libtool make patch uuid-dev zlib1g-dev >/dev/null

# Each copy is a folder to which a link leads. make finds the libraries there, so it does not build them.
cd "$source/deps"
for copy in libssl/openssl curl/curl; do
	rm -rf "$(realpath -m $copy)"
	mkdir -p "$(realpath -m $copy)"
done
mkdir -p libssl/openssl/include curl/curl/include curl/curl/lib/.libs
ln -sfn /usr/include/openssl libssl/openssl/include/openssl
ln -sfn ./ libssl/openssl/lib
ln -sf "$libraries/libssl.a" "$libraries/libcrypto.a" libssl/openssl/
ln -sfn "/usr/include/$(gcc -print-multiarch)/curl" curl/curl/include/curl
echo "INPUT($libraries/libcurl.so)" >curl/curl/lib/.libs/libcurl.a # newer than libssl.a, or else make builds it
sed -i -e '/civetweb-\*\.tar\.gz/d' -e 's/-DENABLE_PUSH=OFF$/& -DUSE_THIRDPARTY_LIBRARIES=OFF/' Makefile

version=$(git -C "$source" describe --tags 2>/dev/null || echo 2.7)
options=(OPTZ=-O1 "GIT_VERSION=$version")
make -j1 "${options[@]}"
make -j1 -C ../lib "${options[@]}"
make -j1 -C ../src "${options[@]}" EXTRALINK="-lcurl -lssl -lcrypto -lcivetweb-cpp -lcivetweb" \
	STATICMYLIBS="-Wl,-Bstatic -lconfig -lproxysql -ldaemon -lconfig++ -lre2 -lpcrecpp -lpcre -lmariadbclient -lhttpserver -lmicrohttpd -linjection -lev -ljemalloc -lcoredumper"
install -D -m 755 ../src/proxysql "$dir/bin/proxysql"
