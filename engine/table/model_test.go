package table

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// The model: committed versions of each row by commit number, and each open transaction's own
// changes on top. Transactions take turns in one goroutine; what would have to wait gives up at
// once and must have changed nothing.

type modelRow struct {
	b any // int or nil
	c any // string or nil
	d string
}

func (r *modelRow) String(key int) string {
	return show(vals(key, r.b, r.c, r.d))
}

type modelVersion struct {
	seq int
	row *modelRow // nil: deleted
}

type model struct {
	e    *env
	t    *Table
	r    *rand.Rand
	seq  int
	rows map[int][]modelVersion
	open []*modelTrx
	log  []string
	n    map[string]int // what happened
}

type modelTrx struct {
	*txn.Trx
	name     int
	snapshot int // -1: none yet
	own      map[int]*modelRow
	saved    map[int]*modelRow // own at the savepoint; nil: there is none
	sp       txn.Mark
}

const (
	modelKeys = 40
	modelTags = 12
)

func (m *model) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
	if len(m.log) > 60 {
		m.log = m.log[1:]
	}
}

// at is the committed row as of a commit number.
func (m *model) at(key, seq int) *modelRow {
	vs := m.rows[key]
	for i := len(vs) - 1; i >= 0; i-- {
		if vs[i].seq <= seq {
			return vs[i].row
		}
	}
	return nil
}

// current is the row as x sees it with locks: the newest committed, or its own.
func (m *model) current(x *modelTrx, key int) *modelRow {
	if r, ok := x.own[key]; ok {
		return r
	}
	return m.at(key, m.seq)
}

// visible is the row as a consistent read of x sees it.
func (m *model) visible(x *modelTrx, key int) *modelRow {
	if x.Isolation() == txn.ReadUncommitted {
		for _, o := range m.open {
			if r, ok := o.own[key]; ok {
				return r
			}
		}
		return m.at(key, m.seq)
	}
	if r, ok := x.own[key]; ok {
		return r
	}
	if x.Isolation() == txn.ReadCommitted {
		return m.at(key, m.seq)
	}
	if x.snapshot < 0 {
		x.snapshot = m.seq
	}
	return m.at(key, x.snapshot)
}

func (m *model) randRow() *modelRow {
	row := &modelRow{d: strings.Repeat(string(rune('a'+m.r.IntN(26))), m.r.IntN(60))}
	if m.r.IntN(5) > 0 {
		row.b = m.r.IntN(10)
	}
	if m.r.IntN(4) > 0 {
		row.c = fmt.Sprintf("tag%02d", m.r.IntN(modelTags))
	}
	if m.r.IntN(12) == 0 {
		row.d = strings.Repeat("L", 9000+m.r.IntN(30000))
	}
	return row
}

func (m *model) vals(key int, r *modelRow) []row.Value { return vals(key, r.b, r.c, r.d) }

// conflict names the index in which the row would be a duplicate, "" if in none.
func (m *model) conflict(x *modelTrx, key int, r *modelRow, update bool) string {
	if !update && m.current(x, key) != nil {
		return "PRIMARY"
	}
	if r.c == nil {
		return ""
	}
	for k := range modelKeys {
		if o := m.current(x, k); k != key && o != nil && o.c == r.c {
			return "c"
		}
	}
	return ""
}

// busy tells whether err is a lock that would have to be waited for.
func busy(err error) bool {
	return errors.Is(err, base.ErrLockTimeout) || errors.Is(err, base.ErrDeadlock)
}

func (m *model) step() {
	if len(m.open) == 0 || len(m.open) < 5 && m.r.IntN(6) == 0 {
		iso := []txn.Isolation{txn.ReadUncommitted, txn.ReadCommitted, txn.RepeatableRead, txn.RepeatableRead, txn.Serializable}[m.r.IntN(5)]
		x := &modelTrx{Trx: m.e.begin(iso), snapshot: -1, own: map[int]*modelRow{}, name: m.n["begin"]}
		m.n["begin"]++
		m.open = append(m.open, x)
		return
	}
	i := m.r.IntN(len(m.open))
	x := m.open[i]
	switch p := m.r.IntN(100); {
	case p < 35:
		x.StartStatement()
		m.change(x)
	case p < 37:
		m.statementRollback(x)
	case p < 45:
		m.savepoint(x)
	case p < 52:
		m.changeMany(x)
	case p < 70:
		x.StartStatement()
		m.read(x)
	case p < 80:
		x.StartStatement()
		m.lockingRead(x)
	case p < 95:
		m.note("%d commit", x.name)
		m.e.commit(x.Trx)
		m.seq++
		for k, r := range x.own {
			m.rows[k] = append(m.rows[k], modelVersion{m.seq, r})
		}
		m.unique()
		m.open = append(m.open[:i], m.open[i+1:]...)
	default:
		m.note("%d rollback", x.name)
		m.e.rollback(x.Trx)
		m.open = append(m.open[:i], m.open[i+1:]...)
	}
}

// change makes one random change.
func (m *model) change(x *modelTrx) { m.changeOf(x, m.r.IntN(modelKeys)) }

// changeOf changes the row with that key, or inserts it.
func (m *model) changeOf(x *modelTrx, key int) {
	cur := m.current(x, key)
	switch op := m.r.IntN(10); {
	case op < 5 || cur == nil && op < 8:
		m.insert(x, key, m.randRow())
	case op < 8:
		r := m.randRow()
		to := key
		if m.r.IntN(4) == 0 {
			to = m.r.IntN(modelKeys)
		}
		err := m.t.Update(bg, x.Trx, vals(key, nil, nil, nil), m.vals(to, r))
		m.note("%d update %d to %s: %v", x.name, key, r.String(to), err)
		if busy(err) {
			m.n["busy"]++
			return
		}
		if cur == nil {
			require.ErrorIs(m.e.t, err, base.ErrNotFound)
			return
		}
		without := &modelTrx{Trx: x.Trx, own: map[int]*modelRow{key: nil}}
		for k, v := range x.own {
			if k != key {
				without.own[k] = v
			}
		}
		if want := m.conflict(without, to, r, false); want == "" && err == nil {
			if to != key || *r != *cur { // else there is no new version
				x.own[key] = nil
				x.own[to] = r
			}
			m.n["update"]++
		} else {
			m.outcome(x, to, r, err, want)
		}
	default:
		err := m.t.Delete(bg, x.Trx, vals(key, nil, nil, nil))
		m.note("%d delete %d: %v", x.name, key, err)
		switch {
		case busy(err):
			m.n["busy"]++
		case cur == nil:
			require.ErrorIs(m.e.t, err, base.ErrNotFound)
		default:
			require.NoError(m.e.t, err)
			x.own[key] = nil
			m.n["delete"]++
		}
	}
}

func (m *model) insert(x *modelTrx, key int, r *modelRow) {
	err := m.t.Insert(bg, x.Trx, m.vals(key, r))
	m.note("%d insert %s: %v", x.name, r.String(key), err)
	m.outcome(x, key, r, err, m.conflict(x, key, r, false))
}

// changeMany changes or deletes the rows from some key on together.
func (m *model) changeMany(x *modelTrx) {
	mark := x.StartStatement()
	var c Changes
	c.Begin(m.t, x.Trx)
	c.seen = changesAlone
	own, del := maps.Clone(x.own), m.r.IntN(4) == 0
	var err error
	for key := m.r.IntN(modelKeys); key < modelKeys && err == nil; key += 1 + m.r.IntN(3) {
		was := m.current(x, key)
		switch {
		case was == nil:
		case del:
			err = c.Delete(bg, m.vals(key, was))
			own[key] = nil
		default:
			r := m.randRow()
			r.c = was.c
			if m.r.IntN(4) > 0 {
				r.b = was.b
			}
			err = c.Update(bg, m.vals(key, was), m.vals(key, r))
			if *r != *was { // else there is no new version
				own[key] = r
			}
		}
	}
	if err == nil {
		err = c.Flush(bg)
	}
	m.note("%d changes together, deletes %v: %v", x.name, del, err)
	if busy(err) {
		require.NoError(m.e.t, x.RollbackTo(bg, mark))
		m.n["many busy"]++
		return
	}
	require.NoError(m.e.t, err)
	x.own = own
	m.n["many"]++
}

func (m *model) outcome(x *modelTrx, key int, r *modelRow, err error, want string) {
	var de *DuplicateError
	switch {
	case busy(err):
		m.n["busy"]++
	case want != "":
		require.True(m.e.t, errors.As(err, &de), "want a duplicate in %s, got %v", want, err)
		k := int(de.Row[0].Int())
		require.NotNil(m.e.t, m.current(x, k))
		if want == "PRIMARY" && de.Index.Name == "PRIMARY" { // a secondary duplicate may have an uncommitted change elsewhere
			require.Equal(m.e.t, m.current(x, k).String(k), show(de.Row))
		} else {
			require.Equal(m.e.t, r.c, string(de.Row[2].B))
		}
		m.n["duplicate"]++
	default:
		require.NoError(m.e.t, err)
		x.own[key] = r
		m.n["insert"]++
	}
}

// statementRollback makes some changes and takes them back.
func (m *model) statementRollback(x *modelTrx) {
	x.StartStatement()
	before := map[int]*modelRow{}
	for k, v := range x.own {
		before[k] = v
	}
	sp := x.Savepoint()
	for range 1 + m.r.IntN(4) {
		m.change(x)
	}
	require.NoError(m.e.t, x.RollbackTo(bg, sp))
	m.note("%d back to %d", x.name, sp)
	x.own = before
	m.n["savepoint"]++
}

// savepoint makes one and changes a row of its own again, whose unique key another tries to take, and
// goes back to it, at once or later.
func (m *model) savepoint(x *modelTrx) {
	x.StartStatement()
	if x.saved == nil {
		x.sp, x.saved = x.Savepoint(), maps.Clone(x.own)
		for _, key := range slices.Sorted(maps.Keys(x.own)) {
			was := x.own[key]
			if was == nil || was.c == nil {
				continue
			}
			m.changeOf(x, key)
			y := m.open[m.r.IntN(len(m.open))]
			y.StartStatement()
			m.insert(y, m.r.IntN(modelKeys), &modelRow{c: was.c})
		}
		if m.r.IntN(2) == 0 {
			return
		}
	}
	require.NoError(m.e.t, x.RollbackTo(bg, x.sp))
	m.note("%d back to %d", x.name, x.sp)
	x.own, x.saved = x.saved, nil
	m.n["savepoint"]++
}

// unique verifies that no two rows have the same unique key.
func (m *model) unique() {
	seen := map[any]int{}
	for k := range modelKeys {
		if r := m.at(k, m.seq); r != nil && r.c != nil {
			other, ok := seen[r.c]
			require.False(m.e.t, ok, "rows %d and %d have %v", other, k, r.c)
			seen[r.c] = k
		}
	}
}

// expect sorts the rows of a range of an index by its order.
func (m *model) expect(get func(key int) *modelRow, ix int, o ScanOptions) []string {
	type keyed struct {
		key []byte
		s   string
	}
	var out []keyed
	for k := range modelKeys {
		r := get(k)
		if r == nil {
			continue
		}
		vs := m.vals(k, r)
		key := row.AppendKey(nil, m.t.cols, m.t.indexes[ix].parts, vs)
		lower := o.Lower == nil || bytes.Compare(key, o.Lower) >= 0 && !(o.LowerExcl && bytes.HasPrefix(key, o.Lower))
		upper := o.Upper == nil || bytes.Compare(key, o.Upper) < 0 || o.UpperIncl && bytes.HasPrefix(key, o.Upper)
		if !lower || !upper {
			continue
		}
		if o.Columns != nil {
			all := vs
			vs = make([]row.Value, len(all))
			for _, c := range o.Columns {
				vs[c] = all[c]
			}
		}
		out = append(out, keyed{append(key, m.e.pk(m.t, k)...), show(vs)})
	}
	sort.Slice(out, func(i, j int) bool { return (bytes.Compare(out[i].key, out[j].key) < 0) != o.Reverse })
	var ss []string
	for _, k := range out {
		ss = append(ss, k.s)
	}
	return ss
}

func (m *model) randScan() (ix int, o ScanOptions) {
	ix = m.r.IntN(3)
	o = ScanOptions{Index: m.t.def.Indexes[ix], Reverse: m.r.IntN(2) == 0, LowerExcl: m.r.IntN(2) == 0, UpperIncl: m.r.IntN(2) == 0}
	bound := func() []byte {
		if m.r.IntN(3) == 0 {
			return nil
		}
		return m.e.ik(m.t, ix, []any{m.r.IntN(modelKeys), m.r.IntN(10), fmt.Sprintf("tag%02d", m.r.IntN(modelTags))}[ix])
	}
	o.Lower, o.Upper = bound(), bound()
	if m.r.IntN(3) == 0 && o.Lower != nil {
		o.Upper, o.LowerExcl, o.UpperIncl = o.Lower, false, true
	}
	if ix > 0 && m.r.IntN(2) == 0 {
		o.Columns = []int{0, 1}
	}
	return ix, o
}

func (m *model) read(x *modelTrx) {
	ix, o := m.randScan()
	got, err := readAll(m.t.NewScan(x.Trx, o))
	require.NoError(m.e.t, err)
	m.note("%d (%v, snapshot %d) read %d %+v: %d rows", x.name, x.Isolation(), x.snapshot, ix, o, len(got))
	require.Equal(m.e.t, m.expect(func(k int) *modelRow { return m.visible(x, k) }, ix, o), got)
	m.n["read"]++
}

func (m *model) lockingRead(x *modelTrx) {
	ix, o := m.randScan()
	o.Lock = []LockMode{Shared, Exclusive}[m.r.IntN(2)]
	o.Wait = []WaitPolicy{Wait, NoWait}[m.r.IntN(2)]
	got, err := readAll(m.t.NewScan(x.Trx, o))
	m.note("%d lock %d %+v: %d rows, %v", x.name, ix, o, len(got), err)
	if busy(err) || errors.Is(err, base.ErrNoWait) {
		m.n["lock busy"]++
		return
	}
	require.NoError(m.e.t, err)
	require.Equal(m.e.t, m.expect(func(k int) *modelRow { return m.current(x, k) }, ix, o), got)
	m.n["lock"]++
}

func TestModel(t *testing.T) {
	for _, inPlace := range []int{10000, 2} {
		for _, frames := range []int{64, 2048} {
			t.Run(fmt.Sprintf("inPlace %d, %d frames", inPlace, frames), func(t *testing.T) {
				e := newEnv(t, frames, inPlace)
				e.wait = time.Millisecond
				def := simpleDef()
				def.Columns[2].Type = row.TVarbinary
				m := &model{e: e, t: e.create(def), r: newRand(t), rows: map[int][]modelVersion{}, n: map[string]int{}}
				defer func() {
					if t.Failed() {
						t.Log(strings.Join(m.log, "\n"))
					}
				}()
				for i := range 4000 {
					m.step()
					if i%1000 == 999 {
						m.settle()
					}
				}
				t.Log(m.n)
			})
		}
	}
}

// settle ends all transactions, waits for purge and checks everything.
func (m *model) settle() {
	for _, x := range m.open {
		m.e.rollback(x.Trx)
	}
	m.open = nil
	m.e.drain()
	m.e.check()
	none := &modelTrx{own: map[int]*modelRow{}}
	for ix := range 3 {
		o := ScanOptions{Index: m.t.def.Indexes[ix]}
		require.Equal(m.e.t, m.expect(func(k int) *modelRow { return m.current(none, k) }, ix, o), m.e.now(m.t, ix))
	}
	live := 0
	for k := range modelKeys {
		if m.current(none, k) != nil {
			live++
		}
	}
	for _, ix := range m.t.indexes {
		st, err := ix.tree.Check(nil)
		require.NoError(m.e.t, err)
		if live != st.Records {
			m.e.t.Log(m.leftovers(ix))
		}
		require.Equal(m.e.t, live, st.Records, "index %q: nothing is left behind by purge", ix.def.Name)
	}
}

// leftovers describes the records of an index that are delete-marked.
func (m *model) leftovers(ix *index) string {
	var s strings.Builder
	_, _ = ix.tree.Check(func(key, value []byte) error {
		if value[0]&flagDeleted == 0 {
			return nil
		}
		fmt.Fprintf(&s, "%s", m.e.keyText(m.t, ix, key))
		if ix.pos > 0 {
			key, _ = m.t.splitEntry(ix, key)
		}
		value, ok, err := m.t.fetch(nil, key)
		fmt.Fprintf(&s, ": row %v %v", ok, err)
		if ok {
			var w walk
			for v := newVersion(value); ; {
				vs := m.t.layout.Decode(v.row, nil)
				fmt.Fprintf(&s, " <- [trx %d undo %d:%d deleted %v: %s]", v.trx, v.ptr.Page(), v.ptr.Offset(), v.deleted(), show(vs))
				if ok, err := m.t.older(&w, &v); !ok || err != nil {
					fmt.Fprintf(&s, " end %v", err)
					break
				}
			}
		}
		s.WriteString("\n")
		return nil
	})
	return s.String()
}
