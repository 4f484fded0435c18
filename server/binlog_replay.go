package server

// BINLOG 'base64': row events of another server's log, as mysqlbinlog writes them, applied in this
// session's transaction.

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/replication"
	"emberdb/server/grants"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// replay is BINLOG.
func (x *execution) replay(ctx *sql.Context, n *ast.Binlog) error {
	session, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return x.unsupported()
	}
	if s := x.h.s; !s.hasAdmin(ctx, "binlog_admin") && !s.hasAdmin(ctx, "replication_applier") {
		return grants.Missing("SUPER, BINLOG_ADMIN or REPLICATION_APPLIER")
	}
	events, err := decodeEvents(strings.Join(strings.Fields(n.Events.Text), ""))
	if err != nil {
		return sqlerr.NewError(1575, "Decoding of base64 string failed")
	}
	t := &inSession{x: x, ctx: ctx, session: session}
	defer t.borrow(replication.RowVariables)()
	version := session.Layer().StorageEngine().DictVersion() // before the look: what changes meanwhile is read the next time
	return asClientError(t.asOne(func() error { return x.w.replayed().Apply(t, version, events) }))
}

func (w *wireConn) replayed() *replication.Replay {
	if w.replay == nil {
		w.replay = replication.NewReplay()
	}
	return w.replay
}

// createFirst runs the CREATE TABLE of a CREATE TABLE ... SELECT in mysqlbinlog's form, which
// stands within the transaction of the rows, if that has a name.
func (x *execution) createFirst(ctx *sql.Context) (done bool, err error) {
	session, ok := x.w.session.(*sqllayer.Session)
	n, is := x.stmt.Tree.(*ast.CreateTable)
	if !ok || !is || session.NamedGTID() == "" {
		return false, nil
	}
	last := len(n.Options) - 1
	if last < 0 || n.Options[last].Kind != ast.OptionStartTransaction || n.Query != nil || n.Partition != nil {
		return false, nil
	}
	text := sqllayer.LibraryText(x.stmt.Text[:n.Options[last].From], x.stmt.Options)
	err = x.w.replayed().Create(&inSession{x: x, ctx: ctx, session: session}, text, session.NamedGTID())
	if err != nil {
		return true, asClientError(err)
	}
	return true, x.ok(ctx, 0)
}

// decodeEvents decodes events, each of which may end with padding of its own.
func decodeEvents(text string) (events []byte, err error) {
	for text != "" {
		n := len(text)
		if i := strings.IndexByte(text, '='); i >= 0 {
			n = min(n, (i+4)/4*4)
		}
		b, err := base64.StdEncoding.DecodeString(text[:n])
		if err != nil {
			return nil, err
		}
		events, text = append(events, b...), text[n:]
	}
	return events, nil
}

// asClientError is an error of package replication as clients know it.
func asClientError(err error) error {
	var e *mysql.MyError
	if errors.As(err, &e) {
		return sqlerr.NewError(int(e.Code), "%s", e.Message)
	}
	return err
}

// inSession is a session that runs a statement and applies row events in the course of it.
type inSession struct {
	x       *execution
	ctx     *sql.Context
	session *sqllayer.Session
}

// borrow notes variables; the function it returns gives them back their values.
func (t *inSession) borrow(names []string) func() {
	values := make([]any, len(names))
	for i, name := range names {
		values[i], _ = t.session.GetSessionVariable(t.ctx, name) // all of them exist
	}
	return func() {
		for i, name := range names {
			_ = t.session.SetSessionVariable(t.ctx, name, values[i]) // as they were
		}
	}
}

// asOne makes a transaction of what f does, unless the session has one.
func (t *inSession) asOne(f func() error) error {
	if t.session.Transaction().Active || t.session.GetIgnoreAutoCommit() || !t.session.Flag(sql.AutoCommitSessionVar) {
		return t.session.AsStatement(t.ctx, f)
	}
	if _, err := t.Execute("BEGIN"); err != nil {
		return err
	}
	if err := f(); err != nil {
		_, undone := t.Execute("ROLLBACK")
		return errors.Join(err, undone)
	}
	_, err := t.Execute("COMMIT")
	return err
}

// Execute implements replication.Session.
func (t *inSession) Execute(query string, _ ...any) (*mysql.Result, error) {
	if query == "ROLLBACK" { // which uses up gtid_next, also of nothing
		if _, err := t.session.PassGTID(t.ctx, sqllayer.GTIDRollback); err != nil {
			return nil, err
		}
	}
	ctx := t.x.nested(t.ctx)
	ctx.SetQueryTime(t.ctx.QueryTime())
	columns, rows, err := t.x.resultOf(ctx, query)
	if err != nil {
		return nil, sqlerr.Translate(err, "")
	}
	if types.IsOkResultSchema(columns) {
		r := new(mysql.Result)
		if len(rows) == 1 {
			r.AffectedRows = found(rows[0])
		}
		return r, nil
	}
	set := mysql.NewResultset(len(columns))
	for i, c := range columns {
		set.FieldNames[c.Name] = i
	}
	for _, row := range rows {
		values := make([]mysql.FieldValue, len(row))
		for j, v := range row {
			if v == nil {
				continue // as NULL is
			}
			text, err := columns[j].Type.SQL(ctx, nil, v)
			if err != nil {
				return nil, err
			}
			values[j] = mysql.NewFieldValue(mysql.FieldValueTypeString, 0, text.ToBytes())
		}
		set.Values = append(set.Values, values)
	}
	return mysql.NewResult(set), nil
}

// found is the number of rows that a change found, also where it changed nothing.
func found(row sql.Row) uint64 {
	ok, is := types.OkResult{}, false
	if len(row) == 1 {
		ok, is = row[0].(types.OkResult)
	}
	if !is {
		return 0
	}
	if u, is := ok.Info.(plan.UpdateInfo); is {
		return uint64(u.Matched)
	}
	return ok.RowsAffected
}

// Place implements replication.Session: there is none.
func (t *inSession) Place(replication.Mark) {}

// Settle implements replication.Session.
func (t *inSession) Settle() error { return nil }

// Follow implements replication.Session: there is no order.
func (t *inSession) Follow(*replication.Turn) {}

// LogAhead implements replication.Session.
func (t *inSession) LogAhead(statement string) { t.session.LogAhead(statement) }

// Triggers implements replication.Session.
func (t *inSession) Triggers(fire bool) { t.session.FireTriggers(fire) }
