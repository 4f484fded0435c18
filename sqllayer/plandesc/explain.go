package plandesc

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer"
	"emberdb/sqllayer/tabledef"
)

// go-mysql-server takes the columns of EXPLAIN from these variables; its own are all texts, or
// called plan.
func init() {
	plan.DescribeSchema = sqllayer.ExplainSchema
	plan.DescribePlanSchema = sql.Schema{{Name: "EXPLAIN", Type: types.LongText}}
}

// keyAccess is how a table is read through an index.
type keyAccess struct {
	table  *sqllayer.Table
	index  *tabledef.Index
	fixed  int     // columns of the key that have one value
	rows   float64 // that are read
	all    float64 // of the table
	length int64
}

// indexAccess describes a table read through an index.
func indexAccess(ctx *sql.Context, n *plan.IndexedTableAccess) (a keyAccess, ok bool) {
	a.table, _ = sql.GetUnderlyingTable(n.UnderlyingTable()).(*sqllayer.Table)
	a.index, _ = n.Index().(*tabledef.Index)
	if a.table == nil || a.index == nil || a.index.Idx == nil {
		return a, false
	}
	parts := len(a.index.Idx.Parts)
	a.fixed, a.rows = parts, 1
	if rows, _, err := a.table.RowCount(ctx); err == nil {
		a.all = float64(max(rows, 1))
	}
	if n.IsStatic() {
		lookup := plan.GetIndexLookup(n)
		ranges, ok := lookup.Ranges.(sql.MySQLRangeCollection)
		a.fixed = 0
		if ok && len(ranges) == 1 {
			a.fixed, _ = a.index.Fixed(ctx, ranges[0])
		}
		a.fixed = min(a.fixed, parts)
		if a.fixed < parts || !a.index.Idx.Unique {
			a.rows = a.estimated(ctx, ranges)
		}
	}
	a.length = KeyLength(a.table.Def.Def, a.index.Idx.Parts[:max(a.fixed, 1)])
	return a, true
}

// estimated is about how many rows ranges of an index have.
func (a *keyAccess) estimated(ctx *sql.Context, ranges sql.MySQLRangeCollection) float64 {
	keys, err := a.index.KeyRanges(ctx, sql.IndexLookup{Index: a.index, Ranges: ranges})
	if err != nil || len(keys) == 0 {
		return max(a.all/2, 1)
	}
	total := 0.0
	err = a.table.Estimate(ctx, func(h *table.Table) error {
		for i := range keys {
			upper := keys[i].Upper
			if keys[i].UpperIncl && upper != nil {
				upper = row.PrefixEnd(upper)
			}
			lower := keys[i].Lower
			if keys[i].LowerExcl && lower != nil {
				lower = row.PrefixEnd(lower)
			}
			n, err := h.Estimate(a.index.Idx, lower, upper)
			if err != nil {
				return err
			}
			total += n
		}
		return nil
	})
	if err != nil {
		return max(a.all/2, 1)
	}
	return max(total, 1)
}

// possibleKeys are the indexes that begin with a column the filter mentions, and those given.
func possibleKeys(t *sqllayer.Table, filter sql.Expression, used ...string) []string {
	mentioned := map[string]bool{}
	if filter != nil {
		sql.Inspect(nil, filter, func(_ *sql.Context, e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				mentioned[strings.ToLower(f.Name())] = true
			}
			return true
		})
	}
	var names []string
	def := t.Def.Def
	if t.S.SeesInvisible() {
		def = tabledef.AllShown(def)
	}
	for _, x := range def.Indexes {
		if x.Name == "" || x.Invisible || len(x.Parts) == 0 {
			continue
		}
		first := strings.ToLower(t.Def.Def.Columns[x.Parts[0].Column].Name)
		for _, u := range used {
			mentioned[first] = mentioned[first] || u == x.Name
		}
		if mentioned[first] {
			names = append(names, x.Name)
		}
	}
	return names
}

// KeyLength is the length of parts of a key as MySQL counts it.
func KeyLength(def *catalog.Table, parts []row.KeyPart) (bytes int64) {
	for _, p := range parts {
		c := &def.Columns[p.Column]
		switch c.Type {
		case row.TChar, row.TBinary:
			bytes += tabledef.KeyBytes(c, p)
		case row.TVarchar, row.TVarbinary, row.TText, row.TBlob:
			bytes += tabledef.KeyBytes(c, p) + 2
		default:
			bytes += fixedBytes(c)
		}
		if c.Nullable {
			bytes++
		}
	}
	return bytes
}

// fixedBytes is what MySQL counts for a value of a type of fixed length.
func fixedBytes(c *catalog.Column) int64 {
	fraction := int64(0) // of a second, two digits a byte
	if _, digits, ok := strings.Cut(c.SQLType, "("); ok && digits != "" {
		fraction = (int64(digits[0]-'0') + 1) / 2
	}
	switch c.Type {
	case row.TInt8, row.TUint8, row.TYear, row.TEnum:
		return 1
	case row.TInt16, row.TUint16:
		return 2
	case row.TInt24, row.TUint24, row.TDate:
		return 3
	case row.TTime:
		return 3 + fraction
	case row.TInt32, row.TUint32, row.TFloat32:
		return 4
	case row.TTimestamp:
		return 4 + fraction
	case row.TDateTime:
		return 5 + fraction
	case row.TDecimal:
		return int64(row.DecimalWidth(c.Precision, c.Scale))
	}
	return 8
}
