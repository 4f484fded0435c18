package main

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"emberdb/bench"
)

// loginFile was written by mysql_config_editor 9.7: the group client has user ann, the password
// s3c"ret #\x, host db1 and port 3307; the group replica has user bob, pw2 and socket /run/b.sock.
const loginFile = "AAAAABUCAxQTGA8WGQkUCAEOBwYQAQ8VEAAAAL4jy807ItPUqCBM1MR3p+AQAAAAkuEgA+U3I6NpdpmeurnNoSAAAAB6Wi8yYlNpl2QvYVJj69XDXUb6Jl7aCl2+wdu3BbgtHxAAAADnjvV5l4Ph" +
	"IDbAVKPs29VVEAAAAHY8TnR0oWWxEJnADPSR+ooQAAAAPuBW3uyE5zeaURzT1nCeyxAAAAAC8utTF71N5c1kZ0yUUX+GIAAAAEaW2i3F21f6pETm6Kr1MQK7A6l9hmYrt/dpbf3kvB6PIAAAADYA63sOOUGInAX/d/TD" +
	"xYrtNfeL0TTKWgY6yCpjRfLO"

// loginHome makes a home directory with an option file and a login file.
func loginHome(t *testing.T) (dir string) {
	dir = t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("MYSQL_PWD", "")
	t.Setenv("MYSQL_TEST_LOGIN_FILE", filepath.Join(dir, ".mylogin.cnf"))
	data, err := base64.StdEncoding.DecodeString(loginFile)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mylogin.cnf"), data, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".my.cnf"), []byte("[client]\nuser=olga\npassword='a b'\nsocket=/run/m.sock\n[mysqld]\nuser=mysql\n[ember]\nssl-mode=required\n"), 0o600))
	return dir
}

// login parses flags as a verb that connects, and reads the files.
func login(t *testing.T, args ...string) (bench.Target, string, error) {
	var l logins
	var target bench.Target
	f := pflag.NewFlagSet("verb", pflag.ContinueOnError)
	target.AddFlags(f, "")
	l.addFlags(f)
	require.NoError(t, f.Parse(args))
	var warnings bytes.Buffer
	err := l.apply(f, &warnings)
	return target, warnings.String(), err
}

func TestLogin(t *testing.T) {
	dir := loginHome(t)
	only := "--defaults-file=" + filepath.Join(dir, ".my.cnf")
	for _, c := range []struct {
		args string
		want bench.Target
	}{
		{only + " --no-login-paths", bench.Target{User: "olga", Password: "a b", Host: "127.0.0.1", Port: 3306, Socket: "/run/m.sock", TLS: "skip-verify"}},
		{only + " --no-login-paths --port=3310", bench.Target{User: "olga", Password: "a b", Host: "127.0.0.1", Port: 3310, TLS: "skip-verify"}},
		{only, bench.Target{User: "ann", Password: `s3c"ret #\x`, Host: "db1", Port: 3307, TLS: "skip-verify"}},
		{only + " --host=db2 --user=u", bench.Target{User: "u", Password: `s3c"ret #\x`, Host: "db2", Port: 3307, TLS: "skip-verify"}},
		{"--no-defaults --tls=false", bench.Target{User: "ann", Password: `s3c"ret #\x`, Host: "db1", Port: 3307, TLS: "false"}},
		{"--no-defaults --login-path=replica", bench.Target{User: "bob", Password: "pw2", Host: "db1", Port: 3307, TLS: "preferred"}},
		{"--no-defaults --socket=/s", bench.Target{User: "ann", Password: `s3c"ret #\x`, Host: "127.0.0.1", Port: 3306, Socket: "/s", TLS: "preferred"}},
		{"--no-defaults --no-login-paths", bench.Target{User: "root", Host: "127.0.0.1", Port: 3306, TLS: "preferred"}},
		{"--dsn=x", bench.Target{DSN: "x", User: "root", Host: "127.0.0.1", Port: 3306, TLS: "preferred"}},
	} {
		got, _, err := login(t, strings.Fields(c.args)...)
		require.NoError(t, err, c.args)
		c.want.Timeout = got.Timeout
		require.Equal(t, c.want, got, c.args)
	}
	t.Setenv("MYSQL_PWD", "env")
	got, _, err := login(t, "--no-defaults", "--no-login-paths")
	require.NoError(t, err)
	require.Equal(t, "env", got.Password)
}

// TestLoginFilesOfOthers: a file that others may read or write is not read, one that is damaged is an
// error.
func TestLoginFilesOfOthers(t *testing.T) {
	dir := loginHome(t)
	path := filepath.Join(dir, ".mylogin.cnf")
	require.NoError(t, os.Chmod(path, 0o640))
	got, warning, err := login(t, "--no-defaults")
	require.NoError(t, err)
	require.Equal(t, "root", got.User)
	require.Contains(t, warning, path+" is not read")
	require.NoError(t, os.Chmod(path, 0o600))

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	for n := range len(data) {
		_, err := decryptLogins(data[:n])
		_ = err // what counts is that it returns: a cut between two lines is not seen
		broken := bytes.Clone(data)
		broken[n] ^= 0x80
		_, _ = decryptLogins(broken)
	}
	_, err = decryptLogins(data[:len(data)-1])
	require.ErrorContains(t, err, "a line has the length")
	require.NoError(t, os.WriteFile(path, data[:30], 0o600))
	_, _, err = login(t, "--no-defaults")
	require.ErrorContains(t, err, path)

	t.Setenv("MYSQL_TEST_LOGIN_FILE", "")
	t.Setenv("HOME", "") // there is no home: the working directory is none
	t.Chdir(dir)
	got, _, err = login(t, "--user=u")
	require.NoError(t, err)
	require.NotEqual(t, "a b", got.Password)

	_, _, err = login(t, "--defaults-file=/nonexistent", "--no-login-paths")
	require.ErrorContains(t, err, "/nonexistent")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.cnf"), []byte("[client]\nport=many\n"), 0o600))
	_, _, err = login(t, "--no-login-paths", "--defaults-file="+filepath.Join(dir, "x.cnf"))
	require.ErrorContains(t, err, "port of the option files")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.cnf"), []byte("[client]\nssl-mode=perhaps\n"), 0o600))
	_, _, err = login(t, "--no-login-paths", "--defaults-file="+filepath.Join(dir, "x.cnf"))
	require.ErrorContains(t, err, `ssl_mode "perhaps"`)
}
