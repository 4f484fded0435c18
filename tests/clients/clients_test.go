package clients

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var (
	host   = flag.String("host", "", "server to run against; empty: a fresh emberd")
	port   = flag.Int("port", 3306, "its port")
	socket = flag.String("socket", "", "its socket")
)

// The account every client uses. With a password, so that authentication is exercised whole.
const (
	user     = "client"
	password = "s3cret"
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

// place is where the server listens.
type place struct {
	host   string
	port   int
	socket string
}

func openServer(t *testing.T) place {
	t.Helper()
	p := place{*host, *port, *socket}
	if p.host == "" {
		s := emberd.Start(t, "--local-infile=1")
		p = place{"127.0.0.1", s.Port, s.Socket}
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", p.socket
	db := open(t, cfg)
	for _, q := range []string{
		"DROP USER IF EXISTS " + user,
		fmt.Sprintf("CREATE USER %s IDENTIFIED BY '%s'", user, password),
		"GRANT ALL ON *.* TO " + user,
		"SET GLOBAL local_infile = 1",
	} {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
	return p
}

func open(t *testing.T, cfg *mysql.Config) *sql.DB {
	t.Helper()
	cfg.Logger = &mysql.NopLogger{}
	c, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(c)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestClients(t *testing.T) {
	p := openServer(t)
	here := filepath.Join(emberd.Root(), "tests", "clients")
	installed := filepath.Join(emberd.Root(), ".cache", "clients")
	for _, c := range []struct {
		name string
		argv []string
	}{
		{"mysql", []string{filepath.Join(here, "cli", "client.sh")}},
		{"PyMySQL", []string{filepath.Join(installed, "venv", "bin", "python"), filepath.Join(here, "pymysql", "client.py")}},
		{"mysql2", []string{"node", filepath.Join(here, "mysql2", "client.js")}},
		{"ConnectorJ", []string{"java", "-cp", filepath.Join(installed, "connectorj", "*"),
			filepath.Join(here, "connectorj", "Client.java")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(c.argv[0], c.argv[1:]...)
			cmd.Env = append(os.Environ(),
				"EMBER_HOST="+p.host, "EMBER_PORT="+strconv.Itoa(p.port), "EMBER_SOCKET="+p.socket,
				"EMBER_USER="+user, "EMBER_PASSWORD="+password,
				"NODE_PATH="+filepath.Join(installed, "mysql2", "node_modules"))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
	t.Run("GoSQLDriver", func(t *testing.T) { goClient(t, p) })
}
