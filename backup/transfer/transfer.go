package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"emberdb/internal/namedrows"
)

// Options of a copy.
type Options struct {
	Patterns []string // SCHEMA.TABLE; a * in either stands for any characters
	Into     string   // schema that the tables get into; "": that of their own name
	Missing  bool     // leave out what the target has
	Parallel int      // connections to each server that read or write rows; 0: 4
	// Progress is told how many rows were copied, of how many as the source estimates them.
	Progress func(done, total int64, at string)
}

// Result tells what was copied.
type Result struct {
	Tables   []string `json:"tables"`
	Programs []string `json:"programs"` // routines, views and events
	Rows     int64    `json:"rows"`
	Skipped  []string `json:"skipped"` // what the target had, or what --into leaves out
}

// StagedPrefix begins the names of tables that are not complete.
const StagedPrefix = "#ember-restore-"

// lockName is the user-level lock that a copy holds in its target.
const lockName = "ember_restore_tables"

// lockPatience is how many seconds the server has to notice that the session of the lock broke.
const lockPatience = 30

// Settings of each session with either server. Rows are inserted as they were in the source: a date
// that the usual SQL mode refuses, and 0 in an AUTO_INCREMENT column, are taken.
const (
	sqlMode   = "'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'"
	collation = "utf8mb4_bin"
)

// Open returns a handle for a copy.
func Open(cfg *mysql.Config) (*sql.DB, error) {
	cfg = cfg.Clone()
	cfg.DBName, cfg.ParseTime, cfg.InterpolateParams, cfg.MaxAllowedPacket = "", false, true, 0
	cfg.ReadTimeout, cfg.WriteTimeout = 0, 0 // a statement may take as long as it takes
	cfg.Collation = collation
	cfg.Params = map[string]string{"sql_mode": sqlMode, "time_zone": "'+00:00'", "foreign_key_checks": "0", "wait_timeout": "604800"}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// transfer is one copy.
type transfer struct {
	o        Options
	from, to *sql.DB
	control  *sql.Conn // of the target: it has the lock, and makes and names the tables
	tables   []*table
	keys     []foreignKey // of and to the tables
	programs []*program
	schemas  []string  // of the source, that all tables are in
	whole    []string  // those of which everything is copied
	made     []string  // schemas of the target that the copy has made
	systems  []*system // spatial reference systems that the target lacks

	madeSystems []string // SRIDs of those that the copy has made
	result      Result
}

// Run copies tables of one server into another. If it fails before the tables have their names,
// the target is as it was.
func Run(ctx context.Context, from, to *sql.DB, o Options) (*Result, error) {
	if o.Parallel <= 0 {
		o.Parallel = 4
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64, string) {}
	}
	t := &transfer{o: o, from: from, to: to, result: Result{Tables: []string{}, Programs: []string{}, Skipped: []string{}}}
	if err := t.choose(ctx); err != nil {
		return nil, err
	}
	var err error
	if t.control, err = to.Conn(ctx); err != nil {
		return nil, fmt.Errorf("the server to restore into: %w", err)
	}
	defer t.leave(ctx)
	if err := t.lock(ctx, 0); err != nil {
		return nil, err
	}
	if err := t.refuse(ctx); err != nil {
		return nil, err
	}
	if len(t.tables) > 0 {
		if err := t.copyTables(ctx); err != nil {
			return nil, err
		}
	}
	if err := t.makePrograms(ctx); err != nil {
		return &t.result, fmt.Errorf("the tables are restored; %w; what is missing is restored with --missing", err)
	}
	return &t.result, nil
}

// copyTables stages and publishes. What it has made is removed if it fails.
func (t *transfer) copyTables(ctx context.Context) error {
	err := t.stage(ctx)
	if err == nil {
		err = t.copyRows(ctx)
	}
	if err == nil {
		err = t.compare(ctx)
	}
	if err == nil {
		err = t.publish(ctx)
	}
	if err == nil {
		return nil
	}
	if clear := t.clear(context.WithoutCancel(ctx)); clear != nil {
		err = fmt.Errorf("%w; tables %s... stay until the next restore: %w", err, StagedPrefix, clear)
	}
	return err
}

// lock keeps other copies from the target as long as the session lives. It waits so long for them.
func (t *transfer) lock(ctx context.Context, seconds int) error {
	var got sql.NullInt64
	if err := t.control.QueryRowContext(ctx, "SELECT GET_LOCK(?, ?)", lockName, seconds).Scan(&got); err != nil {
		return err
	}
	if got.Int64 != 1 {
		return errors.New("another restore of tables into this server is running")
	}
	return nil
}

// leave gives the control session back without the lock.
func (t *transfer) leave(ctx context.Context) {
	_ = t.exec(context.WithoutCancel(ctx), "DO RELEASE_ALL_LOCKS()") // fails only if the session is gone, and the lock with it
	_ = t.control.Close()
}

// exec runs a statement in the control session.
func (t *transfer) exec(ctx context.Context, statement string) error {
	_, err := t.control.ExecContext(ctx, statement)
	return err
}

// name makes an identifier.
func name(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

// qualified makes the name of something in a schema.
func qualified(schema, s string) string { return name(schema) + "." + name(s) }

// literal makes a string constant for sessions whose SQL mode has backslashes escape.
func literal(s string) string { return string(appendQuoted(nil, []byte(s))) }

// literals makes a list of constants.
func literals(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = literal(s)
	}
	return strings.Join(out, ", ")
}

// texts returns the rows of a query as texts; NULL is the empty text.
func texts(ctx context.Context, db namedrows.Querier, query string) ([][]string, error) {
	_, rows, err := namedrows.Texts(ctx, db, query)
	return rows, err
}
