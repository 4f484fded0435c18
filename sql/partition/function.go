package partition

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// Function tells the parts of a table's rows. It implements table.Placer.
type Function struct {
	def     *catalog.Table
	by, sub *rule
	subs    int // parts of each partition
	columns []int
}

var _ table.Placer = (*Function)(nil)

// rule is PARTITION BY or SUBPARTITION BY.
type rule struct {
	key     *catalog.PartitionKey
	columns []int
	cols    []row.Column // of columns, nullable
	count   int          // partitions

	value  formula // RANGE, LIST and HASH of an expression
	rising bool    // value never falls as its one column rises
	spread spread

	limits []limit        // RANGE
	most   [][]byte       // RANGE COLUMNS: keys that are above the rows of each partition
	lists  map[int64]int  // LIST; the bits of numbers
	listed map[string]int // LIST COLUMNS, by key
	rows   map[string][]row.Value
	nulls  int // partition of NULL, -1: none
}

// limit is a number that rows of a partition are below.
type limit struct {
	number
	max bool
}

// maxValue ends a key that is above all with the same beginning: no key part begins with it.
const maxValue = 0xFF

// New compiles the partitioning of a definition.
func New(def *catalog.Table) (*Function, error) {
	p := def.Partitioning
	f := &Function{def: def, subs: 1}
	var err error
	if f.by, err = newRule(def, &p.By, len(p.Parts)); err != nil {
		return nil, err
	}
	if err := f.by.take(p.Parts); err != nil {
		return nil, err
	}
	f.columns = f.by.columns
	if p.Sub != nil {
		f.subs = len(p.Parts[0].Subs)
		if f.sub, err = newRule(def, p.Sub, f.subs); err != nil {
			return nil, err
		}
		f.columns = slices.Clone(f.columns)
		for _, c := range f.sub.columns {
			if !slices.Contains(f.columns, c) {
				f.columns = append(f.columns, c)
			}
		}
	}
	return f, nil
}

func newRule(def *catalog.Table, key *catalog.PartitionKey, count int) (*rule, error) {
	r := &rule{key: key, count: count, nulls: -1, spread: spread{count, key.Linear}}
	if key.ColumnList {
		for _, name := range KeyColumns(def, key) {
			at := slices.IndexFunc(def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name) })
			if at < 0 {
				return nil, fmt.Errorf("partitioning of %s.%s: no column %s: %w", def.Schema, def.Name, name, base.ErrCorrupt)
			}
			r.columns = append(r.columns, at)
		}
	} else {
		c := &compiler{def: def}
		x, err := parse.ParseExpr(key.Expr, parse.Options{})
		if err == nil {
			r.value, err = c.formula(x)
		}
		if err != nil {
			return nil, fmt.Errorf("partitioning of %s.%s: %w", def.Schema, def.Name, err)
		}
		r.columns, r.rising = c.columns, rises(x)
	}
	for _, at := range r.columns {
		col := def.Columns[at].Column
		col.Nullable = true
		r.cols = append(r.cols, col)
	}
	return r, nil
}

// KeyColumns are the columns that decide: those of KEY () are the primary key's.
func KeyColumns(def *catalog.Table, key *catalog.PartitionKey) []string {
	if len(key.Columns) > 0 || !key.ColumnList {
		return key.Columns
	}
	at := 0 // without a primary key, the first unique one without NULL
	if len(def.Indexes[0].Parts) == 0 {
		at = slices.IndexFunc(def.Indexes, func(x *catalog.Index) bool {
			return x.Unique && !x.Clustered && !slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return def.Columns[p.Column].Nullable })
		})
	}
	var names []string
	if at >= 0 {
		for _, p := range def.Indexes[at].Parts {
			names = append(names, def.Columns[p.Column].Name)
		}
	}
	return names
}

// rises tells expressions of one column that never fall as the column rises.
func rises(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Column:
		return true
	case *ast.Func:
		if len(x.Args) != 1 {
			return false
		}
		if _, column := x.Args[0].(*ast.Column); !column {
			return false
		}
		name := strings.ToLower(x.Name.Name)
		return name == "unix_timestamp" || temporalFuncs[name].rising
	}
	return false
}

// take reads the values of the partitions.
func (r *rule) take(parts []catalog.Partition) error {
	r.lists, r.listed, r.rows = map[int64]int{}, map[string]int{}, map[string][]row.Value{}
	for i := range parts {
		for _, values := range parts[i].Values {
			var err error
			if r.key.ColumnList {
				err = r.takeColumns(i, values)
			} else {
				err = r.takeNumber(i, values[0])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *rule) takeNumber(part int, text string) error {
	switch text {
	case "MAXVALUE":
		r.limits = append(r.limits, limit{max: true})
		return nil
	case "NULL":
		r.nulls = part
		return nil
	}
	n, err := parseNumber(text)
	if err != nil {
		return err
	}
	if r.key.Method == catalog.ByRange {
		r.limits = append(r.limits, limit{number: n})
	} else {
		r.lists[n.n] = part
	}
	return nil
}

func parseNumber(text string) (number, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number{n: n}, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return null, fmt.Errorf("value %s of a partition: %w", text, base.ErrCorrupt)
	}
	return number{n: int64(n), unsigned: true}, nil
}

func (r *rule) takeColumns(part int, values []string) error {
	if len(values) != len(r.columns) {
		return errorf(1653, "Inconsistency in usage of column lists for partitioning")
	}
	var key []byte
	vals := make([]row.Value, len(values))
	for i, text := range values {
		if text == "MAXVALUE" {
			key = append(key, maxValue)
			break // nothing behind it counts
		}
		if text != "NULL" {
			var ok bool
			if vals[i], ok = storedValue(&r.cols[i], text); !ok {
				return errorf(1654, "Partition column values of incorrect type")
			}
		}
		key = row.AppendKeyPart(key, r.cols[i], row.KeyPart{}, vals[i])
	}
	if r.key.Method == catalog.ByRange {
		r.most = append(r.most, key)
	} else {
		r.listed[string(key)], r.rows[string(key)] = part, vals
	}
	return nil
}

// Place implements table.Placer.
func (f *Function) Place(vals []row.Value) (int, error) {
	part, err := f.by.place(vals)
	if err == nil && part < 0 {
		return 0, &table.NoPartError{Table: f.def, Value: f.by.told(vals)}
	}
	if err != nil || f.sub == nil {
		return part, err
	}
	sub, err := f.sub.place(vals)
	return part*f.subs + sub, err
}

// Columns implements table.Placer.
func (f *Function) Columns() []int { return f.columns }

// told is the value of a row that no partition takes, as MySQL names it.
func (r *rule) told(vals []row.Value) string {
	if r.value == nil {
		return "from column_list"
	}
	n, err := r.value(vals)
	if err != nil {
		return "?"
	}
	return n.String()
}

// place returns the partition of a row, -1 if there is none.
func (r *rule) place(vals []row.Value) (int, error) {
	if r.value == nil {
		return r.placeColumns(vals), nil
	}
	n, err := r.value(vals)
	if err != nil {
		return 0, err
	}
	return r.placeNumber(n), nil
}

func (r *rule) placeNumber(n number) int {
	switch r.key.Method {
	case catalog.ByHash:
		if n.null {
			n.n = 0
		}
		return r.spread.of(n.n)
	case catalog.ByList:
		if n.null {
			return r.nulls
		}
		if part, ok := r.lists[n.n]; ok {
			return part
		}
		return -1
	}
	if n.null {
		return 0
	}
	at, _ := slices.BinarySearchFunc(r.limits, n, func(l limit, n number) int {
		if l.max || n.less(l.number) {
			return 1
		}
		return -1
	})
	if at == len(r.limits) {
		return -1
	}
	return at
}

func (r *rule) placeColumns(vals []row.Value) int {
	if r.key.Method == catalog.ByKey {
		h := newKeyHash()
		var buf [64]byte
		grown := buf[:0]
		for i, at := range r.columns {
			grown = h.add(&r.cols[i], vals[at], grown)
		}
		return r.spread.of(int64(uint32(h.a)))
	}
	var buf [128]byte
	key := buf[:0]
	for i, at := range r.columns {
		key = row.AppendKeyPart(key, r.cols[i], row.KeyPart{}, vals[at])
	}
	if r.key.Method == catalog.ByList {
		if part, ok := r.listed[string(key)]; ok {
			return part
		}
		return -1
	}
	if at := r.above(key); at < len(r.most) {
		return at
	}
	return -1
}

// above returns the first partition that holds keys above key, or key itself.
func (r *rule) above(key []byte) int {
	at, _ := slices.BinarySearchFunc(r.most, key, func(most, key []byte) int {
		if bytes.Compare(most, key) > 0 {
			return 1
		}
		return -1
	})
	return at
}
