package server

import (
	"context"
	"crypto/tls"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/server/commands"
	"emberdb/server/grants"
	"emberdb/server/wire"
)

// TestChangeUserIsALogin: COM_CHANGE_USER counts wrong passwords and connections as a login does,
// and comes under the sandbox of the account that it turns to.
func TestChangeUserIsALogin(t *testing.T) {
	ts := start(t)
	root := ts.root()
	exec(t, root, "CREATE USER f IDENTIFIED BY 'x' FAILED_LOGIN_ATTEMPTS 2 PASSWORD_LOCK_TIME 1")
	exec(t, root, "CREATE USER e; CREATE USER m WITH MAX_CONNECTIONS_PER_HOUR 1")
	exec(t, root, "ALTER USER e PASSWORD EXPIRE")
	change := func(c *rawClient, user, answer string) {
		c.send(0, append([]byte{commands.ComChangeUser}, user+"\x00\x00\x00\xff\x00"+grants.PluginSha2+"\x00"...))
		seq, p := c.recv()
		require.Equal(t, byte(wire.EOF), p[0], "switch of plugins")
		c.send(seq+1, []byte(answer))
		if answer == "" {
			return
		}
		seq, p = c.recv()
		require.Equal(t, []byte{wire.More, grants.Sha2Full}, p)
		c.send(seq+1, []byte("wrong\x00"))
	}
	for _, want := range []int{1045, 3955, 3955} {
		c := ts.dial()
		change(c, "f", strings.Repeat("a", 32))
		require.Equal(t, want, c.recvError())
		c.requireClosed()
	}
	_, err := ts.login("f", "x", "").Exec("SELECT 1")
	requireCode(t, err, 3955, "HY000")
	exec(t, root, "ALTER USER f ACCOUNT UNLOCK")
	require.Equal(t, [][]string{{"1"}}, rows(t, ts.login("f", "x", ""), "SELECT 1"))

	c := ts.dial()
	change(c, "m", "")
	_, p := c.recv()
	require.Equal(t, byte(wire.OK), p[0], "%q", p)
	change(c, "m", "")
	require.Equal(t, 1226, c.recvError())

	c = ts.dial()
	change(c, "e", "")
	_, p = c.recv()
	require.Equal(t, byte(wire.OK), p[0], "%q", p)
	for _, command := range [][]byte{append([]byte{commands.ComQuery}, "SELECT 1"...), {commands.ComStatistics}, append([]byte{commands.ComInitDB}, "test"...), {commands.ComBinlogDump, 4, 0, 0, 0, 0, 0, 9, 0, 0, 0}} {
		c.send(0, command)
		require.Equal(t, 1820, c.recvError())
	}
	c.send(0, append([]byte{commands.ComQuery}, "ALTER USER USER() IDENTIFIED BY 'new'"...))
	_, p = c.recv()
	require.Equal(t, byte(wire.OK), p[0], "%q", p)
	require.Equal(t, []string{"1"}, c.query("SELECT 1"))
}

// TestNamesForgeNoLogLines: what a client calls itself stays on one line of the log.
func TestNamesForgeNoLogLines(t *testing.T) {
	ts := start(t)
	_, err := ts.login("x\n2026-01-01T00:00:00.000000Z [Note] root has logged in\r\x1b[2J", "", "").Exec("SELECT 1")
	requireCode(t, err, 1045, "28000")
	for line := range strings.Lines(ts.logs.String()) {
		require.NotContains(t, line[:min(len(line), 40)], "2026-01-01")
		require.NotContains(t, line, "\x1b")
		require.NotContains(t, line, "\r")
	}
	require.Contains(t, ts.logs.String(), `x\n2026-01-01`)
}

// TestPasswordsStayOutOfLogs: neither the general log nor the slow log, the process list nor the
// binary log hold a password.
func TestPasswordsStayOutOfLogs(t *testing.T) {
	dir := t.TempDir()
	ts, _, c := binlogServer(t, dir)
	general, slow := filepath.Join(dir, "g.log"), filepath.Join(dir, "s.log")
	exec(t, c, "SET GLOBAL general_log_file = '"+general+"'; SET GLOBAL general_log = 1")
	exec(t, c, "SET GLOBAL slow_query_log_file = '"+slow+"'; SET GLOBAL slow_query_log = 1; SET long_query_time = 0")
	for _, q := range []string{
		"CREATE USER u IDENTIFIED BY 'geheim1'", "ALTER USER u IDENTIFIED BY 'geheim2' RETAIN CURRENT PASSWORD", "SET PASSWORD FOR u = 'geheim3'",
		"/* " + strings.Repeat("x", 100) + " */ ALTER USER u IDENTIFIED/**/BY 'geheim4'", "PREPARE s FROM 'ALTER USER u IDENTIFIED BY ''geheim5'''", "EXECUTE s",
		"SET @q = 'ALTER USER u IDENTIFIED BY ''geheim6'''", "CREATE DATABASE d", "CREATE PROCEDURE d.p() ALTER USER u IDENTIFIED WITH caching_sha2_password AS ''", "CALL d.p()",
	} {
		exec(t, c, q)
	}
	require.Equal(t, "u", rows(t, c, "SELECT User FROM mysql.user WHERE User = 'u'")[0][0])
	exec(t, c, "FLUSH LOGS; SET GLOBAL general_log = 0; SET GLOBAL slow_query_log = 0")
	files, err := filepath.Glob(filepath.Join(dir, "binlog.0*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	files = append(files, general, slow)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		require.NotContains(t, string(text), "geheim", f)
	}
	require.NotContains(t, ts.logs.String(), "geheim")
}

// TestAccountsOfEarlierBuilds: what go-mysql-server wrote alone is read with its case, admin
// options, roles and expired passwords; who could do everything gets the dynamic privileges too.
func TestAccountsOfEarlierBuilds(t *testing.T) {
	backend := &memBackend{}
	db := mysql_db.CreateEmptyMySQLDb()
	db.SetPersister(oldPersister{backend})
	db.AddRootAccount()
	ed := db.Editor()
	attributes := "{\"ember_default_roles\": [\"`r`@`%`\"], \"ember_password_expired\": true, \"comment\": \"kept\"}"
	u := &mysql_db.User{User: "u", Host: "%", Plugin: grants.PluginSha2, PrivilegeSet: mysql_db.NewPrivilegeSet(), Attributes: &attributes, PasswordLastChanged: time.Now()}
	u.PrivilegeSet.AddTable("Db", "Tb", sql.PrivilegeType_Select)
	u.PrivilegeSet.AddRoutine("Db", "Pr", true, sql.PrivilegeType_Execute)
	ed.PutUser(u)
	ed.PutUser(&mysql_db.User{User: "r", Host: "%", Plugin: grants.PluginNative, Locked: true, PrivilegeSet: mysql_db.NewPrivilegeSet()})
	ed.PutRoleEdge(&mysql_db.RoleEdge{FromUser: "r", FromHost: "%", ToUser: "u", ToHost: "%", WithAdminOption: true})
	require.NoError(t, db.Persist(sql.NewEmptyContext(), ed))
	ed.Close()

	ts := startIn(t, t.TempDir(), backend)
	root := ts.root()
	require.Equal(t, [][]string{{"GRANT USAGE ON *.* TO `u`@`%`"}, {"GRANT SELECT ON `Db`.`Tb` TO `u`@`%`"}, {"GRANT EXECUTE ON PROCEDURE `Db`.`pr` TO `u`@`%`"},
		{"GRANT `r`@`%` TO `u`@`%` WITH ADMIN OPTION"}}, rows(t, root, "SHOW GRANTS FOR u"))
	text := rows(t, root, "SHOW CREATE USER u")[0][0]
	require.Contains(t, text, "DEFAULT ROLE `r`@`%`")
	require.Contains(t, text, "PASSWORD EXPIRE ACCOUNT")
	require.Contains(t, text, `ATTRIBUTE '{"comment": "kept"}'`)
	exec(t, root, "REVOKE SELECT ON db.tb FROM u") // found without case
	require.Len(t, rows(t, root, "SHOW GRANTS FOR u"), 3)
	require.Contains(t, rows(t, root, "SHOW GRANTS")[1][0], ",SYSTEM_USER,")
}

type oldPersister struct{ b *memBackend }

func (p oldPersister) Persist(_ *sql.Context, data []byte) error {
	return p.b.SaveAccounts(context.Background(), data)
}

// TestTLSCiphers: no suite with CBC is offered, and ssl_cipher and tls_ciphersuites are kept to.
func TestTLSCiphers(t *testing.T) {
	for _, c := range []struct {
		args   []string
		suites []uint16
		max    uint16
		ok     bool
	}{
		{nil, []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA}, tls.VersionTLS12, false},
		{nil, []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}, tls.VersionTLS12, true},
		{[]string{"--ssl-cipher=ECDHE-ECDSA-AES256-GCM-SHA384"}, []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}, tls.VersionTLS12, false},
		{[]string{"--ssl-cipher=ECDHE-ECDSA-AES256-GCM-SHA384"}, []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384}, tls.VersionTLS12, true},
		{[]string{"--tls-ciphersuites=TLS_AES_128_CCM_SHA256"}, nil, tls.VersionTLS13, false},
		{nil, nil, tls.VersionTLS13, true},
	} {
		ts := start(t, c.args...)
		err := ts.handshake(&tls.Config{InsecureSkipVerify: true, CipherSuites: c.suites, MaxVersion: c.max})
		require.Equal(t, c.ok, err == nil, "%v %v: %v", c.args, c.suites, err)
	}
	_, err := newTestServer(t, t.TempDir(), &memBackend{}, "--ssl-cipher=ECDHE-RSA-AES128-SHA")
	require.ErrorContains(t, err, "names no cipher")
}

// handshake asks for TLS and gets the login's answer over it.
func (ts *testServer) handshake(cfg *tls.Config) error {
	c := ts.dialTCP()
	c.recv()
	request := make([]byte, 32)
	caps := uint32(wire.CapProtocol41 | wire.CapSecureConn | wire.CapPluginAuth | wire.CapSSL)
	request[0], request[1], request[2], request[3], request[8] = byte(caps), byte(caps>>8), byte(caps>>16), byte(caps>>24), 255
	c.send(1, request)
	secure := tls.Client(c.Conn, cfg)
	if err := secure.Handshake(); err != nil {
		return err
	}
	if _, err := secure.Write(wire.Frame(2, append(request, "nobody\x00\x00"+grants.PluginSha2+"\x00"...))); err != nil {
		return err
	}
	_, err := secure.Read(make([]byte, 4))
	return err
}

// TestSystemUser: only who has SYSTEM_USER ends connections of accounts that have it.
func TestSystemUser(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	root := ts.bare()
	exec(t, root, "CREATE USER k, s")
	exec(t, root, "GRANT CONNECTION_ADMIN ON *.* TO k")
	exec(t, root, "GRANT CONNECTION_ADMIN, SYSTEM_USER ON *.* TO s")
	id := rows(t, root, "SELECT CONNECTION_ID()")[0][0]
	_, err := ts.login("k", "", "").Exec("KILL QUERY " + id)
	requireCode(t, err, 1095, "HY000")
	exec(t, ts.login("s", "", ""), "KILL QUERY "+id)
}

// dialTCP connects to the port without logging in.
func (ts *testServer) dialTCP() *rawClient {
	ts.t.Helper()
	c, err := net.Dial("tcp", ts.addr())
	require.NoError(ts.t, err)
	ts.t.Cleanup(func() { c.Close() })
	require.NoError(ts.t, c.SetDeadline(time.Now().Add(testkit.WaitLimit)))
	return &rawClient{ts.t, c}
}
