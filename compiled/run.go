package compiled

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
)

// A run of a program:
//
//	resolve   operands become values of their columns; one that is not plain: not mine
//	open      the session's transaction, the table's metadata lock; the definition is compared (invariant 4)
//	execute   rows; until something has been sent the statement can still be undone and left to GMS
//	finish    autocommit commits; then the answer's last packet

// Exec runs programs of one session. Its memory is used again.
type Exec struct {
	p      *Program
	params []Param
	values []value // operands of the conditions
	arena  []byte  // keys and decimals of this run
	key    []byte
	levels []*level    // one for each table
	cur    []row.Value // the row under way, by the program's columns
	joined []row.Value // cur of a join
	limit  int64
	offset int64
	skip   int64 // rows of OFFSET to come

	ctx     context.Context
	sc      *sql.Context
	session *sqllayer.Session
	table   *table.Table
	trx     *txn.Trx
	out     *Out
	why     Reason // for what an error says is not mine

	new     []row.Value
	eval    sql.Row     // row of scalars
	given   []row.Value // values of INSERT, row after row
	sets    []row.Value // of UPDATE's assignments
	sorter  sorter
	sorting bool
	sorts   bool // the statement does
	groups  groups
	bounds  []bound // of HAVING
	list    []any   // of the group under way
	keep    []byte
	bound   *binding // of this run

	bindings map[*Program]*binding

	numbers table.AutoNumbers // of this INSERT
	changes table.Changes     // of this UPDATE or DELETE
	parents []*table.Table    // of the program's; none if foreign keys are not checked
	lookup  table.Scan        // in them

	bulk   *Bulk
	reader literals    // of bulk
	fixed  []row.Value // of each row, but for what is read
	kept   int         // of arena, for all rows
	lent   *bulkMemory
	own    bulkMemory // while there is some lent

	Result  Result
	Reports bool // the server has an executor for what looks at many rows
}

// Result is what the client is told of a statement that is not a SELECT.
type Result struct {
	Affected, Matched, Changed uint64
	InsertID                   uint64
	GeneratedID                uint64 // LAST_INSERT_ID() from now on; 0: it stays
	LastValue                  uint64 // AUTO_INCREMENT value of the last row that came in, was changed, or was left out by IGNORE
	Rows                       int64  // of a SELECT
	Records, Duplicates        uint64 // what INSERT says it did
}

// dictVersion is the newest version of the dictionary a program was found right in.
type dictVersion struct{ v atomic.Uint64 }

func (d *dictVersion) seen(v uint64) { d.v.Store(v) }

// definition finds the definition of a table that was in use just now. No metadata lock is taken: a
// wait behind a definition change could be one for the client's own transaction. A program made of
// an old definition is found stale when it runs.
func definition(eng *engine.Engine, schema, name string) *catalog.Table {
	return eng.CachedTable(schema, name)
}

// valid checks a program against the dictionary. REQUIRES: the metadata locks of its tables.
func (x *Exec) valid() bool {
	p := x.p
	for i := range p.tables {
		if x.levels[i].table.Def() != p.tables[i].def {
			return false
		}
	}
	layer := x.session.Layer()
	v := layer.StorageEngine().DictVersion()
	if p.dict.v.Load() == v {
		return true
	}
	for i := range p.tables {
		info, err := layer.DirectTable(x.ctx, p.tables[i].def)
		if err != nil || !info.Alike(p.tables[i].info) {
			return false
		}
	}
	p.dict.seen(v)
	return true
}

// Run executes a program. bulk are the rows that Scan found. why is not Mine if GMS has to run the
// statement: nothing has happened then. ByChange tells that the program is not valid any more.
func (x *Exec) Run(ctx context.Context, sc *sql.Context, s *sqllayer.Session, p *Program, params []Param, bulk *Bulk, out *Out) (why Reason, err error) {
	x.ctx, x.sc, x.session, x.p, x.params, x.bulk, x.out = ctx, sc, s, p, params, bulk, out
	defer x.returnMemory()
	x.Result = Result{}
	out.Zone = s.Zone()
	switch p.verb {
	case verbBegin:
		return inState(s.StartDirect(sc, p.start))
	case verbSavepoint, verbRollbackTo, verbRelease, verbSet, verbPlain:
		return inState(x.runPlain())
	case verbCommit, verbRollback:
		return inState(s.EndDirect(sc, p.verb == verbCommit))
	}
	if len(params) != p.params || !x.resolve() {
		return ByParameter, nil
	}
	if p.hides && s.SeesInvisible() || !s.BeginDirect() {
		return ByTransaction, nil
	}
	ended := false
	defer func() {
		if !ended { // a panic: the session goes on without the statement
			s.RetreatDirect()
		}
	}()
	x.why = ByChange
	err = x.open()
	if err == nil {
		x.why = ByRow
		if out.Status &^= statusInTransaction; s.GetTransaction() != nil {
			out.Status |= statusInTransaction
		}
		switch p.verb {
		case verbSelect:
			err = x.read()
		case verbInsert:
			err = x.insert()
		default:
			err = x.change()
		}
	}
	if errors.Is(err, errNotMine) || errors.Is(err, errStale) {
		if ended = true; !out.Sent {
			s.RetreatDirect()
			return x.why, nil
		}
		err = errors.New("a row cannot be sent")
	}
	ended = true
	return Mine, s.FinishDirect(ctx, err)
}

// inState is the answer of a statement that only the session's state may make GMS's.
func inState(mine bool, err error) (Reason, error) {
	if !mine {
		return ByTransaction, nil
	}
	return Mine, err
}

// statusInTransaction is the flag of the protocol.
const statusInTransaction = 1

var errStale = errors.New("program is stale")

// open opens the tables.
func (x *Exec) open() (err error) {
	p := x.p
	for len(x.levels) < len(p.tables) {
		x.levels = append(x.levels, new(level))
	}
	for i := range p.tables {
		l := x.levels[i]
		l.src = &p.tables[i]
		l.table, x.trx, err = x.session.OpenDirect(x.sc, l.src.schema, l.src.name, p.access())
		if errors.Is(err, base.ErrNotFound) {
			return errStale
		}
		if err != nil {
			return err
		}
	}
	x.table = x.levels[0].table
	switch {
	case !x.valid():
		return errStale
	case x.session.ReadOnlyDirect() && (p.Writes() || p.lock == table.Exclusive):
		x.why = ByTransaction
		return errNotMine
	}
	if p.fires && !x.session.MayFireDirect() {
		x.why = ByTransaction
		return errNotMine
	}
	return x.openParents()
}

// resolve turns the operands into values.
func (x *Exec) resolve() bool {
	p := x.p
	x.values, x.arena, x.given, x.sets = slices.Grow(x.values[:0], p.operands)[:p.operands], x.arena[:0], x.given[:0], x.sets[:0]
	for i := range p.where {
		c := &p.where[i]
		col := &p.cols[c.col]
		for n := range c.args {
			if c.args[n].column > 0 {
				continue // known row by row
			}
			v, ok := x.operand(col, &c.args[n], false)
			if !ok {
				return false
			}
			if col.character && v.fit == fitValue {
				from := len(x.arena)
				x.arena = row.AppendKeyPart(x.arena, col.Column, col.key, v.v)
				v.key = x.arena[from:len(x.arena):len(x.arena)]
			}
			to := &x.values[c.at+n]
			to.v, to.fit, to.key = v.v, v.fit, v.key
		}
	}
	x.limit, x.offset = math.MaxInt64, 0
	if p.limited {
		var ok1, ok2 bool
		x.limit, ok1 = x.count(&p.limit)
		x.offset, ok2 = x.count(&p.offset)
		if !ok1 || !ok2 {
			return false
		}
	}
	for i := range p.some {
		if n, ok := x.count(&p.some[i]); !ok || n == 0 {
			return false
		}
	}
	return x.resolveHaving() && x.bindFormulas() && x.resolveWrites()
}

// resolveWrites resolves what is going to be stored.
func (x *Exec) resolveWrites() bool {
	if !x.resolveSets() {
		return false
	}
	p := x.p
	if p.bulk != nil {
		return x.beginBulk()
	}
	for _, r := range p.rows {
		for i := range r {
			v, ok := x.rowValue(i, &r[i])
			if !ok {
				return false
			}
			x.given = append(x.given, v)
		}
	}
	return true
}

// resolveSets resolves what columns are set to.
func (x *Exec) resolveSets() bool {
	p := x.p
	for i := range p.sets {
		a := &p.sets[i]
		v, ok := row.NullValue, true
		switch {
		case a.formula > 0:
		case a.scalar == nil:
			v, ok = x.stored(a.col, &a.val, false)
		case a.from >= 0:
			if n := x.param(&a.val); n.Kind == KindInt && n.int() != math.MinInt64 {
				v = row.IntValue(n.int())
			}
		}
		if !ok {
			return false
		}
		x.sets = append(x.sets, v)
	}
	return true
}

// rowValue makes a value of VALUES that of its column.
func (x *Exec) rowValue(col int, r *rowValue) (row.Value, bool) {
	switch {
	case r.later:
		return row.NullValue, true
	case r.scalar != nil:
		return x.compute(r.scalar, col, nil, nil)
	}
	return x.stored(col, &r.operand, true)
}

// stored makes an operand the value of a column. numbers: NULL asks for an AUTO_INCREMENT value.
func (x *Exec) stored(col int, o *operand, numbers bool) (row.Value, bool) {
	c := &x.p.cols[col]
	v, ok := x.operand(c, o, true)
	switch {
	case ok && v.fit == fitValue:
		return v.v, true
	case ok && v.fit == fitNull:
		return v.v, c.Nullable || numbers && c.autoInc
	case ok || o.negative && x.param(o).Kind == KindString:
		return row.Value{}, false
	}
	p := x.param(o)
	given, _, ok := literal(&p)
	if !ok || x.half(col, given) {
		return row.Value{}, false
	}
	return x.store(col, given)
}

func (x *Exec) param(o *operand) Param {
	v := o.value
	if o.param >= 0 {
		v = x.params[o.param]
	}
	if !o.negative {
		return v
	}
	switch v.Kind {
	case KindInt:
		return Param{Kind: KindInt, N: uint64(-v.int())}
	case KindDecimal:
		if v.B[0] == '-' {
			return Param{Kind: KindDecimal, B: v.B[1:]}
		}
		from := len(x.arena)
		x.arena = append(append(x.arena, '-'), v.B...)
		return Param{Kind: KindDecimal, B: x.arena[from:len(x.arena):len(x.arena)]}
	}
	return Param{Kind: KindString, B: []byte("-")} // fits no column that takes numbers
}

func (x *Exec) operand(col *column, o *operand, stored bool) (v value, ok bool) {
	p := x.param(o)
	if o.negative && p.Kind == KindString {
		return v, false
	}
	v.v, v.fit, x.arena = col.convert(&p, stored, x.arena)
	if col.Type == row.TTimestamp && v.fit == fitValue {
		v.v = row.IntValue(store.MomentMicros(x.session.Zone(), v.v.Int()))
	}
	return v, v.fit != fitUnsure
}

// count takes an operand of LIMIT.
func (x *Exec) count(o *operand) (int64, bool) {
	v := x.param(o)
	return v.int(), (v.Kind == KindInt || v.Kind == KindUint) && v.int() >= 0
}
