package ast

import (
	"strconv"
	"strings"

	"emberdb/sql/token"
)

// This file holds what canonical text writes in another way than the text it was read from: MySQL
// stores expressions after it has replaced synonyms, pushed NOT inwards and made conditions of
// numbers.

// condition appends an expression where a truth value is asked for. What is none is compared with
// zero.
func (p *printer) condition(x Expr) {
	if p.Canonical && !isCondition(x) {
		p.put("(0 <> ", x, ")")
		return
	}
	p.put(x)
}

// isCondition reports whether an expression yields a truth value by its form.
func isCondition(x Expr) bool {
	switch x := x.(type) {
	case *Logical, *Is, *Between, *In, *Like, *Regexp, *MemberOf, *Exists, *Quantified:
		return true
	case *BinaryExpr:
		return x.Op.Precedence() == PrecCompare || x.Op == Xor || x.Op == SoundsLike
	case *Unary:
		return x.Op == Not || x.Op == Bang
	case *Literal:
		return x.Kind == TrueLiteral || x.Kind == FalseLiteral
	}
	return false
}

var negatedOps = map[BinaryOp]BinaryOp{Equal: NotEqual, NotEqual: Equal, Less: GreaterEqual, GreaterEqual: Less,
	Greater: LessEqual, LessEqual: Greater}

// negated appends NOT x with NOT pushed inwards.
func (p *printer) negated(x Expr) {
	switch x := x.(type) {
	case *Logical:
		p.put("(")
		for i, item := range x.Items {
			p.when(i > 0, [...]string{" OR ", " AND "}[index(x.Or)])
			p.negated(item)
		}
		p.put(")")
		return
	case *BinaryExpr:
		if op, ok := negatedOps[x.Op]; ok {
			p.put(&BinaryExpr{Op: op, L: x.L, R: x.R})
			return
		}
	case *Unary:
		if x.Op == Not || x.Op == Bang {
			p.condition(x.X)
			return
		}
	case *Is:
		p.put(&Is{X: x.X, Not: !x.Not, What: x.What})
		return
	case *Between:
		p.put(&Between{X: x.X, Low: x.Low, High: x.High, Not: !x.Not})
		return
	case *Quantified:
		if op, ok := negatedOps[x.Op]; ok && x.Op != Equal && x.Op != NotEqual {
			p.put(&Quantified{Op: op, L: x.L, Quant: Any + All - x.Quant, Query: x.Query})
			return
		}
	case *In:
		if x.Query != nil {
			break
		}
		p.put(&In{X: x.X, List: x.List, Query: x.Query, Not: !x.Not})
		return
	}
	if e, ok := x.(*Exists); ok {
		p.put("(not ", e, ")")
		return
	}
	if isCondition(x) {
		p.put("(NOT(", x, "))")
		return
	}
	p.put("(0 = ", x, ")")
}

// canonicalUnary appends an operator before its operand.
func (p *printer) canonicalUnary(n *Unary) {
	switch n.Op {
	case Not, Bang:
		p.negated(n.X)
	case Plus:
		p.put(n.X)
	case Binary:
		p.put("cast(", n.X, " as char charset binary)")
	default:
		p.put(unaryNames[n.Op], "(", n.X, ")")
	}
}

// canonicalBinary appends an operator that has another form in canonical text; it returns false for
// the others.
func (p *printer) canonicalBinary(n *BinaryExpr) bool {
	switch n.Op {
	case Concat:
		p.put("concat(", n.L, ",", n.R, ")")
	case SoundsLike:
		p.put("(soundex(", n.L, ") = soundex(", n.R, "))")
	case IntDiv:
		p.put("(", n.L, " ")
		p.raw("DIV")
		p.put(" ", n.R, ")")
	case Xor:
		p.put("(")
		p.condition(n.L)
		p.put(" XOR ")
		p.condition(n.R)
		p.put(")")
	case Equal, NullSafeEqual:
		l, lok := n.L.(*Row)
		r, rok := n.R.(*Row)
		if !lok || !rok || len(l.Items) != len(r.Items) {
			return false
		}
		p.put("(")
		for i := range l.Items {
			p.when(i > 0, " AND ")
			p.put(&BinaryExpr{Op: n.Op, L: l.Items[i], R: r.Items[i]})
		}
		p.put(")")
	default:
		return false
	}
	return true
}

// functionNames are the names under which MySQL keeps functions that have several.
var functionNames = map[string]string{"substring": "substr", "mid": "substr", "ucase": "upper", "lcase": "lower",
	"character_length": "char_length", "octet_length": "length", "day": "dayofmonth", "power": "pow", "ceil": "ceiling",
	"current_timestamp": "now", "localtime": "now", "localtimestamp": "now", "current_date": "curdate",
	"current_time": "curtime", "session_user": "user", "system_user": "user", "schema": "database"}

// castFunctions are functions of one argument that are casts.
var castFunctions = map[string]string{"date": "date", "time": "time", "timestamp": "datetime"}

// canonicalFunc appends a call that has another form in canonical text; it returns false for the
// others.
func (p *printer) canonicalFunc(n *Func) bool {
	if n.Schema.Given() {
		return false
	}
	name := strings.ToLower(n.Name.Name)
	switch args := n.Args; len(args) {
	case 1:
		switch to, cast := castFunctions[name]; {
		case cast && n.Keyword:
			p.put("cast(", args[0], " as ", to, ")")
			return true
		case name == "bin", name == "oct":
			p.put("conv(", args[0], [...]string{",10,2)", ",10,8)"}[index(name == "oct")])
			return true
		case name == "isnull":
			p.put("(", args[0], " IS NULL)")
			return true
		case name == "round", name == "week", name == "yearweek":
			p.put(name, "(", args[0], ",0)")
			return true
		}
	case 2:
		switch {
		case name == "mod" && n.Keyword:
			p.put("(", args[0], " % ", args[1], ")")
			return true
		case name == "instr":
			p.put("locate(", args[1], ",", args[0], ")")
			return true
		case name == "datediff":
			p.put("(to_days(", args[0], ") - to_days(", args[1], "))")
			return true
		case (name == "adddate" || name == "subdate") && n.Keyword:
			p.put("(", args[0], [...]string{" + ", " - "}[index(name == "subdate")], "interval ", args[1], " day)")
			return true
		}
	}
	if to, ok := functionNames[name]; ok {
		p.put(to, "(")
		printList(p, n.Args)
		p.put(")")
		return true
	}
	return false
}

// canonicalNumber appends a hexadecimal or binary number.
func (p *printer) canonicalNumber(n *Literal) {
	digits := n.Text
	if n.Kind == BitLiteral {
		digits = ""
		bits := strings.Repeat("0", (8-len(n.Text)%8)%8) + n.Text
		for i := 0; i < len(bits); i += 4 {
			v, _ := strconv.ParseUint(bits[i:i+4], 2, 8)
			digits += strconv.FormatUint(v, 16)
		}
	}
	if len(digits)%2 != 0 {
		digits = "0" + digits
	}
	if digits == "" {
		p.raw("X''")
		return
	}
	p.raw("0x" + digits)
}

// canonicalString appends a string as definitions hold it, with escapes.
func (p *printer) canonicalString(s string) { p.buf = token.AppendEscaped(p.buf, s, p.Charset) }

// canonicalCast appends the type of a cast.
func (p *printer) canonicalCast(n *DataType) {
	switch {
	case n.Kind == TypeDecimal && n.Scale == "":
		length := n.Length
		if length == "" {
			length = "10"
		}
		p.put("decimal(", length, ",0)")
	case n.Kind == TypeBinary, n.Kind == TypeChar:
		p.put("char")
		p.when(n.Length != "", "(", n.Length, ")")
		switch {
		case n.Kind == TypeBinary:
			p.put(" charset binary")
		case n.National:
			p.put(" charset utf8mb3")
		case n.Charset.Given():
			p.put(" charset ", n.Charset.Name)
		}
	default:
		p.put(n)
	}
}

// canonicalElement appends the type of an array of decimal numbers.
func (p *printer) canonicalElement(n *DataType) {
	length, scale := n.Length, n.Scale
	if length == "" {
		length = "10"
	}
	if scale == "" {
		scale = "0"
	}
	p.put("decimal(", length, ", ", scale, ")")
}

// canonicalTimestamp appends TIMESTAMPADD as a sum and TIMESTAMPDIFF as a call.
func (p *printer) canonicalTimestamp(n *TimestampFunc) {
	if !n.Diff {
		p.put("(", n.B, " + interval ", n.A, " ", n.Unit.String(), ")")
		return
	}
	p.put("timestampdiff(")
	p.raw(n.Unit.String())
	p.put(",", n.A, ",", n.B, ")")
}

// canonicalSelect appends a query block, its number before it if it has one. Words that choose no
// rows are left out.
func (p *printer) canonicalSelect(n *Select) {
	if number := p.Blocks[n]; number > 0 {
		p.raw("/* select#" + strconv.Itoa(number) + " */ ")
	}
	p.raw("select ")
	for _, w := range selectWords {
		p.when(n.Options&w.option&^(SelectAll|NoCache) != 0, w.word)
	}
	printValues(p, n.Items)
	if len(n.From) > 0 {
		p.raw(" from ")
		for i, t := range n.From {
			p.when(i > 0, " join ")
			p.put(t)
		}
	}
	n.printRest(p)
}

// canonicalIn appends x IN (query), for which = ANY is another word.
func (p *printer) canonicalIn(x Expr, q *Query, not bool) {
	p.put(x, " in (", q, ")")
	p.when(not, " is false")
}

// aggregateNames are the names under which MySQL keeps aggregate functions that have several.
var aggregateNames = map[string]string{"var_pop": "variance", "stddev": "std", "stddev_pop": "std"}

// canonicalAggregate appends an aggregate function.
func (p *printer) canonicalAggregate(n *Aggregate) {
	name := strings.ToLower(n.Name.Name)
	if to, ok := aggregateNames[name]; ok {
		name = to
	}
	p.raw(name + "(")
	p.when(n.Distinct, "distinct ")
	if _, all := n.Args[0].(*Star); all {
		p.raw("0")
	} else {
		printList(p, n.Args)
	}
	for i := range n.OrderBy {
		p.put([...]string{",", " order by "}[index(i == 0)], n.OrderBy[i].X)
		p.raw([...]string{" ASC", " DESC"}[index(n.OrderBy[i].Direction == Descending)])
	}
	if name == "group_concat" {
		p.raw(" separator ")
		if n.Separator == nil {
			p.raw("','")
		} else {
			p.put(n.Separator)
		}
	}
	p.raw(")")
	p.when(n.Over != nil, " ", n.Over)
}

// canonicalWindow appends a window, its clauses in large words.
func (p *printer) canonicalWindow(n *Window) {
	p.raw("(")
	if n.Base.Given() {
		p.put(n.Base, " ")
	}
	if len(n.PartitionBy) > 0 {
		p.raw("PARTITION BY ")
		printValues(p, n.PartitionBy)
		p.raw(" ")
	}
	if len(n.OrderBy) > 0 {
		p.raw("ORDER BY ")
		printValues(p, n.OrderBy)
		p.raw(" ")
	}
	if n.Frame != nil {
		from := len(p.buf)
		p.put(n.Frame)
		for i := from; i < len(p.buf); i++ {
			if c := p.buf[i]; 'a' <= c && c <= 'z' {
				p.buf[i] = c - 0x20
			}
		}
	}
	p.raw(")")
}
