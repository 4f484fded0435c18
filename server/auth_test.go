package server

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/wire"
)

func TestPasswords(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER nat IDENTIFIED WITH mysql_native_password BY 'n pass'")
	exec(t, root, "CREATE USER sha IDENTIFIED BY 's pass'")
	require.Equal(t, [][]string{{"nat", "mysql_native_password"}, {"sha", "caching_sha2_password"}},
		rows(t, root, "SELECT User, plugin FROM mysql.user WHERE User IN ('nat','sha') ORDER BY User"))
	for _, c := range []struct{ name, user, password, params string }{
		{"native", "nat", "n pass", ""},
		{"native over TLS", "nat", "n pass", "tls=skip-verify"},
		{"sha2 over plain TCP, key asked for", "sha", "s pass", ""},
		{"sha2 over plain TCP, from the cache", "sha", "s pass", ""},
		{"sha2 over TLS, from the cache", "sha", "s pass", "tls=skip-verify"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := ts.login(c.user, c.password, c.params)
			require.Equal(t, [][]string{{"1"}}, rows(t, db, "SELECT 1"))
			_, err := ts.login(c.user, "wrong", c.params).Exec("SELECT 1")
			requireCode(t, err, 1045, "28000")
			require.ErrorContains(t, err, "Access denied for user '"+c.user+"'@'localhost' (using password: YES)")
			_, err = ts.login(c.user, "", c.params).Exec("SELECT 1")
			requireCode(t, err, 1045, "28000")
			require.ErrorContains(t, err, "(using password: NO)")
		})
	}
	_, err := ts.login("nobody", "x", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
	_, err = ts.login("root", "x", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
}

func TestSha2CacheFollowsPassword(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER u IDENTIFIED BY 'one'")
	for range 2 {
		require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "one", "tls=skip-verify"), "SELECT 1"))
	}
	exec(t, root, "ALTER USER u IDENTIFIED BY 'two'")
	_, err := ts.login("u", "one", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "two", ""), "SELECT 1"))
	exec(t, root, "FLUSH PRIVILEGES")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "two", ""), "SELECT 1"))
}

func TestSha2WithGivenKey(t *testing.T) {
	ts := start(t)
	exec(t, ts.root(), "CREATE USER u IDENTIFIED BY 'p'")
	text, err := os.ReadFile(filepath.Join(ts.dir, "public_key.pem"))
	require.NoError(t, err)
	block, _ := pem.Decode(text)
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	require.NoError(t, err)
	mysql.RegisterServerPubKey("ember", key.(*rsa.PublicKey))
	defer mysql.DeregisterServerPubKey("ember")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "p", "serverPubKey=ember"), "SELECT 1"))
}

func TestGeneratedCertificates(t *testing.T) {
	ts := start(t)
	for _, name := range []string{"ca-key.pem", "server-key.pem", "client-key.pem", "private_key.pem"} {
		fi, err := os.Stat(filepath.Join(ts.dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), fi.Mode().Perm(), name)
	}
	pool := x509.NewCertPool()
	ca, err := os.ReadFile(filepath.Join(ts.dir, "ca.pem"))
	require.NoError(t, err)
	require.True(t, pool.AppendCertsFromPEM(ca))
	pair, err := tls.LoadX509KeyPair(filepath.Join(ts.dir, "client-cert.pem"), filepath.Join(ts.dir, "client-key.pem"))
	require.NoError(t, err)
	require.NoError(t, mysql.RegisterTLSConfig("ember", &tls.Config{RootCAs: pool, ServerName: "localhost", Certificates: []tls.Certificate{pair}}))
	defer mysql.DeregisterTLSConfig("ember")
	root := ts.root()
	exec(t, root, "CREATE USER x REQUIRE X509")
	exec(t, root, "CREATE USER s REQUIRE SSL")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("x", "", "tls=ember"), "SELECT 1"))
	_, err = ts.login("x", "", "tls=skip-verify").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
	_, err = ts.login("s", "", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
	require.Contains(t, rows(t, ts.login("s", "", "tls=skip-verify"), "SHOW SESSION STATUS LIKE 'Ssl_version'")[0][1], "TLSv1.3")
}

func TestRequireSecureTransport(t *testing.T) {
	ts := start(t, "--require-secure-transport")
	_, err := ts.root().Exec("SELECT 1")
	requireCode(t, err, 3159, "HY000")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("root", "", "tls=skip-verify"), "SELECT 1"))
	ts.dial() // the unix socket is secure
}

func TestAccountsSurviveRestart(t *testing.T) {
	dir, backend := t.TempDir(), &memBackend{}
	ts := startIn(t, dir, backend)
	exec(t, ts.root(), "CREATE USER u IDENTIFIED BY 'p' ACCOUNT LOCK")
	exec(t, ts.root(), "GRANT SELECT ON test.* TO u")
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ts.Shutdown(ctx)
	ts2 := startIn(t, dir, backend)
	_, err := ts2.open("u", "p", "").Exec("SELECT 1")
	requireCode(t, err, 3118, "HY000")
	exec(t, ts2.root(), "ALTER USER u ACCOUNT UNLOCK")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts2.open("u", "p", ""), "SELECT 1"))
}

func TestMostSpecificHostWins(t *testing.T) {
	for _, c := range []struct {
		pattern, host, ip string
		match             bool
	}{
		{"%", "10.1.2.3", "10.1.2.3", true},
		{"localhost", "localhost", "127.0.0.1", true},
		{"127.0.0.1", "localhost", "127.0.0.1", true},
		{"10.1.%", "10.1.2.3", "10.1.2.3", true},
		{"10.2.%", "10.1.2.3", "10.1.2.3", false},
		{"10.1.0.0/255.255.0.0", "10.1.2.3", "10.1.2.3", true},
		{"10.2.0.0/255.255.0.0", "10.1.2.3", "10.1.2.3", false},
		{"10.1.2.0/24", "10.1.2.3", "10.1.2.3", true},
		{"10.1.2._", "10.1.2.3", "10.1.2.3", true},
		{"10x1.2.3", "10.1.2.3", "10.1.2.3", false},
	} {
		require.Equal(t, c.match, grants.HostMatches(c.pattern, c.host, parseIP(c.ip)), c.pattern)
	}
	require.Greater(t, grants.Specificity("localhost"), grants.Specificity("10.1.2.0/24"))
	require.Greater(t, grants.Specificity("10.1.2.0/24"), grants.Specificity("10.1.%"))
	require.Greater(t, grants.Specificity("10.1.%"), grants.Specificity("%"))
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER u@'%' IDENTIFIED BY 'any'")
	exec(t, root, "CREATE USER u@localhost IDENTIFIED BY 'local'")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "local", ""), "SELECT 1"))
	_, err := ts.login("u", "any", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
}

func TestExpiredPassword(t *testing.T) {
	ts := start(t)
	exec(t, ts.root(), "CREATE USER u IDENTIFIED BY 'p' PASSWORD EXPIRE")
	_, err := ts.login("u", "p", "").Exec("SELECT 1")
	requireCode(t, err, 1862, "HY000")
	exec(t, ts.root(), "ALTER USER u IDENTIFIED BY 'q'")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "q", ""), "SELECT 1"))
}

func TestAccountStatements(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER IF NOT EXISTS u IDENTIFIED BY 'a'")
	_, err := root.Exec("CREATE USER u")
	requireCode(t, err, 1396, "HY000")
	exec(t, root, "CREATE USER IF NOT EXISTS u")
	exec(t, root, "SET PASSWORD FOR u = 'it''s'")
	u := ts.login("u", "it's", "")
	require.Equal(t, [][]string{{"1"}}, rows(t, u, "SELECT 1"))
	exec(t, u, "SET PASSWORD = 'mine'")
	exec(t, u, "ALTER USER USER() IDENTIFIED BY 'mine2'")
	_, err = u.Exec("ALTER USER u ACCOUNT LOCK")
	requireCode(t, err, 1227, "42000")
	_, err = u.Exec("CREATE USER v")
	requireCode(t, err, 1227, "42000")
	_, err = root.Exec("ALTER USER nobody IDENTIFIED BY 'x'")
	requireCode(t, err, 1396, "HY000")
	_, err = root.Exec("CREATE USER w IDENTIFIED WITH dialog BY 'x'")
	requireCode(t, err, 1524, "HY000")
	_, err = root.Exec("CREATE USER w IDENTIFIED WITH mysql_native_password AS 'nonsense'")
	requireCode(t, err, 1827, "HY000")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("u", "mine2", ""), "SELECT 1"))
	text := rows(t, root, "SHOW CREATE USER u")[0][0]
	require.Contains(t, text, "CREATE USER `u`@`%` IDENTIFIED WITH 'caching_sha2_password' AS '$A$")
	exec(t, root, "DROP USER u")
	_, err = root.Exec("SHOW CREATE USER u")
	requireCode(t, err, 1396, "HY000")
}

func TestRootWithoutPasswordStaysAtHome(t *testing.T) {
	_, err := newTestServer(t, t.TempDir(), &memBackend{}, "--bind-address=0.0.0.0")
	require.ErrorContains(t, err, "root has no password")
	dir, backend := t.TempDir(), &memBackend{}
	ts := startIn(t, dir, backend)
	exec(t, ts.root(), "ALTER USER root@localhost IDENTIFIED BY 'secret'")
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	ts.Shutdown(ctx)
	ts2, err := newTestServer(t, dir, backend, "--bind-address=0.0.0.0")
	require.NoError(t, err)
	ts2.Shutdown(ctx)
}

func TestChangeUser(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER u IDENTIFIED WITH mysql_native_password BY ''")
	exec(t, root, "GRANT ALL ON test.* TO u")
	c := ts.dial()
	c.send(0, append([]byte{commands.ComQuery}, "SET @a = 1"...))
	_, p := c.recv()
	require.Equal(t, byte(wire.OK), p[0])
	c.send(0, append([]byte{commands.ComChangeUser}, "u\x00\x00test\x00\xff\x00"+grants.PluginSha2+"\x00"...))
	seq, p := c.recv()
	require.Equal(t, byte(wire.EOF), p[0], "switch of plugins")
	require.Contains(t, string(p), grants.PluginNative)
	c.send(seq+1, nil)
	_, p = c.recv()
	require.Equal(t, byte(wire.OK), p[0], "%q", p)
	require.Equal(t, []string{"u@localhost", "test", "NULL"}, c.query("SELECT CONCAT(SUBSTRING_INDEX(USER(),'@',1),'@localhost'), DATABASE(), @a"))
	c.send(0, append([]byte{commands.ComChangeUser}, "nobody\x00\x00\x00\xff\x00"+grants.PluginSha2+"\x00"...))
	seq, _ = c.recv()
	c.send(seq+1, []byte{0})
	require.Equal(t, 1045, c.recvError())
	c.requireClosed()
	c = ts.dial()
	c.send(0, append([]byte{commands.ComChangeUser}, "u\x00\x00"+strings.Repeat("d", commands.MostNameLength+1)+"\x00\xff\x00"+grants.PluginNative+"\x00"...))
	seq, p = c.recv()
	require.Equal(t, byte(wire.EOF), p[0], "switch of plugins")
	c.send(seq+1, nil)
	require.Equal(t, 1059, c.recvError())
	c.requireClosed()
}

// The socket offers TLS, and the authority that signed the certificate is sent along with it:
// MariaDB's client from 11.4 on asks for both.
func TestTLSOnSocket(t *testing.T) {
	ts := start(t)
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", ts.socket
	cfg.TLS = &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(c tls.ConnectionState) error {
		if len(c.PeerCertificates) != 2 {
			return fmt.Errorf("%d certificates", len(c.PeerCertificates))
		}
		return c.PeerCertificates[0].CheckSignatureFrom(c.PeerCertificates[1])
	}}
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	defer db.Close()
	require.Equal(t, [][]string{{"Ssl_version", "TLSv1.3"}}, rows(t, db, "SHOW STATUS LIKE 'Ssl_version'"))
}

// What a client sends in the connection phase and MySQL refuses is refused: scrambles of another
// length without a question for the password, a password without its end, the key for whom the
// transport is safe, attributes that are longer than the packet.
func TestMalformedLogins(t *testing.T) {
	ts := start(t)
	exec(t, ts.root(), "CREATE USER u IDENTIFIED BY 'p'")
	login := func(scramble []byte, more uint32, tail string) *rawClient {
		r := ts.dialBare()
		_, greeting := r.recv()
		require.Equal(t, byte(10), greeting[0])
		caps := uint32(wire.CapProtocol41|wire.CapSecureConn|wire.CapPluginAuth) | more
		p := []byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}
		p = append(append(p, make([]byte, 23)...), "u\x00"...)
		p = append(append(p, byte(len(scramble))), scramble...)
		r.send(1, append(p, grants.PluginSha2+"\x00"+tail...))
		return r
	}
	for _, n := range []int{1, 20, 31, 33, 200} {
		require.Equal(t, 1045, login(make([]byte, n), 0, "").recvError(), "a scramble of %d bytes", n)
	}
	for _, c := range []struct {
		sent string
		in   bool
	}{{"p\x00", true}, {"p", false}, {"", false}, {"\x02", false}, {"p\x00\x00", false}} {
		exec(t, ts.root(), "FLUSH PRIVILEGES")
		r := login(make([]byte, 32), 0, "")
		seq, asked := r.recv()
		require.Equal(t, []byte{wire.More, grants.Sha2Full}, asked)
		r.send(seq+1, []byte(c.sent))
		_, answer := r.recv()
		require.Equal(t, c.in, answer[0] == wire.OK, "%q: %q", c.sent, answer)
		require.Equal(t, !c.in, answer[0] == wire.Err, "%q: %q", c.sent, answer)
	}
	for _, attributes := range []string{"", "\x05\x01", "\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"} {
		require.Equal(t, 1043, login(make([]byte, 32), wire.CapConnectAttrs, attributes).recvError(), "%q", attributes)
	}
}

// Clients of the protocol before 4.1 are told so in their own form, without SQLSTATE. A login that
// is too long is read to its end, so that its client learns why it is refused. Names end where they
// are no UTF-8.
func TestOddLogins(t *testing.T) {
	ts := start(t)
	answer := func(login []byte) string {
		r := ts.dialBare()
		r.recv()
		r.send(1, login)
		_, p := r.recv()
		r.requireClosed()
		return string(p)
	}
	require.Equal(t, "\xff\xe3\x04Client does not support", answer([]byte("\x05\x00\x00\x00\x01root\x00abcdefgh\x00"))[:26])
	require.Equal(t, "\xff\x13\x04Bad handshake", answer([]byte("\x05\x00\x00\x00\x01root")))
	require.Equal(t, "\xff\x13\x04#08S01Bad handshake", answer(make([]byte, 2<<20)))
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth)
	p := append([]byte{byte(caps), byte(caps >> 8), byte(caps >> 16), byte(caps >> 24), 0, 0, 0, 1, 255}, make([]byte, 23)...)
	p = append(p, "ab\xff\xfec\x00\x00"+grants.PluginSha2+"\x00"...)
	require.Equal(t, "\xff\x15\x04#28000Access denied for user 'ab'@'localhost' (using password: NO)", answer(p))
}
