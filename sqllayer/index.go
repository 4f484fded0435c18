package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/fulltext"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// Index is an index of one version of a table. Immutable.
type Index struct {
	table   *tableDef
	idx     *catalog.Index // nil for a special index
	special *specialIndex  // nil for a tree

	name     string
	columns  []int // the indexed columns
	extended []int // and behind them the primary key columns that are not among them
	exprs    []string
	prefixes []uint16 // nil if no part is a prefix
	key      []row.KeyPart

	unmatched bool // over expressions that the planner would confuse with others
	defined   bool // a full-text index that GMS has to take for an ordinary one: a definition changes
}

var (
	_ sql.Index         = (*Index)(nil)
	_ sql.OrderedIndex  = (*Index)(nil)
	_ sql.ExtendedIndex = (*Index)(nil)
	_ fulltext.Index    = (*Index)(nil)
)

func newIndex(d *tableDef, idx *catalog.Index) *Index {
	x := &Index{table: d, idx: idx, name: idx.Name, key: idx.Parts}
	for _, p := range idx.Parts {
		x.columns = append(x.columns, p.Column)
	}
	if slices.ContainsFunc(idx.Parts, func(p row.KeyPart) bool { return p.Prefix > 0 }) {
		for _, p := range idx.Parts {
			x.prefixes = append(x.prefixes, uint16(p.Prefix))
		}
	}
	x.extended = x.columns
	if !idx.Clustered {
		// The tree's keys end with the clustered key.
		x.key = append(slices.Clone(idx.Parts), d.def.Indexes[0].Parts...)
		for _, c := range d.primary {
			if !slices.Contains(x.extended, c) {
				x.extended = append(slices.Clone(x.extended), c)
			}
		}
	}
	x.nameExpressions()
	return x
}

func newSpecialIndex(d *tableDef, s *specialIndex) *Index {
	x := &Index{table: d, special: s, name: s.Name}
	for _, c := range s.Columns {
		if i := d.find(c); i >= 0 {
			x.columns = append(x.columns, i)
		}
	}
	x.extended = x.columns
	x.nameExpressions()
	return x
}

func (x *Index) nameExpressions() {
	for _, c := range x.extended {
		col := &x.table.def.Columns[c]
		x.exprs = append(x.exprs, x.table.name+"."+col.Name)
		x.unmatched = x.unmatched || col.Invisible && !matchable(col.Generated)
	}
}

// ID implements sql.Index.
func (x *Index) ID() string { return x.name }

// Database implements sql.Index.
func (x *Index) Database() string { return x.table.database }

// Table implements sql.Index.
func (x *Index) Table() string { return x.table.name }

// Expressions implements sql.Index: "table.column".
func (x *Index) Expressions() []string { return x.exprs[:len(x.columns):len(x.columns)] }

// ExtendedExpressions implements sql.ExtendedIndex.
func (x *Index) ExtendedExpressions(*sql.Context) []string { return x.exprs }

// IsUnique implements sql.Index.
func (x *Index) IsUnique() bool { return x.idx != nil && x.idx.Unique }

func (x *Index) is(kind string) bool { return x.special != nil && x.special.Kind == kind }

// IsSpatial implements sql.Index.
func (x *Index) IsSpatial() bool { return x.is("spatial") }

// IsFullText implements sql.Index.
func (x *Index) IsFullText() bool { return x.is(fullTextKind) && !x.defined }

// IsVector implements sql.Index.
func (x *Index) IsVector() bool { return x.is("vector") }

// Comment implements sql.Index.
func (x *Index) Comment() string {
	if x.is(fullTextKind) {
		return fullTextMark + x.special.Comment // as below
	}
	if x.special != nil {
		return x.special.Comment
	}
	return descMarkOf(x.idx.Parts) + x.idx.Comment // CREATE TABLE ... LIKE makes its keys of what the index says
}

// IndexType implements sql.Index.
func (x *Index) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (x *Index) IsGenerated() bool { return false }

func (x *Index) expressionTypes(cols []int) []sql.ColumnExpressionType {
	out := make([]sql.ColumnExpressionType, len(cols))
	for i, c := range cols {
		out[i] = sql.ColumnExpressionType{Expression: x.exprs[i], Type: boundType(&x.table.codecs[c])}
	}
	return out
}

// ColumnExpressionTypes implements sql.Index.
func (x *Index) ColumnExpressionTypes(*sql.Context) []sql.ColumnExpressionType {
	return x.expressionTypes(x.columns)
}

// ExtendedColumnExpressionTypes implements sql.ExtendedIndex.
func (x *Index) ExtendedColumnExpressionTypes(*sql.Context) []sql.ColumnExpressionType {
	return x.expressionTypes(x.extended)
}

// CanSupport implements sql.Index: a tree supports all ranges, see ranges.go, but those of ENUM and
// SET by the order of texts. GMS asks a full-text index for the values of its first column, too: it
// has only words, for which the range is empty.
func (x *Index) CanSupport(_ *sql.Context, ranges ...sql.Range) bool {
	if x.IsFullText() {
		return !slices.ContainsFunc(ranges, func(r sql.Range) bool {
			values, ok := r.(sql.MySQLRange)
			return ok && slices.ContainsFunc(values, func(c sql.MySQLRangeColumnExpr) bool { return c.LowerBound != sql.AboveAll{} })
		})
	}
	for _, r := range ranges {
		if r, ok := r.(sql.MySQLRange); ok && slices.ContainsFunc(r, byText) {
			return false
		}
	}
	return x.idx != nil
}

// CanSupportOrderBy implements sql.Index: vector indexes are not searched.
func (x *Index) CanSupportOrderBy(sql.Expression) bool { return false }

// CoversColumns implements sql.Index: whether the columns can be read off the index's keys.
func (x *Index) CoversColumns(names []string) bool {
	if x.idx == nil {
		return false
	}
	if x.idx.Clustered {
		return true
	}
	for _, n := range names {
		c := x.table.find(n)
		if c < 0 || !slices.ContainsFunc(x.key, func(p row.KeyPart) bool { return p.Column == c && row.Decodable(x.table.cols[c], p) }) {
			return false
		}
	}
	return true
}

// PrefixLengths implements sql.Index.
func (x *Index) PrefixLengths() []uint16 { return x.prefixes }

// fullTextMark begins the comment of a full-text index.
const fullTextMark = "\x00fulltext "

// Order implements sql.OrderedIndex. An index with descending parts is read in order by the builder
// only.
func (x *Index) Order(*sql.Context) sql.IndexOrder {
	if x.idx == nil || x.prefixes != nil || slices.ContainsFunc(x.idx.Parts, func(p row.KeyPart) bool { return p.Desc }) {
		return sql.IndexOrderNone
	}
	return sql.IndexOrderAsc
}

// Reversible implements sql.OrderedIndex.
func (x *Index) Reversible(ctx *sql.Context) bool { return x.Order(ctx) == sql.IndexOrderAsc }

// FullTextTableNames implements fulltext.Index. GMS looks the tables up and wants five; the layer
// reads none of them, see match.go.
func (x *Index) FullTextTableNames(*sql.Context) (fulltext.IndexTableNames, error) {
	n := x.table.name
	return fulltext.IndexTableNames{Config: n, Position: n, DocCount: n, GlobalCount: n, RowCount: n}, nil
}

// FullTextKeyColumns implements fulltext.Index: every row can be found by what the index holds.
func (x *Index) FullTextKeyColumns(*sql.Context) (fulltext.KeyColumns, error) {
	return fulltext.KeyColumns{Type: fulltext.KeyType_Primary}, nil
}

// isPrimary tells whether x is the primary key.
func (x *Index) isPrimary() bool { return x.idx != nil && strings.EqualFold(x.name, "PRIMARY") }
