package ast

import (
	"strings"

	"emberdb/sql/token"
)

func (n *Func) print(p *printer) {
	if p.Canonical && p.canonicalFunc(n) {
		return
	}
	switch {
	case n.Schema.Given():
		p.put(n.Schema, ".", n.Name)
	case n.Keyword || token.PlainWord(n.Name.Name, true):
		p.word(n.Name.Name)
	default:
		p.put(n.Name)
	}
	if n.NoParens && !p.Canonical {
		return
	}
	p.put("(")
	for i, x := range n.Args {
		p.comma(i)
		p.put(x)
		if i < len(n.Aliases) && n.Aliases[i].Given() {
			p.put(" AS ", n.Aliases[i])
		}
	}
	p.put(")")
}

func (n *Aggregate) print(p *printer) {
	if p.Canonical && n.Nulls == NoNullClause && len(n.Args) > 0 {
		p.canonicalAggregate(n)
		return
	}
	p.put(strings.ToUpper(n.Name.Name), "(")
	p.when(n.Distinct, "DISTINCT ")
	printList(p, n.Args)
	if n.Nulls != NoNullClause {
		p.put([...]string{NullOnNull: " NULL", AbsentOnNull: " ABSENT"}[n.Nulls], " ON NULL")
	}
	if len(n.OrderBy) > 0 {
		p.put(" ORDER BY ")
		printValues(p, n.OrderBy)
	}
	p.when(n.Separator != nil, " SEPARATOR ", n.Separator)
	p.put(")")
	p.when(n.Over != nil, " ", n.Over)
}

func (n *WindowFunc) print(p *printer) {
	p.put(strings.ToUpper(n.Name.Name), "(")
	for i, x := range n.Args {
		p.comma(i)
		p.operand(x, [...]Precedence{PrecLowest, PrecConcat}[index(i == 1)])
	}
	p.put(")")
	p.put([...]string{NoFrom: "", FromFirst: " FROM FIRST", FromLast: " FROM LAST"}[n.FromLast])
	p.put([...]string{NoNullTreatment: "", RespectNulls: " RESPECT NULLS", IgnoreNulls: " IGNORE NULLS"}[n.Nulls])
	p.put(" ", n.Over)
}

func (n *Over) print(p *printer) {
	if p.raw("OVER "); n.Name.Given() {
		p.put(n.Name)
		return
	}
	p.put(n.Window)
	p.when(p.Canonical, " ")
}

func (n *Window) print(p *printer) {
	if p.Canonical {
		p.canonicalWindow(n)
		return
	}
	p.put("(")
	space := ""
	if n.Base.Given() {
		p.put(n.Base)
		space = " "
	}
	if len(n.PartitionBy) > 0 {
		p.put(space, "PARTITION BY ")
		printValues(p, n.PartitionBy)
		space = " "
	}
	if len(n.OrderBy) > 0 {
		p.put(space, "ORDER BY ")
		printValues(p, n.OrderBy)
		space = " "
	}
	p.when(n.Frame != nil, space, n.Frame)
	p.put(")")
}

func (n *Frame) print(p *printer) {
	p.put([...]string{RowsFrame: "ROWS ", RangeFrame: "RANGE ", GroupsFrame: "GROUPS "}[n.Unit])
	if p.Canonical && n.Stop == nil {
		p.put("BETWEEN ", n.Start, " AND CURRENT ROW")
		return
	}
	if n.Stop != nil {
		p.put("BETWEEN ", n.Start, " AND ", n.Stop)
	} else {
		p.put(n.Start)
	}
	p.put([...]string{NoExclude: "", ExcludeCurrentRow: " EXCLUDE CURRENT ROW", ExcludeGroup: " EXCLUDE GROUP",
		ExcludeTies: " EXCLUDE TIES", ExcludeNoOthers: " EXCLUDE NO OTHERS"}[n.Exclude])
}

func (n *FrameBound) print(p *printer) {
	switch n.Kind {
	case UnboundedPreceding:
		p.put("UNBOUNDED PRECEDING")
	case Preceding:
		p.put(n.X, " PRECEDING")
	case CurrentRow:
		p.put("CURRENT ROW")
	case Following:
		p.put(n.X, " FOLLOWING")
	case UnboundedFollowing:
		p.put("UNBOUNDED FOLLOWING")
	}
}

func (n *Cast) print(p *printer) {
	if n.Convert && !p.Canonical {
		p.put("CONVERT(", n.X, ", ", n.Type, ")")
		return
	}
	p.put("CAST(", n.X)
	switch {
	case n.Zone != nil:
		p.put(" AT TIME ZONE ")
		p.when(n.ZoneInterval, "INTERVAL ")
		p.put(n.Zone)
	case n.Local:
		p.put(" AT LOCAL")
	}
	switch p.put(" AS "); {
	case p.Canonical && n.Array && n.Type.Kind == TypeBinary:
		p.put(n.Type)
	case p.Canonical && n.Array && n.Type.Kind == TypeDecimal:
		p.canonicalElement(n.Type)
	case p.Canonical:
		p.canonicalCast(n.Type)
	default:
		p.put(n.Type)
	}
	p.when(n.Array, " ARRAY")
	p.put(")")
}

func (n *ConvertUsing) print(p *printer) {
	p.put("CONVERT(", n.X, " USING ")
	p.charset(n.Charset)
	p.put(")")
}

// charset appends the name of a character set, which may be the word BINARY.
func (p *printer) charset(x Ident) {
	if p.Canonical || strings.EqualFold(x.Name, "binary") {
		p.word(x.Name)
		return
	}
	p.put(x)
}

func (n *Char) print(p *printer) {
	p.put("CHAR(")
	printList(p, n.Args)
	if n.Charset.Given() {
		p.put(" USING ")
		p.charset(n.Charset)
	}
	p.put(")")
}

func (n *Trim) print(p *printer) {
	p.put("TRIM(", [...]string{TrimDefault: "", TrimBoth: "BOTH ", TrimLeading: "LEADING ", TrimTrailing: "TRAILING "}[n.Side])
	p.when(n.Remove != nil, n.Remove, " ")
	p.when(n.Remove != nil || n.Side != TrimDefault, "FROM ")
	p.put(n.X, ")")
}

func (n *Extract) print(p *printer) { p.put("EXTRACT(", n.Unit.String(), " FROM ", n.X, ")") }

func (n *Position) print(p *printer) {
	if p.Canonical {
		p.put("locate(", n.Sub, ",", n.X, ")")
		return
	}
	p.put("POSITION(")
	p.operand(n.Sub, PrecBitOr)
	p.put(" IN ", n.X, ")")
}

func (n *GetFormat) print(p *printer) {
	p.put("GET_FORMAT(")
	p.raw(strings.ToUpper(n.Type.Name))
	p.put(", ", n.X, ")")
}

func (n *TimestampFunc) print(p *printer) {
	if p.Canonical {
		p.canonicalTimestamp(n)
		return
	}
	p.put([...]string{"TIMESTAMPADD(", "TIMESTAMPDIFF("}[index(n.Diff)], n.Unit.String(), ", ", n.A, ", ", n.B, ")")
}

func (n *WeightString) print(p *printer) {
	p.put("WEIGHT_STRING(", n.X)
	if n.Length != nil {
		p.put([...]string{" AS CHAR(", " AS BINARY("}[index(n.Binary)], n.Length, ")")
	} else if n.Binary {
		p.put(" AS BINARY")
	}
	for _, x := range n.Flags {
		p.put(", ", x)
	}
	p.put(")")
}

func (n *Match) print(p *printer) {
	p.open()
	p.put("MATCH (")
	printList(p, n.Columns)
	p.put(") AGAINST (")
	p.operand(n.X, PrecBitOr)
	p.put([...]string{MatchDefault: "", MatchNatural: " IN NATURAL LANGUAGE MODE", MatchBoolean: " IN BOOLEAN MODE",
		MatchNaturalExpansion: " IN NATURAL LANGUAGE MODE WITH QUERY EXPANSION", MatchExpansion: " WITH QUERY EXPANSION"}[n.Mode], ")")
	p.close()
}

func (n *JSONValue) print(p *printer) {
	p.put("JSON_VALUE(")
	p.operand(n.X, PrecConcat)
	p.put(", ", n.Path)
	if r := n.Returning; p.Canonical && r != nil && r.Scale != "" {
		p.put(" RETURNING ", r.Kind.String(), "(", r.Length, ", ", r.Scale, ")")
	} else {
		p.when(r != nil, " RETURNING ", r)
	}
	p.jsonDefaults(n.OnEmpty, n.OnError)
	p.put(")")
}

func (p *printer) jsonDefaults(empty, err *JSONDefault) {
	p.when(empty != nil, " ", empty, " ON EMPTY")
	p.when(err != nil, " ", err, " ON ERROR")
}

func (n *JSONDefault) print(p *printer) {
	switch n.Action {
	case JSONNull:
		p.put("NULL")
	case JSONError:
		p.put("ERROR")
	default:
		p.put("DEFAULT ", n.Value)
	}
}

func (n *DefaultOf) print(p *printer) { p.put("DEFAULT(", n.Column, ")") }
func (n *ValuesOf) print(p *printer)  { p.put("VALUES(", n.Column, ")") }

func (n *DualityObject) print(p *printer) {
	p.put("JSON_DUALITY_OBJECT(")
	if len(n.Tags) > 0 {
		p.put("WITH (")
		printValues(p, n.Tags)
		p.put(") ")
	}
	printValues(p, n.Members)
	p.put(")")
	p.when(n.Over != nil, " ", n.Over)
}

func (n *DualityTag) print(p *printer) {
	p.when(n.No, "NO ")
	p.word(n.Word)
}

func (n *DualityMember) print(p *printer) { p.put(n.Key, ": ", n.Value) }
