package tabledef

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
	Owner   *TableDef
	Idx     *catalog.Index // nil for a special index
	Special *SpecialIndex  // nil for a tree

	Name     string
	Columns  []int // the indexed columns
	extended []int // and behind them the primary key columns that are not among them
	exprs    []string
	prefixes []uint16 // nil if no part is a prefix
	Key      []row.KeyPart

	shown     bool // it is invisible, and plans may use it
	Unmatched bool // over expressions that the planner would confuse with others
	Defined   bool // a full-text index that GMS has to take for an ordinary one: a definition changes
}

var (
	_ sql.Index         = (*Index)(nil)
	_ sql.OrderedIndex  = (*Index)(nil)
	_ sql.ExtendedIndex = (*Index)(nil)
	_ sql.PartialIndex  = (*Index)(nil)
	_ fulltext.Index    = (*Index)(nil)
)

func newIndex(d *TableDef, idx *catalog.Index) *Index {
	x := &Index{Owner: d, Idx: idx, Name: idx.Name, Key: idx.Parts}
	for _, p := range idx.Parts {
		x.Columns = append(x.Columns, p.Column)
	}
	if slices.ContainsFunc(idx.Parts, func(p row.KeyPart) bool { return p.Prefix > 0 }) {
		for _, p := range idx.Parts {
			x.prefixes = append(x.prefixes, uint16(p.Prefix))
		}
	}
	x.extended = x.Columns
	if !idx.Clustered {
		// The tree's keys end with the clustered key.
		x.Key = append(slices.Clone(idx.Parts), d.Def.Indexes[0].Parts...)
		for _, c := range d.Primary {
			if !slices.Contains(x.extended, c) {
				x.extended = append(slices.Clone(x.extended), c)
			}
		}
	}
	x.nameExpressions()
	return x
}

func NewSpecialIndex(d *TableDef, s *SpecialIndex) *Index {
	x := &Index{Owner: d, Special: s, Name: s.Name}
	for _, c := range s.Columns {
		if i := d.Find(c); i >= 0 {
			x.Columns = append(x.Columns, i)
		}
	}
	x.extended = x.Columns
	x.nameExpressions()
	return x
}

func (x *Index) nameExpressions() {
	for _, c := range x.extended {
		col := &x.Owner.Def.Columns[c]
		x.exprs = append(x.exprs, x.Owner.Name+"."+col.Name)
		x.Unmatched = x.Unmatched || col.System && (col.Elements != 0 || !matchable(col.Generated))
	}
}

// ID implements sql.Index.
func (x *Index) ID() string { return x.Name }

// Database implements sql.Index.
func (x *Index) Database() string { return x.Owner.Database }

// Table implements sql.Index.
func (x *Index) Table() string { return x.Owner.Name }

// Expressions implements sql.Index: "table.column".
func (x *Index) Expressions() []string { return x.exprs[:len(x.Columns):len(x.Columns)] }

// ExtendedExpressions implements sql.ExtendedIndex.
func (x *Index) ExtendedExpressions(*sql.Context) []string { return x.exprs }

// IsUnique implements sql.Index.
func (x *Index) IsUnique() bool { return x.Idx != nil && x.Idx.Unique }

func (x *Index) Is(kind string) bool { return x.Special != nil && x.Special.Kind == kind }

// IsSpatial implements sql.Index.
func (x *Index) IsSpatial() bool { return x.Is("spatial") }

// IsFullText implements sql.Index.
func (x *Index) IsFullText() bool { return x.Is(FullTextKind) && !x.Defined }

// IsVector implements sql.Index.
func (x *Index) IsVector() bool { return x.Is("vector") }

// Comment implements sql.Index.
func (x *Index) Comment() string {
	if x.Is(FullTextKind) {
		return FullTextMark + keyMarkOf(nil, x.Special.traits()) + x.Special.Comment // as below
	}
	if x.Special != nil {
		return keyMarkOf(nil, x.Special.traits()) + x.Special.Comment
	}
	return keyMarkOf(x.Idx.Parts, traitsOf(x.Idx)) + x.Idx.Comment // CREATE TABLE ... LIKE makes its keys of what the index says
}

// IndexType implements sql.Index.
func (x *Index) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (x *Index) IsGenerated() bool { return false }

func (x *Index) expressionTypes(cols []int) []sql.ColumnExpressionType {
	out := make([]sql.ColumnExpressionType, len(cols))
	for i, c := range cols {
		out[i] = sql.ColumnExpressionType{Expression: x.exprs[i], Type: boundType(&x.Owner.Codecs[c])}
	}
	return out
}

// ColumnExpressionTypes implements sql.Index.
func (x *Index) ColumnExpressionTypes(*sql.Context) []sql.ColumnExpressionType {
	return x.expressionTypes(x.Columns)
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
	return x.Idx != nil
}

// CanSupportOrderBy implements sql.Index: vector indexes are not searched.
func (x *Index) CanSupportOrderBy(sql.Expression) bool { return false }

// CoversColumns implements sql.Index: whether the columns can be read off the index's keys.
func (x *Index) CoversColumns(names []string) bool {
	if x.Idx == nil {
		return false
	}
	if x.Idx.Clustered {
		return true
	}
	for _, n := range names {
		c := x.Owner.Find(n)
		if c < 0 || !slices.ContainsFunc(x.Key, func(p row.KeyPart) bool { return p.Column == c && row.Decodable(x.Owner.Cols[c], p) }) {
			return false
		}
	}
	return true
}

// PrefixLengths implements sql.Index.
func (x *Index) PrefixLengths() []uint16 { return x.prefixes }

// FullTextMark begins the comment of a full-text index.
const FullTextMark = "\x00fulltext "

// Order implements sql.OrderedIndex. An index with descending parts is read in order by the builder
// only.
func (x *Index) Order(*sql.Context) sql.IndexOrder {
	unordered := func(p row.KeyPart) bool { return p.Desc || x.Owner.Def.Columns[p.Column].Outdated() }
	if x.Idx == nil || x.prefixes != nil || slices.ContainsFunc(x.Idx.Parts, unordered) {
		return sql.IndexOrderNone
	}
	return sql.IndexOrderAsc
}

// Reversible implements sql.OrderedIndex.
func (x *Index) Reversible(ctx *sql.Context) bool { return x.Order(ctx) == sql.IndexOrderAsc }

// FullTextTableNames implements fulltext.Index. GMS looks the tables up and wants five; the layer
// reads none of them, see match.go.
func (x *Index) FullTextTableNames(*sql.Context) (fulltext.IndexTableNames, error) {
	n := x.Owner.Name
	return fulltext.IndexTableNames{Config: n, Position: n, DocCount: n, GlobalCount: n, RowCount: n}, nil
}

// FullTextKeyColumns implements fulltext.Index: every row can be found by what the index holds.
func (x *Index) FullTextKeyColumns(*sql.Context) (fulltext.KeyColumns, error) {
	return fulltext.KeyColumns{Type: fulltext.KeyType_Primary}, nil
}

// AsShown is an invisible index to a session whose plans may use it.
func (x *Index) AsShown() *Index {
	out := *x
	out.shown = true
	return &out
}

// Predicate implements sql.PartialIndex: GMS leaves an index alone whose condition no filter has.
func (x *Index) Predicate() string {
	if x.Hidden() && !x.shown {
		return hiddenCondition
	}
	return ""
}

// hiddenCondition is the text of no condition.
const hiddenCondition = "\x00invisible"

// Hidden tells whether x is declared INVISIBLE.
func (x *Index) Hidden() bool {
	return x.Idx != nil && x.Idx.Invisible || x.Special != nil && x.Special.Invisible
}

// IsPrimary tells whether x is the primary key.
func (x *Index) IsPrimary() bool { return x.Idx != nil && strings.EqualFold(x.Name, "PRIMARY") }
