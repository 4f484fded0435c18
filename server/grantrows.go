package server

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/server/virtual"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// What clients write to the grant tables is a draft until FLUSH PRIVILEGES makes accounts of it, as
// in MySQL. The first change copies the rows of all grant tables into key-value rows of the engine,
// a key for each row. From then on the tables show the draft; a statement about accounts changes
// the accounts and their rows of the draft.
//
// Whoever changes the draft or the accounts locks draftKey first, then the accounts: so a draft
// never misses a change of an account, and nobody waits for a row while holding the accounts.

// draftKey exists while there is a draft.
const draftKey = "draft"

// grantTime is how the draft holds times, which are in UTC.
const grantTime = "2006-01-02 15:04:05.999999"

// textRow is a row of a grant table: the text of each column, nil for NULL.
type textRow [][]byte

func (r textRow) text(i int) string { return string(r[i]) }

// key is the row's key in the draft.
func (t *grantTable) key(r textRow) string {
	var parts []string
	for _, i := range t.primary {
		text := strings.TrimRight(r.text(i), " ")
		if s, ok := t.columns[i].Type.(sql.TypeWithCollation); ok && strings.HasSuffix(s.Collation().Name(), "_ci") {
			text = strings.ToLower(text)
		}
		parts = append(parts, text)
	}
	return rowKey(t.Name(), strings.Join(parts, "\x00"))
}

// mostKey is the length of the longest key of a row that is kept as it is.
const mostKey = 400

// rowKey is a key in the draft; that of a long one is its hash.
func rowKey(table, key string) string {
	if len(key) > mostKey {
		sum := sha256.Sum256([]byte(key))
		key = hex.EncodeToString(sum[:])
	}
	return table + "\x00" + key
}

// textOf makes a row of the draft of one that statements see.
func (t *grantTable) textOf(ctx *sql.Context, row sql.Row) (textRow, error) {
	out := make(textRow, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
		case time.Time:
			out[i] = []byte(time.UnixMicro(store.MomentMicros(zoneOf(ctx), v.UnixMicro())).UTC().Format(grantTime))
		default:
			text, err := t.columns[i].Type.SQL(ctx, nil, v)
			if err != nil {
				return nil, err
			}
			out[i] = append([]byte{}, text.ToBytes()...)
		}
	}
	return out, nil
}

func zoneOf(ctx *sql.Context) *time.Location {
	if s, ok := ctx.Session.(*sqllayer.Session); ok {
		return s.Zone()
	}
	return nil
}

// rowOf is the inverse of textOf.
func (t *grantTable) rowOf(ctx *sql.Context, r textRow) (row sql.Row, err error) {
	row = make(sql.Row, len(t.columns))
	for i, c := range t.columns {
		var v any
		if r[i] != nil {
			v = r.text(i)
		}
		if types.IsTime(c.Type) {
			if at, err := time.Parse(grantTime, r.text(i)); err == nil {
				v = at
			} else {
				v = nil // or zero, where it must not be
			}
		}
		if row[i], err = virtual.Value(ctx, c, v); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// made are the rows that an account or a granted role has in the table, in the order of its given
// columns.
func (t *grantTable) made(add func(textRow), rows []*accountRow, edges []mysql_db.RoleEdge) {
	take := func(values ...any) {
		r := make(textRow, len(t.columns))
		for i, c := range t.columns {
			if !c.Nullable {
				r[i] = []byte{}
			}
		}
		for i, at := range t.given {
			switch v := values[i].(type) {
			case nil:
			case time.Time:
				r[at] = []byte(v.UTC().Format(grantTime))
			default:
				r[at] = fmt.Append([]byte{}, v)
			}
		}
		add(r)
	}
	if t.of != nil {
		for _, r := range rows {
			t.of(r, take)
		}
		return
	}
	for _, e := range edges {
		t.edges(e, take)
	}
}

// accountsNow are the accounts and granted roles that count.
func (s *Server) accountsNow() (rows []*accountRow, edges []mysql_db.RoleEdge) {
	rd := s.accounts.db.Reader()
	edges = sortedEdges(sqllayer.RoleGraph(rd).Edges)
	rd.Close()
	return s.accounts.all(), edges
}

// grantRows are the rows that a statement sees.
func (s *Server) grantRows(ctx *sql.Context, t *grantTable) (out []sql.Row, err error) {
	var texts []textRow
	add := func(r textRow) { texts = append(texts, r) }
	drafted := false
	if session, ok := ctx.Session.(*sqllayer.Session); ok {
		err = session.ReadSystemRows(ctx, func(kv sqllayer.SystemRows) error {
			if drafted, err = isDrafted(kv); err != nil || !drafted {
				return err
			}
			return t.drafted(kv, add)
		})
	}
	if err == nil && !drafted {
		rows, edges := s.accountsNow()
		t.made(add, rows, edges)
	}
	for _, r := range texts {
		row, rowErr := t.rowOf(ctx, r)
		if rowErr != nil {
			return nil, rowErr
		}
		out = append(out, row)
	}
	return out, err
}

func isDrafted(kv sqllayer.SystemRows) (found bool, err error) {
	err = kv.Each(draftKey, func(string, []byte) error { found = true; return nil })
	return found, err
}

// drafted lists the rows of the draft.
func (t *grantTable) drafted(kv sqllayer.SystemRows, add func(textRow)) error {
	return kv.Each(t.Name()+"\x00", func(_ string, value []byte) error {
		r, err := t.decode(value)
		if err == nil {
			add(r)
		}
		return err
	})
}

func (t *grantTable) decode(value []byte) (r textRow, err error) {
	if err = json.Unmarshal(value, &r); err == nil && len(r) != len(t.columns) {
		err = fmt.Errorf("mysql.%s: a row of %d columns", t.Name(), len(r))
	}
	return r, err
}

func (t *grantTable) put(kv sqllayer.SystemRows, r textRow) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return kv.Put(t.key(r), value)
}

// errNoDraft: the draft that a statement was about to change became accounts.
var errNoDraft = errors.New("there is no draft any more")

// changeDraft runs change on the draft, which is locked and made if there is none.
func (s *Server) changeDraft(ctx *sql.Context, within func(*sql.Context, func(sqllayer.SystemRows) error) error, change func(sqllayer.SystemRows) error) error {
	session, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return sqlerr.NewError(3554, "Access to system table 'mysql.user' is rejected.")
	}
	for {
		drafted := false
		if err := session.ReadSystemRows(ctx, func(kv sqllayer.SystemRows) (err error) { drafted, err = isDrafted(kv); return err }); err != nil {
			return err
		}
		err := within(ctx, func(kv sqllayer.SystemRows) error {
			_, found, err := kv.Lock(draftKey)
			switch {
			case err != nil:
				return err
			case !found && drafted:
				return errNoDraft
			case !found:
				if err := s.makeDraft(kv); err != nil {
					return err
				}
			}
			return change(kv)
		})
		if err != errNoDraft {
			return err
		}
	}
}

// makeDraft copies the accounts. REQUIRES: draftKey is locked.
func (s *Server) makeDraft(kv sqllayer.SystemRows) (err error) {
	rows, edges := s.accountsNow()
	for _, t := range s.grantTables {
		t.made(func(r textRow) {
			if err == nil {
				err = t.put(kv, r)
			}
		}, rows, edges)
	}
	if err != nil {
		return err
	}
	return kv.Put(draftKey, nil)
}

// changeGrantRow changes a row of the draft.
func (s *Server) changeGrantRow(t *grantTable) infoschema.RowChange {
	return func(ctx *sql.Context, old, changed sql.Row) (err error) {
		var before, after textRow
		if old != nil {
			if before, err = t.textOf(ctx, old); err != nil {
				return err
			}
		}
		if changed != nil {
			if after, err = t.textOf(ctx, changed); err != nil {
				return err
			}
		}
		session, _ := ctx.Session.(*sqllayer.Session)
		return s.changeDraft(ctx, session.ChangeSystemRows, func(kv sqllayer.SystemRows) error { return t.change(ctx, kv, before, after) })
	}
}

// change puts after in the place of before; nil is no row.
func (t *grantTable) change(ctx *sql.Context, kv sqllayer.SystemRows, before, after textRow) error {
	moves := before == nil || after == nil || t.key(before) != t.key(after)
	if before != nil {
		switch _, found, err := kv.Lock(t.key(before)); {
		case err != nil:
			return err
		case !found:
			return sqlerr.NewError(1020, "Record has changed since last read in table '%s'", t.Name())
		}
	}
	if after != nil && moves {
		value, found, err := kv.Lock(t.key(after))
		if err != nil {
			return err
		}
		if found {
			return t.duplicate(ctx, value)
		}
	}
	if before != nil && moves {
		if err := kv.Delete(t.key(before)); err != nil || after == nil {
			return err
		}
	}
	return t.put(kv, after)
}

// duplicate is the error of a row whose key is there.
func (t *grantTable) duplicate(ctx *sql.Context, value []byte) error {
	r, err := t.decode(value)
	if err != nil {
		return err
	}
	row, err := t.rowOf(ctx, r)
	if err != nil {
		return err
	}
	var parts []string
	for _, i := range t.primary {
		parts = append(parts, r.text(i))
	}
	return sql.NewUniqueKeyErr("Duplicate entry '"+strings.Join(parts, "-")+"' for key '"+t.Name()+".PRIMARY'", true, row)
}

// empty deletes all rows of a table of the draft.
func (t *grantTable) empty(kv sqllayer.SystemRows) error {
	var keys []string
	err := kv.Each(t.Name()+"\x00", func(key string, _ []byte) error { keys = append(keys, key); return nil })
	for _, k := range keys {
		if err == nil {
			err = kv.Delete(k)
		}
	}
	return err
}

// keyed are the rows of accounts and granted roles by their keys.
func (t *grantTable) keyed(rows []*accountRow, edges []mysql_db.RoleEdge) map[string]textRow {
	out := map[string]textRow{}
	t.made(func(r textRow) { out[t.key(r)] = r }, rows, edges)
	return out
}

// redraft makes the change in the draft that a statement has made of the rows of accounts.
func (t *grantTable) redraft(kv sqllayer.SystemRows, before, after map[string]textRow) error {
	for key := range before {
		if after[key] == nil {
			if err := kv.Delete(key); err != nil {
				return err
			}
		}
	}
	for key, r := range after {
		if !reflect.DeepEqual(before[key], r) {
			if err := t.put(kv, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// column finds a column by its name without case.
func (t *grantTable) column(name string) int { return t.columns.IndexOf(name, t.Name()) }
