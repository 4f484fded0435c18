package server

// What a statement of the executor reads: tables in the session's transaction, parameters, and user
// variables.

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sql/histogram"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/sql/bind"
	executor "emberdb/sql/exec"
	"emberdb/sql/fn"
	"emberdb/sql/types"
	"emberdb/sqllayer"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

// executorCatalog opens tables in the session's transaction.
type executorCatalog struct {
	ctx  *sql.Context
	s    *sqllayer.Session
	stmt ast.Statement // that changes rows; nil: none does
	trx  *txn.Trx
	err  error // of the engine

	temps  []*table.Table       // that were opened
	opened map[base.TableID]int // how often

	mayLock  bool // clauses of the statement may lock rows
	locks    bool // they do
	explains bool // the plan is told, for which one must see into views
	selects  bool // the query is a part of a statement that the library runs
}

// viewCatalog opens the tables of a view in which the rights of its definer count.
type viewCatalog struct {
	*executorCatalog
	may func(schema, table string) bool
}

// Open implements bind.Catalog.
func (c viewCatalog) Open(schema, name string, lock table.LockMode) (*bind.Table, error) {
	if !c.may(schema, name) || lock != table.None {
		return nil, fn.Refuse(fn.ByRights, name)
	}
	open := c.open
	if c.explains {
		open = c.executorCatalog.Open
	}
	t, err := open(schema, name, lock)
	if err == nil && t.View != nil {
		if _, definers := t.View.Catalog.(viewCatalog); !definers {
			return nil, fn.Refuse(fn.ByTable, "a view whose invoker is a definer")
		}
	}
	return t, err
}

// ownSchemas are schemas whose tables are no ordinary ones.
var ownSchemas = map[string]bool{"information_schema": true, "performance_schema": true, "mysql": true, "sys": true}

// Open implements bind.Catalog.
func (c *executorCatalog) Open(schema, name string, lock table.LockMode) (*bind.Table, error) {
	if schema == "" {
		schema = c.ctx.GetCurrentDatabase()
	}
	if !mayRead(c.ctx, schema, name, sql.PrivilegeType_Select) || lock == table.Exclusive && !mayLock(c.ctx, schema, name) {
		return nil, fn.Refuse(fn.ByRights, name)
	}
	return c.open(schema, name, lock)
}

// mayLock tells whether the account may lock rows exclusively: who could change or delete them may.
func mayLock(ctx *sql.Context, schema, name string) bool {
	return slices.ContainsFunc([]sql.PrivilegeType{sql.PrivilegeType_Update, sql.PrivilegeType_Delete, sql.PrivilegeType_LockTables},
		func(right sql.PrivilegeType) bool { return mayRead(ctx, schema, name, right) })
}

func mayRead(ctx *sql.Context, schema, name string, right sql.PrivilegeType) bool {
	return sqllayer.MayRun(ctx, []sql.PrivilegedOperation{{Database: schema, Table: name, StaticPrivileges: []sql.PrivilegeType{right}}})
}

// open opens a table that may be read.
func (c *executorCatalog) open(schema, name string, lock table.LockMode) (*bind.Table, error) {
	if lock != table.None && !c.mayLock {
		return nil, fn.Refuse(fn.ByStatement, "a locking clause within a statement of another kind")
	}
	if schema == "" || ownSchemas[strings.ToLower(schema)] {
		return nil, fn.Refuse(fn.ByTable, schema)
	}
	h, trx, err := c.table(schema, name, lock)
	if errors.Is(err, base.ErrNotFound) {
		return c.view(schema, name)
	}
	if err != nil {
		c.err = err
		return nil, fn.Refuse(fn.ByTable, name) // who runs it then meets the same
	}
	if lock == table.Exclusive && c.s.ReadOnlyDirect() {
		return nil, fn.Refuse(fn.BySession, "READ ONLY")
	}
	c.trx, c.locks = trx, c.locks || lock != table.None
	def := h.Def()
	if trx.Isolation() == txn.Serializable {
		return nil, fn.Refuse(fn.BySession, "SERIALIZABLE")
	}
	if def.Temporary && (c.explains || slices.Contains(c.temps, h)) {
		return nil, fn.Refuse(fn.ByTable, "a temporary table that is opened again, or explained")
	}
	t, err := c.s.Layer().BoundTable(def)
	if err != nil {
		return nil, fn.Refuse(fn.ByTable, err.Error())
	}
	if t.Handle = h; c.s.SeesInvisible() {
		t.Def = tabledef.AllShown(def)
	}
	if c.opened == nil {
		c.opened = make(map[base.TableID]int)
	}
	c.opened[def.ID]++
	if def.Temporary {
		c.temps = append(c.temps, h)
		t.Schema, t.Name = schema, name
	}
	for i := range def.Columns {
		if def.Columns[i].Virtual {
			t.Types[i].Kind = types.Null
		}
	}
	return t, nil
}

func (c *executorCatalog) table(schema, name string, lock table.LockMode) (*table.Table, *txn.Trx, error) {
	access := sqllayer.Reads
	switch {
	case c.selects:
		return c.s.OpenSelected(c.ctx, schema, name)
	case sqllayer.Targets(c.ctx, c.stmt, schema, name):
		access = sqllayer.Writes // at once: an ALTER TABLE that came between a read and this would wait for it for ever
	case lock == table.Exclusive:
		access = sqllayer.Locks
	}
	return c.s.OpenDirect(c.ctx, schema, name, access)
}

// view finds a view.
func (c *executorCatalog) view(schema, name string) (*bind.Table, error) {
	if c.s.HasTemporaryDirect() { // whose names do not count in views
		return nil, fn.Refuse(fn.ByTable, name)
	}
	v, may, err := c.s.ViewDirect(c.ctx, schema, name)
	if err != nil {
		c.err = err
	}
	if v == nil || c.explains && !mayRead(c.ctx, schema, name, sql.PrivilegeType_ShowView) {
		return nil, fn.Refuse(fn.ByTable, name)
	}
	if v.Catalog = c; may != nil {
		v.Catalog = viewCatalog{c, may}
	}
	return &bind.Table{View: v}, nil
}

// failed is the error with which the statement ends: that it was refused.
func (c *executorCatalog) failed(err error) error {
	if _, refused := fn.IsRefusal(err); refused {
		return err
	}
	return fn.Refuse(fn.ByTable, err.Error())
}

// context is what the plan runs in.
func (c *executorCatalog) context() *executor.Ctx {
	zone, memory := c.s.Zone(), c.s.Memory()
	return &executor.Ctx{Context: c.ctx, Fn: fn.Context{DivIncrement: 4}, Tx: c.trx,
		Local: func(micros int64) int64 { return store.LocalMicros(zone, micros) }, Take: memory.Take,
		Histogram: func(def *catalog.Table, column int) *histogram.Histogram {
			return c.s.Layer().Histogram(c.ctx, def, column)
		}}
}

// valueOfVariable is a value of a variable as a constant.
func valueOfVariable(t sql.Type, v any) (fn.Expr, error) {
	switch v := v.(type) {
	case nil:
		return fn.NullConst(), nil
	case *apd.Decimal:
		return bind.Decimal(v.Text('f'))
	case bool:
		out := types.NewVec(types.Int, 1)
		if v {
			out.I[0] = 1
		}
		return fn.NewConst(out, types.IntType(21, true)), nil
	case int8, int16, int32, int64:
		out := types.NewVec(types.Int, 1)
		out.I[0] = reflect.ValueOf(v).Int()
		return fn.NewConst(out, types.IntType(21, true)), nil
	case uint8, uint16, uint32, uint64:
		out := types.NewVec(types.Uint, 1)
		out.I[0] = int64(reflect.ValueOf(v).Uint())
		return fn.NewConst(out, types.UintType(21, true)), nil
	case float64:
		return bind.Float(v, types.FloatType(true)), nil
	case string:
		if kind, ok := t.(sql.StringType); ok && utf8.ValidString(v) && types.UTF8(uint16(kind.Collation())) && uint16(kind.Collation()) != types.Binary {
			out := types.NewVec(types.String, 1)
			out.S[0] = []byte(v)
			return fn.NewConst(out, types.StringType(longestVariable, uint16(kind.Collation()), types.Implicit, true)), nil
		}
	}
	return nil, fn.Refuse(fn.ByVariable, "a value of another kind")
}

// longestVariable is how long a text in a user variable is described to be.
const longestVariable = 67108860

// executorParams are the values of a prepared statement's parameters.
func (x *execution) executorParams(collation uint16) (out []fn.Expr, err error) {
	if x.values != nil {
		if x.using == nil {
			return nil, fn.Refuse(fn.ByVariable, "a variable of EXECUTE")
		}
		return x.using, nil
	}
	for i := range x.stmt.Params {
		b := x.binds["v"+strconv.Itoa(i+1)]
		if b == nil {
			return nil, fn.Refuse(fn.ByVariable, "a parameter without a value")
		}
		e, err := executorParam(b, collation)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// executorParam is a parameter as a constant of the type that it was sent with.
func executorParam(b *querypb.BindVariable, collation uint16) (fn.Expr, error) {
	text := string(b.Value)
	switch b.Type {
	case sqltypes.Null:
		return fn.NullConst(), nil
	case sqltypes.Int64:
		digits, negative := strings.CutPrefix(text, "-")
		e, err := bind.Integer(digits)
		if err == nil && negative {
			return fn.Minus(e)
		}
		return e, err
	case sqltypes.Uint64:
		return bind.Unsigned(text)
	case sqltypes.Float64:
		return bind.Double(text)
	case sqltypes.Decimal:
		return bind.Decimal(text)
	case sqltypes.Datetime:
		return bind.Moment(text, true)
	case sqltypes.VarBinary:
		return bind.Bytes(b.Value), nil
	case sqltypes.VarChar:
		return bind.Text(text, collation)
	}
	return nil, fn.Refuse(fn.ByVariable, "a parameter of type "+b.Type.String())
}
