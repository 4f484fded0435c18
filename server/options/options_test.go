package options

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// loadText loads one option file plus arguments.
func loadText(t *testing.T, text string, args ...string) (*Result, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my.cnf")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return load(append([]string{"--defaults-file=" + path}, args...), "/nonexistent")
}

func TestFileSyntax(t *testing.T) {
	for _, c := range []struct {
		name, text string
		option     string
		want       any
	}{
		{"plain", "[mysqld]\nport=3307", "port", int64(3307)},
		{"spaces", "[mysqld]\n  port   =   3307  ", "port", int64(3307)},
		{"dashes", "[mysqld]\nmax-connections=7", "max_connections", int64(7)},
		{"size K", "[mysqld]\nmax_allowed_packet=32K", "max_allowed_packet", int64(32 << 10)},
		{"size m", "[mysqld]\nmax_allowed_packet=16m", "max_allowed_packet", int64(16 << 20)},
		{"size G", "[mysqld]\ninnodb_buffer_pool_size=3G", "innodb_buffer_pool_size", int64(3 << 30)},
		{"size T", "[mysqld]\ninnodb_redo_log_capacity=1T", "innodb_redo_log_capacity", int64(1 << 40)},
		{"rounded to step", "[mysqld]\nmax_allowed_packet=1025", "max_allowed_packet", int64(1024)},
		{"bool on", "[mysqld]\nread_only=on", "read_only", true},
		{"bool 1", "[mysqld]\nread_only=1", "read_only", true},
		{"bool false", "[mysqld]\nautocommit=FALSE", "autocommit", false},
		{"bool bare", "[mysqld]\nread-only", "read_only", true},
		{"bool bare with comment", "[mysqld]\nread-only # yes", "read_only", true},
		{"skip", "[mysqld]\nskip-autocommit", "autocommit", false},
		{"disable", "[mysqld]\ndisable_innodb_deadlock_detect", "innodb_deadlock_detect", false},
		{"enable", "[mysqld]\nenable-slow-query-log", "slow_query_log", true},
		{"name that begins with skip", "[mysqld]\nskip-networking", "skip_networking", true},
		{"skip_ssl", "[mysqld]\nskip-ssl", "ssl", false},
		{"loose", "[mysqld]\nloose-port=3307", "port", int64(3307)},
		{"double quotes", "[mysqld]\ninit_connect=\"SET NAMES utf8mb4 # no comment\"", "init_connect", "SET NAMES utf8mb4 # no comment"},
		{"single quotes and a comment", "[mysqld]\ninit_connect='SET @a = 1' # comment", "init_connect", "SET @a = 1"},
		{"comment after a value", "[mysqld]\nsocket=/tmp/a.sock # where", "socket", "/tmp/a.sock"},
		{"hash within a value", "[mysqld]\nsocket=/tmp/a#b", "socket", "/tmp/a#b"},
		{"escapes", `[mysqld]` + "\n" + `init_connect=a\sb\tc\\d`, "init_connect", "a b\tc\\d"},
		{"empty value", "[mysqld]\nsocket=", "socket", ""},
		{"enum", "[mysqld]\ntransaction_isolation=read-committed", "transaction_isolation", "READ-COMMITTED"},
		{"enum by number", "[mysqld]\ninnodb_doublewrite=0", "innodb_doublewrite", "OFF"},
		{"set", "[mysqld]\ntls_version=tlsv1.3", "tls_version", "TLSv1.3"},
		{"float", "[mysqld]\nlong_query_time=0.25", "long_query_time", 0.25},
		{"later wins", "[mysqld]\nport=1\nport=2", "port", int64(2)},
		{"other groups are not ours", "[client]\nport=1\n[mysqld]\nport=2\n[mysqldump]\nport=3", "port", int64(2)},
		{"group server", "[server]\nport=5", "port", int64(5)},
		{"group emberd", "[emberd]\nport=5", "port", int64(5)},
		{"group with version", "[mysqld-8.4]\nport=5", "port", int64(5)},
		{"comments and blank lines", "# a\n; b\n\n[mysqld]\n\t# c\nport=5\n", "port", int64(5)},
		{"alias", "[mysqld]\ninnodb_buffer_pool_restore_at_startup=30", "innodb_auto_lru_dump", int64(30)},
		{"redo capacity from file size", "[mysqld]\ninnodb_log_file_size=1G\ninnodb_log_files_in_group=3", "innodb_redo_log_capacity", int64(3 << 30)},
		{"redo capacity given wins", "[mysqld]\ninnodb_log_file_size=1G\ninnodb_redo_log_capacity=64M", "innodb_redo_log_capacity", int64(64 << 20)},
		{"io capacity max follows", "[mysqld]\ninnodb_io_capacity=30000", "innodb_io_capacity_max", int64(60000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := loadText(t, c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, r.Settings.Get(c.option).Value)
			require.Empty(t, r.Settings.Warnings)
		})
	}
}

func TestMistakesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "[mysqld]\n\ninnodb_bufer_pool_size=1G", `my.cnf:3: unknown option "innodb_bufer_pool_size"; did you mean "innodb_buffer_pool_size"?`},
		{"unknown without a neighbour", "[mysqld]\nxyzzyplugh_frobnicate_all=1", `my.cnf:2: unknown option "xyzzyplugh_frobnicate_all"`},
		{"not a number", "[mysqld]\nport=many", `my.cnf:2: option "port": "many" is not an integer`},
		{"too small", "[mysqld]\nmax_connections=0", `option "max_connections": 0 is outside 1..100000`},
		{"overflow", "[mysqld]\nmax_connections=99999999999999999999", `is not an integer`},
		{"suffix overflow", "[mysqld]\ninnodb_buffer_pool_size=9999999999G", `is too large`},
		{"bad boolean", "[mysqld]\nread_only=maybe", `option "read_only": "maybe" is not a boolean (ON or OFF)`},
		{"bad enum", "[mysqld]\ntransaction_isolation=CHAOS", `is not one of READ-UNCOMMITTED, READ-COMMITTED`},
		{"unknown storage engine", "[mysqld]\ndefault_storage_engine=nope", `option "default_storage_engine": "nope" is not one of InnoDB`},
		{"value missing", "[mysqld]\nport", `option "port" needs a value`},
		{"before any group", "port=1", `my.cnf:1: option before the first [group]`},
		{"open group", "[mysqld\nport=1", `my.cnf:1: group header without ]`},
		{"open quote", "[mysqld]\ninit_connect='a", `missing closing quote`},
		{"text after quote", "[mysqld]\ninit_connect='a' b", `text after the closing quote`},
		{"bad directive", "[mysqld]\n!frobnicate x", `is neither !include FILE nor !includedir DIR`},
		{"missing include", "[mysqld]\n!include nothere.cnf", `cannot read option file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := loadText(t, c.text)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, err := load([]string{"--defaults-file=/nonexistent/my.cnf"}, "/nonexistent")
	require.ErrorContains(t, err, "/nonexistent/my.cnf")
	_, err = load([]string{"--prot=1"}, "/nonexistent")
	require.EqualError(t, err, `command line: unknown option "prot"; did you mean "port"?`)
	_, err = load([]string{"stray"}, "/nonexistent")
	require.ErrorContains(t, err, `unexpected argument "stray"`)
}

func TestWarnings(t *testing.T) {
	r, err := loadText(t, "[mysqld]\nloose_nonsense=1\ninnodb_status_file=6\nlog_bin\nskip-log-bin\nkey_buffer_size=32M\nskip_symbolic_links")
	require.NoError(t, err)
	text := strings.Join(r.Settings.Warnings, "\n")
	for _, want := range []string{
		`my.cnf:2: unknown option "nonsense" is ignored`,
		`my.cnf:3: option "innodb_status_file" of MySQL has no meaning in this server and is ignored`,
		`my.cnf:6: option "key_buffer_size" has no effect in this server`,
		`my.cnf:7: option "skip_symbolic_links" of MySQL has no meaning`,
	} {
		require.Contains(t, text, want)
	}
	require.Len(t, r.Settings.Warnings, 4)
	require.Equal(t, "", r.Settings.String("log_bin"))
}

func TestPrecedence(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	def := write("ember.cnf", "[mysqld]\nport=1\nmax_connections=1\nwait_timeout=1\nconnect_timeout=2\ndatadir="+dir)
	extra := write("extra.cnf", "[mysqld]\nmax_connections=2\nwait_timeout=2\nconnect_timeout=3")
	write(PersistedFile, "# comment\n[mysqld]\nwait_timeout = 3\nconnect_timeout=4\ninit_connect = \"SET @a = \\\"x\\\"\"\n")
	r, err := load([]string{"--defaults-extra-file=" + extra, "--connect-timeout=5"}, def)
	require.NoError(t, err)
	s := r.Settings
	require.Equal(t, []int64{1, 2, 3, 5}, []int64{s.Int("port"), s.Int("max_connections"), s.Int("wait_timeout"), s.Int("connect_timeout")})
	require.Equal(t, `SET @a = "x"`, s.String("init_connect"))
	require.Equal(t, "command line", s.Get("connect_timeout").Source)
	require.Equal(t, def+":2", s.Get("port").Source)

	r, err = load([]string{"--no-defaults", "--datadir=" + dir}, def)
	require.NoError(t, err)
	require.Equal(t, []string{"datadir"}, r.Settings.Given())
	r, err = load([]string{"--defaults-file=" + extra}, def)
	require.NoError(t, err)
	require.Equal(t, int64(3306), r.Settings.Int("port"))
	r, err = load([]string{"--print-defaults"}, def)
	require.NoError(t, err)
	require.True(t, r.Command.PrintDefaults)
	require.Equal(t, "--port=1", r.Defaults[0])
}

func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "conf.d")
	require.NoError(t, os.Mkdir(sub, 0o755))
	for name, text := range map[string]string{
		"a.cnf": "[mysqld]\nport=1\nmax_connections=10", "b.cnf": "[mysqld]\nport=2", "c.txt": "[mysqld]\nport=3",
		"../one.cnf": "[mysqld]\nwait_timeout=77", "../loop.cnf": "!include loop.cnf",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(sub, name), []byte(text), 0o644))
	}
	r, err := loadText(t, "!includedir "+sub+"\n!include "+filepath.Join(dir, "one.cnf")+"\n[mysqld]\nconnect_timeout=9")
	require.NoError(t, err)
	s := r.Settings
	require.Equal(t, []int64{2, 10, 77, 9}, []int64{s.Int("port"), s.Int("max_connections"), s.Int("wait_timeout"), s.Int("connect_timeout")})
	_, err = loadText(t, "!include "+filepath.Join(dir, "loop.cnf"))
	require.ErrorContains(t, err, "nested deeper")
}

func TestCommandLine(t *testing.T) {
	r, err := load([]string{"--datadir", "/x", "--port=0", "--socket=/s", "--bind-address", "::1", "--read-only", "--skip-autocommit", "-P", "12"}, "/nonexistent")
	require.NoError(t, err)
	s := r.Settings
	require.Equal(t, "/x", s.String("datadir"))
	require.Equal(t, int64(12), s.Int("port"))
	require.Equal(t, "::1", s.String("bind_address"))
	require.True(t, s.Bool("read_only"))
	require.False(t, s.Bool("autocommit"))
	for _, arg := range []string{"--help", "-?", "--version", "-V"} {
		r, err := load([]string{arg}, "/nonexistent")
		require.NoError(t, err)
		require.True(t, r.Command.Help || r.Command.Version, arg)
	}
}

func TestUsageListsEverything(t *testing.T) {
	r, err := load(nil, "/nonexistent")
	require.NoError(t, err)
	var b bytes.Buffer
	Usage(&b, r.Settings, true)
	for _, d := range All() {
		require.Contains(t, b.String(), "--"+strings.ReplaceAll(d.Name, "_", "-")+"\n")
	}
}

func TestTable(t *testing.T) {
	for _, d := range All() {
		require.NotEmpty(t, d.Help, d.Name)
		require.Equal(t, normalize(d.Name), d.Name)
		text := d.Format(d.Default)
		if d.Kind == String || text == "" {
			continue
		}
		v, err := d.Parse(text)
		require.NoError(t, err, "the default of %s", d.Name)
		require.Equal(t, d.Default, v, "the default of %s survives printing", d.Name)
		if d.Session {
			require.True(t, d.Dynamic, "%s: a session variable can be set", d.Name)
		}
	}
}

func TestEditDistance(t *testing.T) {
	require.Equal(t, 0, editDistance("port", "port", 3))
	require.Equal(t, 1, editDistance("prt", "port", 3))
	require.Equal(t, 3, editDistance("kitten", "sitting", 3))
	require.Greater(t, editDistance("a", "abcdefgh", 3), 3)
}

var rewrite = flag.Bool("rewrite", false, "write docs/options.md anew")

func TestManualIsUpToDate(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "options.md")
	var b bytes.Buffer
	Manual(&b)
	if *rewrite {
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(have), "run go test ./server/options -rewrite")
}
