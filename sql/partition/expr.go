package partition

import (
	"strconv"
	"strings"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
)

// number is the value of a partitioning expression.
type number struct {
	n        int64 // the bits, also of unsigned numbers
	unsigned bool
	null     bool
}

var null = number{null: true}

// less orders numbers as RANGE does. REQUIRES: neither is NULL.
func (a number) less(b number) bool {
	switch {
	case a.unsigned == b.unsigned && a.unsigned:
		return uint64(a.n) < uint64(b.n)
	case a.unsigned == b.unsigned:
		return a.n < b.n
	case a.unsigned:
		return b.n >= 0 && uint64(a.n) < uint64(b.n)
	}
	return a.n < 0 || uint64(a.n) < uint64(b.n)
}

func (a number) String() string {
	switch {
	case a.null:
		return "NULL"
	case a.unsigned:
		return strconv.FormatUint(uint64(a.n), 10)
	}
	return strconv.FormatInt(a.n, 10)
}

// formula computes an expression of a row.
type formula func(vals []row.Value) (number, error)

// instant computes a date or time of a row; ok is false for NULL.
type instant func(vals []row.Value) (m moment, ok bool)

// compiler turns trees into formulas, and refuses what MySQL does not partition by.
type compiler struct {
	def  *catalog.Table // nil: constants
	zone *time.Location // of constants: the session's time zone

	columns []int
}

// errConstant and errFunction are MySQL's refusals of expressions.
func errConstant() error {
	return errorf(1486, "Constant, random or timezone-dependent expressions in (sub)partitioning function are not allowed")
}

func errFunction() error { return errorf(1564, "This partition function is not allowed") }

// formula compiles an expression of whole numbers.
func (c *compiler) formula(x ast.Expr) (formula, error) {
	switch x := x.(type) {
	case *ast.Literal:
		return c.literal(x)
	case *ast.Column:
		return c.column(x)
	case *ast.Unary:
		return c.unary(x)
	case *ast.BinaryExpr:
		return c.binary(x)
	case *ast.Func:
		return c.function(strings.ToLower(x.Name.Name), x.Args)
	case *ast.Extract:
		return c.extract(x)
	}
	return nil, errFunction()
}

func (c *compiler) literal(x *ast.Literal) (formula, error) {
	switch x.Kind {
	case ast.NullLiteral:
		return func([]row.Value) (number, error) { return null, nil }, nil
	case ast.IntLiteral:
		n, err := strconv.ParseUint(x.Text, 10, 64)
		if err != nil {
			return nil, errFunction()
		}
		v := number{n: int64(n), unsigned: n > 1<<63-1}
		return func([]row.Value) (number, error) { return v, nil }, nil
	case ast.TrueLiteral, ast.FalseLiteral:
		v := number{}
		if x.Kind == ast.TrueLiteral {
			v.n = 1
		}
		return func([]row.Value) (number, error) { return v, nil }, nil
	}
	return nil, errNotInt
}

// errNotInt marks a constant that is no whole number.
var errNotInt = errorf(1697, "VALUES value must have type INT")

// find returns the position of a column and notes that it is used.
func (c *compiler) find(x *ast.Column) (int, error) {
	if c.def != nil {
		for i := range c.def.Columns {
			if strings.EqualFold(c.def.Columns[i].Name, x.Name.Name) {
				c.use(i)
				return i, nil
			}
		}
	}
	return 0, errorf(1054, "Unknown column '%s' in 'partition function'", x.Name.Name)
}

func (c *compiler) use(i int) {
	for _, known := range c.columns {
		if known == i {
			return
		}
	}
	c.columns = append(c.columns, i)
}

func (c *compiler) column(x *ast.Column) (formula, error) {
	i, err := c.find(x)
	if err != nil {
		return nil, err
	}
	col := &c.def.Columns[i]
	switch {
	case col.Type == row.TTimestamp:
		return nil, errConstant()
	case !col.Type.Integer() && col.Type != row.TYear && col.Type != row.TBit:
		return nil, errorf(1659, "Field '%s' is of a not allowed type for this type of partitioning", col.Name)
	}
	unsigned := col.Type >= row.TUint8 && col.Type <= row.TUint64 || !col.Type.Integer()
	return func(vals []row.Value) (number, error) {
		if vals[i].IsNull() {
			return null, nil
		}
		return number{n: int64(vals[i].N), unsigned: unsigned}, nil
	}, nil
}

func (c *compiler) unary(x *ast.Unary) (formula, error) {
	if x.Op != ast.Minus && x.Op != ast.Plus {
		return nil, errFunction()
	}
	f, err := c.formula(x.X)
	if err != nil || x.Op == ast.Plus {
		return f, err
	}
	return func(vals []row.Value) (number, error) {
		v, err := f(vals)
		if err != nil || v.null {
			return v, err
		}
		if v.unsigned && uint64(v.n) > 1<<63 {
			return v, outOfRange("BIGINT", x)
		}
		return number{n: -v.n}, nil
	}, nil
}

// outOfRange is the error of an expression whose value does not fit.
func outOfRange(what string, x ast.Expr) error {
	return errorf(1690, "%s value is out of range in '%s'", what, ast.Print(x, ast.Options{Canonical: true}))
}

// binary compiles an operator between whole numbers.
func (c *compiler) binary(x *ast.BinaryExpr) (formula, error) {
	switch x.Op {
	case ast.Add, ast.Sub, ast.Mul, ast.IntDiv, ast.Mod:
	default:
		return nil, errFunction()
	}
	l, err := c.formula(x.L)
	if err != nil {
		return nil, err
	}
	r, err := c.formula(x.R)
	if err != nil {
		return nil, err
	}
	return func(vals []row.Value) (number, error) {
		a, err := l(vals)
		if err != nil || a.null {
			return null, err
		}
		b, err := r(vals)
		if err != nil || b.null {
			return null, err
		}
		n, fits := calculate(x.Op, a, b)
		switch {
		case fits:
			return n, nil
		case n.unsigned:
			return null, outOfRange("BIGINT UNSIGNED", x)
		}
		return null, outOfRange("BIGINT", x)
	}, nil
}

// function compiles a call.
func (c *compiler) function(name string, args []ast.Expr) (formula, error) {
	switch {
	case name == "mod" && len(args) == 2:
		return c.binary(&ast.BinaryExpr{Op: ast.Mod, L: args[0], R: args[1]})
	case name == "abs" && len(args) == 1:
		f, err := c.formula(args[0])
		if err != nil {
			return nil, err
		}
		return func(vals []row.Value) (number, error) {
			v, err := f(vals)
			if err == nil && !v.unsigned && v.n < 0 {
				if v.n == -v.n {
					return v, outOfRange("BIGINT", args[0])
				}
				v.n = -v.n
			}
			return v, err
		}, nil
	case (name == "ceiling" || name == "ceil" || name == "floor") && len(args) == 1:
		return c.formula(args[0])
	case name == "unix_timestamp" && len(args) == 1:
		return c.unixTimestamp(args[0])
	case name == "datediff" && len(args) == 2:
		return c.dateDiff(args[0], args[1])
	}
	f, ok := temporalFuncs[name]
	if !ok || len(args) != 1 {
		if random[name] {
			return nil, errConstant()
		}
		return nil, errFunction()
	}
	return c.temporal(f, args[0])
}

// random are functions whose value depends on more than their arguments.
var random = map[string]bool{"rand": true, "now": true, "current_timestamp": true, "sysdate": true, "curdate": true, "curtime": true,
	"current_date": true, "current_time": true, "localtime": true, "localtimestamp": true, "utc_date": true, "utc_time": true, "utc_timestamp": true,
	"unix_timestamp": true, "from_unixtime": true, "uuid": true, "uuid_short": true, "user": true, "connection_id": true, "database": true,
	"last_insert_id": true, "sleep": true, "version": true}

func (c *compiler) temporal(f temporalFunc, arg ast.Expr) (formula, error) {
	at, err := c.instant(arg, f.date)
	if err != nil {
		return nil, err
	}
	return func(vals []row.Value) (number, error) {
		m, ok := at(vals)
		if !ok {
			return null, nil
		}
		n, ok := f.of(m)
		return number{n: n, null: !ok}, nil
	}, nil
}

// instant compiles a date or time: a column, or a literal among constants.
func (c *compiler) instant(x ast.Expr, date bool) (instant, error) {
	switch x := x.(type) {
	case *ast.Literal:
		m, ok := parseMoment(x.Text)
		if x.Kind == ast.NullLiteral {
			ok = false
		}
		return func([]row.Value) (moment, bool) { return m, ok }, nil
	case *ast.Column:
		i, err := c.find(x)
		if err != nil {
			return nil, err
		}
		t := c.def.Columns[i].Type
		if t != row.TDateTime && (t != row.TDate || !date) && (t != row.TTime || date) {
			return nil, errConstant()
		}
		return func(vals []row.Value) (moment, bool) {
			if vals[i].IsNull() {
				return moment{}, false
			}
			return momentOf(t, vals[i]), true
		}, nil
	}
	return nil, errFunction()
}

func (c *compiler) dateDiff(left, right ast.Expr) (formula, error) {
	a, err := c.instant(left, true)
	if err != nil {
		return nil, err
	}
	b, err := c.instant(right, true)
	if err != nil {
		return nil, err
	}
	return func(vals []row.Value) (number, error) {
		x, okX := a(vals)
		y, okY := b(vals)
		if !okX || !okY || x.zeroDate() || y.zeroDate() {
			return null, nil
		}
		return number{n: x.dayNumber() - y.dayNumber()}, nil
	}, nil
}

// unixTimestamp is allowed of TIMESTAMP columns, which do not depend on a time zone, and of
// constants, which are computed once.
func (c *compiler) unixTimestamp(arg ast.Expr) (formula, error) {
	switch x := arg.(type) {
	case *ast.Column:
		i, err := c.find(x)
		if err != nil {
			return nil, err
		}
		if c.def.Columns[i].Type != row.TTimestamp {
			return nil, errConstant()
		}
		return func(vals []row.Value) (number, error) {
			if vals[i].IsNull() {
				return null, nil
			}
			return number{n: vals[i].Int() / 1e6}, nil
		}, nil
	case *ast.Literal:
		if c.def == nil {
			zone := c.zone
			if zone == nil {
				zone = time.UTC
			}
			m, ok := parseMoment(x.Text)
			n := time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.second, 0, zone).Unix()
			return func([]row.Value) (number, error) { return number{n: n, null: !ok}, nil }, nil
		}
	}
	return nil, errConstant()
}

// extracts are the units of EXTRACT that are functions of their own.
var extracts = map[ast.IntervalUnit]string{ast.Year: "year", ast.Month: "month", ast.Day: "day", ast.Hour: "hour", ast.Minute: "minute",
	ast.Second: "second", ast.Microsecond: "microsecond", ast.Quarter: "quarter"}

func (c *compiler) extract(x *ast.Extract) (formula, error) {
	f, ok := temporalFuncs[extracts[x.Unit]]
	switch x.Unit {
	case ast.YearMonth:
		f = temporalFunc{date: true, of: ofAny(func(m moment) int64 { return int64(m.year*100 + m.month) })}
	default:
		if !ok {
			return nil, errFunction()
		}
	}
	return c.temporal(f, x.X)
}
