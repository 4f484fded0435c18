package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/pflag"

	"emberdb/bench"
)

// client is how verbs that talk to a running server reach it.
type client struct{ bench.Target }

func (c *client) addFlags(f *pflag.FlagSet) {
	c.Target.AddFlags(f, "")
	f.Lookup("password").Usage = "account password; without it that of the option files, then the environment variable MYSQL_PWD"
}

// connect opens a handle and makes sure that a server answers. A statement may take as long as it
// takes.
func (c *client) connect(ctx context.Context) (*sql.DB, error) {
	cfg, err := c.Config(true)
	if err != nil {
		return nil, err
	}
	cfg.DBName, cfg.ReadTimeout, cfg.WriteTimeout = "", 0, 0
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	if err := db.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("server at %s: %w", cfg.Addr, err)
	}
	return db, nil
}

// with calls fn with a handle that is closed behind it.
func (c *client) with(ctx context.Context, fn func(*sql.DB) error) error {
	db, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return fn(db)
}

// quote makes an identifier of a name.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// writeJSON prints v as one line.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
