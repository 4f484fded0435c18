// Package bench holds what the benchmark drivers share: how to reach a server, and how to tell a
// lost connection from an error the server answered with. The drivers themselves live in packages
// below it and speak the MySQL protocol only, so the same binary measures any MySQL-compatible
// server.
package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/pflag"
)

// Target says which server and database a driver talks to. DSN, when set, wins over the single
// fields.
type Target struct {
	DSN      string
	Host     string
	Port     int
	Socket   string
	User     string
	Password string
	Database string
	TLS      string
	Timeout  time.Duration // for connecting, and for each answer
}

// AddFlags defines the connection flags under the names the mysql client uses where it has them.
func (t *Target) AddFlags(f *pflag.FlagSet, defaultDatabase string) {
	f.StringVar(&t.DSN, "dsn", "", "data source name, user:password@tcp(host:port)/database; replaces the flags below")
	f.StringVar(&t.Host, "host", "127.0.0.1", "server host")
	f.IntVar(&t.Port, "port", 3306, "server port")
	f.StringVar(&t.Socket, "socket", "", "server socket; replaces host and port")
	f.StringVar(&t.User, "user", "root", "account name")
	f.StringVar(&t.Password, "password", "", "account password")
	f.StringVar(&t.Database, "database", defaultDatabase, "database name")
	f.StringVar(&t.TLS, "tls", "preferred", "TLS mode: false, preferred, skip-verify, true (sockets never use TLS)")
	f.DurationVar(&t.Timeout, "timeout", 120*time.Second, "longest wait for a connection or an answer")
}

// Config returns the driver configuration for t. With interpolate, parameters are put into the
// statement text on the client's side, so that every statement travels in the text protocol.
func (t *Target) Config(interpolate bool) (*mysql.Config, error) {
	cfg := mysql.NewConfig()
	if t.DSN != "" {
		var err error
		if cfg, err = mysql.ParseDSN(t.DSN); err != nil {
			return nil, fmt.Errorf("--dsn: %w", err)
		}
	} else {
		cfg.User, cfg.Passwd, cfg.DBName = t.User, t.Password, t.Database
		if t.Socket != "" {
			cfg.Net, cfg.Addr = "unix", t.Socket
		} else {
			cfg.Net, cfg.Addr = "tcp", net.JoinHostPort(t.Host, strconv.Itoa(t.Port))
			cfg.TLSConfig = t.TLS
		}
	}
	if cfg.DBName == "" {
		cfg.DBName = t.Database
	}
	if t.Timeout > 0 {
		cfg.Timeout, cfg.ReadTimeout, cfg.WriteTimeout = t.Timeout, t.Timeout, t.Timeout
	}
	cfg.AllowNativePasswords = true
	cfg.InterpolateParams = interpolate
	cfg.Logger = &mysql.NopLogger{}
	return cfg, nil
}

// Open returns a handle on the target's database. No connection is made yet.
func (t *Target) Open(interpolate bool) (*sql.DB, error) {
	cfg, err := t.Config(interpolate)
	if err != nil {
		return nil, err
	}
	return OpenConfig(cfg)
}

// OpenConfig returns a handle for a configuration that Config made.
func OpenConfig(cfg *mysql.Config) (*sql.DB, error) {
	c, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxIdleConns(64)
	return db, nil
}

// CreateDatabase creates the target's database unless it exists, over a connection that uses none.
func (t *Target) CreateDatabase(ctx context.Context) error {
	cfg, err := t.Config(true)
	if err != nil {
		return err
	}
	name := cfg.DBName
	cfg.DBName = ""
	db, err := OpenConfig(cfg)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS `"+name+"`"); err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}

// Error numbers the drivers act on.
const (
	errRecordChanged   = 1020 // MariaDB with innodb_snapshot_isolation
	errUnknownDatabase = 1049
	errServerShutdown  = 1053
	errNoSuchTable     = 1146
	errLockWaitTimeout = 1205
	errDeadlock        = 1213
	errConnKilled      = 1927
	errSessionKilled   = 3169
)

// IsRetriable reports whether the server rolled back (all or part of) the transaction because of
// other transactions, so that running it again from its start is the right answer.
func IsRetriable(err error) bool {
	var me *mysql.MySQLError
	if !errors.As(err, &me) {
		return false
	}
	switch me.Number {
	case errDeadlock, errLockWaitTimeout, errRecordChanged:
		return true
	}
	return false
}

// IsConnectionLost reports whether err leaves the connection unusable: everything that is not an
// error packet, and the error packets by which a server says goodbye.
func IsConnectionLost(err error) bool {
	if err == nil {
		return false
	}
	var me *mysql.MySQLError
	if !errors.As(err, &me) {
		return !errors.Is(err, sql.ErrNoRows)
	}
	switch me.Number {
	case errServerShutdown, errConnKilled, errSessionKilled:
		return true
	}
	return false
}

// IsMissing reports whether the server knows no such table or database.
func IsMissing(err error) bool {
	var me *mysql.MySQLError
	return errors.As(err, &me) && (me.Number == errUnknownDatabase || me.Number == errNoSuchTable)
}

// Pairs runs a statement that answers with names and values, such as SHOW STATUS. Names are keyed
// in lower case.
func Pairs(ctx context.Context, db *sql.DB, query string, args ...any) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var name, value sql.NullString
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		out[strings.ToLower(name.String)] = value.String
	}
	return out, rows.Err()
}
