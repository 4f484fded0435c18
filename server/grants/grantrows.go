package grants

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/account"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
)

// DraftKey exists while there is a draft.
const DraftKey = "draft"

// grantTime is how the draft holds times, which are in UTC.
const grantTime = "2006-01-02 15:04:05.999999"

// TextRow is a row of a grant table: the text of each column, nil for NULL.
type TextRow [][]byte

func (r TextRow) text(i int) string { return string(r[i]) }

// key is the row's key in the draft.
func (t *GrantTable) key(r TextRow) string {
	var parts []string
	for _, i := range t.Primary {
		text := strings.TrimRight(r.text(i), " ")
		if s, ok := t.Columns[i].Type.(sql.TypeWithCollation); ok && strings.HasSuffix(s.Collation().Name(), "_ci") {
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

// TextOf makes a row of the draft of one that statements see.
func (t *GrantTable) TextOf(ctx *sql.Context, row sql.Row) (TextRow, error) {
	out := make(TextRow, len(row))
	for i, v := range row {
		switch v := v.(type) {
		case nil:
		case time.Time:
			out[i] = []byte(time.UnixMicro(store.MomentMicros(zoneOf(ctx), v.UnixMicro())).UTC().Format(grantTime))
		default:
			text, err := t.Columns[i].Type.SQL(ctx, nil, v)
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

// RowOf is the inverse of textOf.
func (t *GrantTable) RowOf(ctx *sql.Context, r TextRow) (row sql.Row, err error) {
	row = make(sql.Row, len(t.Columns))
	for i, c := range t.Columns {
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

// Made are the rows that an account or a granted role has in the table, in the order of its given
// columns.
func (t *GrantTable) Made(add func(TextRow), rows []*AccountRow, edges []mysql_db.RoleEdge) {
	take := func(values ...any) {
		r := make(TextRow, len(t.Columns))
		for i, c := range t.Columns {
			if !c.Nullable {
				r[i] = []byte{}
			}
		}
		for i, at := range t.Given {
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
	if t.Of != nil {
		for _, r := range rows {
			t.Of(r, take)
		}
		return
	}
	for _, e := range edges {
		t.Edges(e, take)
	}
}

func IsDrafted(kv sqllayer.SystemRows) (found bool, err error) {
	err = kv.Each(DraftKey, func(string, []byte) error { found = true; return nil })
	return found, err
}

// Drafted lists the rows of the draft.
func (t *GrantTable) Drafted(kv sqllayer.SystemRows, add func(TextRow)) error {
	return kv.Each(t.Name()+"\x00", func(_ string, value []byte) error {
		r, err := t.decode(value)
		if err == nil {
			add(r)
		}
		return err
	})
}

func (t *GrantTable) decode(value []byte) (r TextRow, err error) {
	if err = json.Unmarshal(value, &r); err == nil && len(r) != len(t.Columns) {
		err = fmt.Errorf("mysql.%s: a row of %d columns", t.Name(), len(r))
	}
	return r, err
}

func (t *GrantTable) Put(kv sqllayer.SystemRows, r TextRow) error {
	value, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return kv.Put(t.key(r), value)
}

// ErrNoDraft: the draft that a statement was about to change became accounts.
var ErrNoDraft = errors.New("there is no draft any more")

// Change puts after in the place of before; nil is no row.
func (t *GrantTable) Change(ctx *sql.Context, kv sqllayer.SystemRows, before, after TextRow) error {
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
	return t.Put(kv, after)
}

// duplicate is the error of a row whose key is there.
func (t *GrantTable) duplicate(ctx *sql.Context, value []byte) error {
	r, err := t.decode(value)
	if err != nil {
		return err
	}
	row, err := t.RowOf(ctx, r)
	if err != nil {
		return err
	}
	var parts []string
	for _, i := range t.Primary {
		parts = append(parts, r.text(i))
	}
	return sql.NewUniqueKeyErr("Duplicate entry '"+strings.Join(parts, "-")+"' for key '"+t.Name()+".PRIMARY'", true, row)
}

// Empty deletes all rows of a table of the draft.
func (t *GrantTable) Empty(kv sqllayer.SystemRows) error {
	var keys []string
	err := kv.Each(t.Name()+"\x00", func(key string, _ []byte) error { keys = append(keys, key); return nil })
	for _, k := range keys {
		if err == nil {
			err = kv.Delete(k)
		}
	}
	return err
}

// Keyed are the rows of accounts and granted roles by their keys.
func (t *GrantTable) Keyed(rows []*AccountRow, edges []mysql_db.RoleEdge) map[string]TextRow {
	out := map[string]TextRow{}
	t.Made(func(r TextRow) { out[t.key(r)] = r }, rows, edges)
	return out
}

// Redraft makes the change in the draft that a statement has made of the rows of accounts.
func (t *GrantTable) Redraft(kv sqllayer.SystemRows, before, after map[string]TextRow) error {
	for key := range before {
		if after[key] == nil {
			if err := kv.Delete(key); err != nil {
				return err
			}
		}
	}
	for key, r := range after {
		if !reflect.DeepEqual(before[key], r) {
			if err := t.Put(kv, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// accountColumns are the columns by which rows name accounts: user and host.
var accountColumns = [][2]string{{"user", "host"}, {"from_user", "from_host"}, {"to_user", "to_host"}, {"default_role_user", "default_role_host"}}

// Forget takes out of the draft what names an account that is gone, also rows that clients have
// written.
func (t *GrantTable) Forget(kv sqllayer.SystemRows, n account.Name) error {
	var at [][2]int
	for _, names := range accountColumns {
		if user, host := t.column(names[0]), t.column(names[1]); user >= 0 && host >= 0 {
			at = append(at, [2]int{user, host})
		}
	}
	part := func(r TextRow, i int) string { return strings.TrimRight(r.text(i), " ") }
	var gone []string
	err := t.Drafted(kv, func(r TextRow) {
		if slices.ContainsFunc(at, func(a [2]int) bool { return part(r, a[0]) == n.User && strings.EqualFold(part(r, a[1]), n.Host) }) {
			gone = append(gone, t.key(r))
		}
	})
	for _, key := range gone {
		err = errors.Join(err, kv.Delete(key))
	}
	return err
}

// column finds a column by its name without case.
func (t *GrantTable) column(name string) int { return t.Columns.IndexOf(name, t.Name()) }
