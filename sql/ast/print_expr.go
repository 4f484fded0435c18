package ast

import "emberdb/sql/token"

// operand appends an operand, in parentheses when it binds looser than min.
func (p *printer) operand(x Expr, min Precedence) {
	if PrecedenceOf(x) < min && !p.Canonical {
		p.put("(", x, ")")
		return
	}
	p.put(x)
}

// open and close put every operator in parentheses in canonical text.
func (p *printer) open()  { p.when(p.Canonical, "(") }
func (p *printer) close() { p.when(p.Canonical, ")") }

// subquery appends a query in parentheses.
func (p *printer) subquery(q *Query) { p.put("(", q, ")") }

func (n *Literal) print(p *printer) {
	if n.Charset != "" {
		p.raw("_" + n.Charset)
	}
	if p.Canonical && (n.Kind == HexLiteral || n.Kind == BitLiteral) {
		p.when(n.Charset != "", " ")
		p.canonicalNumber(n)
		return
	}
	switch n.Kind {
	case NullLiteral:
		p.raw("NULL")
	case TrueLiteral:
		p.word("TRUE")
	case FalseLiteral:
		p.word("FALSE")
	case IntLiteral, DecimalLiteral, FloatLiteral:
		p.raw(n.Text)
	case StringLiteral:
		p.str(n.Text)
	case NationalLiteral:
		p.raw([...]string{"N", "_utf8mb3"}[index(p.Canonical)])
		p.str(n.Text)
	case HexLiteral:
		if p.when(n.Charset != "", " "); len(n.Text)%2 != 0 {
			p.raw("0x" + n.Text)
		} else {
			p.raw("x'" + n.Text + "'")
		}
	case BitLiteral:
		p.when(n.Charset != "", " ")
		p.raw("b'" + n.Text + "'")
	case DateLiteral:
		p.raw("DATE")
		p.str(n.Text)
	case TimeLiteral:
		p.raw("TIME")
		p.str(n.Text)
	case TimestampLiteral:
		p.raw("TIMESTAMP")
		p.str(n.Text)
	}
}

func (n *Param) print(p *printer)        { p.raw("?") }
func (n *DefaultValue) print(p *printer) { p.put("DEFAULT") }

func (n *Column) print(p *printer) {
	if p.Bare {
		p.ident(n.Name)
		return
	}
	p.dotted(n.Schema, n.Table, n.Name)
}

func (n *Star) print(p *printer) {
	p.dotted(n.Schema, n.Table)
	p.when(n.Table.Given(), ".")
	p.raw("*")
}

func (n *UserVar) print(p *printer) { p.put("@", n.Name) }

var scopeNames = [...]string{NoScope: "", GlobalScope: "GLOBAL.", SessionScope: "SESSION.", LocalScope: "LOCAL.",
	PersistScope: "PERSIST.", PersistOnlyScope: "PERSIST_ONLY."}

func (n *SystemVar) print(p *printer) {
	p.raw("@@")
	p.word(scopeNames[n.Scope])
	p.dotted(n.Component, n.Name)
}

func (n *Assignment) print(p *printer) {
	p.open()
	p.put(n.Var, " := ", n.Value)
	p.close()
}

var unaryNames = [...]string{Minus: "-", Plus: "+", BitNot: "~", Not: "NOT ", Bang: "!", Binary: "BINARY "}

func (n *Unary) print(p *printer) {
	if p.Canonical {
		p.canonicalUnary(n)
		return
	}
	p.word(unaryNames[n.Op])
	if n.Op == Not {
		p.operand(n.X, PrecNot)
		return
	}
	min := PrecUnary
	if inner, ok := n.X.(*Unary); ok && inner.Op != Binary {
		min = PrecPrimary // -- and !! are read as something else
	}
	p.operand(n.X, min)
}

var binaryNames = [...]string{Xor: "XOR", Equal: "=", NullSafeEqual: "<=>", NotEqual: "<>", Less: "<",
	LessEqual: "<=", Greater: ">", GreaterEqual: ">=", SoundsLike: "SOUNDS LIKE", BitOr: "|", BitAnd: "&", ShiftLeft: "<<",
	ShiftRight: ">>", Add: "+", Sub: "-", Mul: "*", Div: "/", IntDiv: "DIV", Mod: "%", BitXor: "^", Concat: "||"}

// String returns the operator as it is written.
func (op BinaryOp) String() string { return binaryNames[op] }

func (n *Logical) print(p *printer) {
	p.open()
	for i, x := range n.Items {
		p.when(i > 0, [...]string{" AND ", " OR "}[index(n.Or)])
		if p.Canonical {
			p.condition(x)
			continue
		}
		p.operand(x, PrecedenceOf(n)+1)
	}
	p.close()
}

func (n *BinaryExpr) print(p *printer) {
	if p.Canonical && p.canonicalBinary(n) {
		return
	}
	if n.Op == Concat && p.Mode&token.PipesAsConcat == 0 { // || is another operator there
		p.put("CONCAT(", n.L, ", ", n.R, ")")
		return
	}
	left, right := n.Op.Operands()
	p.open()
	p.operand(n.L, left)
	p.put(" ", n.Op.String(), " ")
	p.operand(n.R, right)
	p.close()
}

func (n *Quantified) print(p *printer) {
	if p.Canonical {
		switch {
		case n.Op == Equal && n.Quant == Any, n.Op == NotEqual && n.Quant == All:
			p.canonicalIn(n.L, n.Query, n.Quant == All)
		default:
			p.put(n.L, " ", n.Op.String(), [...]string{Any: " any ", All: " all "}[n.Quant])
			p.subquery(n.Query)
		}
		return
	}
	p.operand(n.L, PrecCompare)
	p.put(" ", n.Op.String(), [...]string{Any: " ANY ", All: " ALL "}[n.Quant])
	p.subquery(n.Query)
}

func (n *Is) print(p *printer) {
	if in, ok := n.X.(*In); ok && p.Canonical && in.Query != nil && n.What == IsFalse && !n.Not && !in.Not {
		p.canonicalIn(in.X, in.Query, true)
		return
	}
	p.open()
	what := n.What
	if p.Canonical && what == IsUnknown {
		what = IsNull
	}
	if p.Canonical && what != IsNull {
		p.condition(n.X)
	} else {
		p.operand(n.X, PrecCompare)
	}
	p.put(" IS ")
	p.when(n.Not, "NOT ")
	p.put([...]string{IsNull: "NULL", IsTrue: "TRUE", IsFalse: "FALSE", IsUnknown: "UNKNOWN"}[what])
	p.close()
}

func (n *Between) print(p *printer) {
	p.open()
	p.operand(n.X, PrecBitOr)
	p.when(n.Not, " NOT")
	p.put(" BETWEEN ")
	p.operand(n.Low, PrecBitOr)
	p.put(" AND ")
	p.operand(n.High, PrecPredicate)
	p.close()
}

func (n *In) print(p *printer) {
	if p.Canonical && n.Query != nil {
		p.canonicalIn(n.X, n.Query, n.Not)
		return
	}
	p.open()
	p.operand(n.X, PrecBitOr)
	p.when(n.Not, " NOT")
	p.put(" IN (")
	if n.Query != nil {
		p.put(n.Query)
	} else {
		printList(p, n.List)
	}
	p.put(")")
	p.close()
}

func (n *Like) print(p *printer) {
	if p.Canonical && n.Not {
		p.put("(NOT(", &Like{X: n.X, Pattern: n.Pattern, Escape: n.Escape}, "))")
		return
	}
	p.open()
	p.operand(n.X, PrecBitOr)
	p.when(n.Not, " NOT")
	p.put(" LIKE ")
	p.operand(n.Pattern, PrecConcat)
	if n.Escape != nil {
		p.put(" ESCAPE ")
		p.operand(n.Escape, PrecConcat)
	}
	p.close()
}

func (n *Regexp) print(p *printer) {
	if p.Canonical {
		p.when(n.Not, "(NOT(")
		p.put("regexp_like(", n.X, ",", n.Pattern, ")")
		p.when(n.Not, "))")
		return
	}
	p.operand(n.X, PrecBitOr)
	p.when(n.Not, " NOT")
	p.put(" REGEXP ")
	p.operand(n.Pattern, PrecBitOr)
}

func (n *MemberOf) print(p *printer) {
	p.operand(n.X, PrecBitOr)
	p.put(" MEMBER OF (")
	p.operand(n.Array, PrecConcat)
	p.put(")")
}

func (n *JSONPath) print(p *printer) {
	switch {
	case !p.Canonical && n.Unquote:
		p.put(n.X, "->>", n.Path)
	case !p.Canonical:
		p.put(n.X, "->", n.Path)
	case n.Unquote:
		p.put("json_unquote(json_extract(", n.X, ",", n.Path, "))")
	default:
		p.put("json_extract(", n.X, ",", n.Path, ")")
	}
}

func (n *Collate) print(p *printer) {
	p.open()
	p.operand(n.X, PrecCollate)
	if p.put(" COLLATE "); p.Canonical {
		p.raw(n.Name.Name)
	} else {
		p.put(n.Name)
	}
	p.close()
}

// Unit names, as INTERVAL and EXTRACT take them.
var unitNames = [...]string{Microsecond: "MICROSECOND", Second: "SECOND", Minute: "MINUTE", Hour: "HOUR", Day: "DAY",
	Week: "WEEK", Month: "MONTH", Quarter: "QUARTER", Year: "YEAR", SecondMicrosecond: "SECOND_MICROSECOND",
	MinuteMicrosecond: "MINUTE_MICROSECOND", MinuteSecond: "MINUTE_SECOND", HourMicrosecond: "HOUR_MICROSECOND",
	HourSecond: "HOUR_SECOND", HourMinute: "HOUR_MINUTE", DayMicrosecond: "DAY_MICROSECOND", DaySecond: "DAY_SECOND",
	DayMinute: "DAY_MINUTE", DayHour: "DAY_HOUR", YearMonth: "YEAR_MONTH"}

// String returns the unit's name.
func (u IntervalUnit) String() string { return unitNames[u] }

func (n *Interval) print(p *printer) { p.put("INTERVAL ", n.X, " ", n.Unit.String()) }

func (n *DateArith) print(p *printer) {
	form := n.Form
	if p.Canonical {
		form = OperatorForm
	}
	switch {
	case form == OperatorForm:
		p.open()
		p.operand(n.Date, PrecAdd)
		p.put([...]string{" + ", " - "}[index(n.Sub)], n.Interval)
		p.close()
	case form == IntervalFirstForm:
		p.put(n.Interval, " + ")
		p.operand(n.Date, PrecNot)
	case form == DateAddForm:
		p.put([...]string{"DATE_ADD(", "DATE_SUB("}[index(n.Sub)], n.Date, ", ", n.Interval, ")")
	default:
		p.put([...]string{"ADDDATE(", "SUBDATE("}[index(n.Sub)], n.Date, ", ", n.Interval, ")")
	}
}

// index turns a flag into the index of a pair.
func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (n *Row) print(p *printer) {
	p.when(n.Keyword, "ROW")
	p.put("(")
	printList(p, n.Items)
	p.put(")")
}

func (n *Subquery) print(p *printer) { p.subquery(n.Query) }

func (n *Exists) print(p *printer) {
	p.put([...]string{"EXISTS ", "exists"}[index(p.Canonical)])
	p.subquery(n.Query)
}

func (n *Case) print(p *printer) {
	p.open()
	p.put("CASE")
	p.when(n.X != nil, " ", n.X)
	for i := range n.Whens {
		p.put(" ", &n.Whens[i])
	}
	p.when(n.Else != nil, " ELSE ", n.Else)
	p.put(" END")
	p.close()
}

func (n *When) print(p *printer) { p.put("WHEN ", n.Cond, " THEN ", n.Then) }

func (n *OdbcEscape) print(p *printer) {
	if p.Canonical {
		p.put(n.X)
		return
	}
	p.put("{", n.Name, " ", n.X, "}")
}
