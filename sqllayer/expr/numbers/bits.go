package numbers

import (
	"encoding/hex"
	"math/big"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/expr/operand"
)

// b'1000001' and x'41' are both texts of bytes and numbers in MySQL, as the place they stand in
// wants; go-mysql-server takes the one for a number and the other for bytes wherever they stand.
// The functions here write the one as the other: bits become bytes, and either a number where one
// is wanted. In definitions bits stay what they are, as the defaults of BIT columns are shown.

// IsBits tells whether a literal is one of bits or bytes. LOAD DATA has literals that are nil.
func IsBits(v *ast.SQLVal) bool {
	return v != nil && (v.Type == ast.BitVal || v.Type == ast.HexVal || v.Type == ast.HexNum)
}

// BytesLiteral is e where a text is wanted.
func BytesLiteral(e ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.BitVal {
		return e
	}
	n, ok := new(big.Int).SetString("0"+string(v.Val), 2)
	if !ok {
		return e
	}
	bytes := n.FillBytes(make([]byte, (len(v.Val)+7)/8))
	return &ast.SQLVal{Type: ast.HexVal, Val: []byte(hex.EncodeToString(bytes))}
}

// NumberLiteral is e where a number is wanted, also as one of several values. Of more bytes than a
// number has the last ones count.
func NumberLiteral(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.FuncExpr:
		if name := e.Name.Lowered(); name == "if" || name == "ifnull" || name == "coalesce" || name == CaseResult {
			for _, arg := range e.Exprs {
				if a, ok := arg.(*ast.AliasedExpr); ok {
					a.Expr = NumberLiteral(a.Expr)
				}
			}
		}
	case *ast.CaseExpr:
		for _, w := range e.Whens {
			w.Val = NumberLiteral(w.Val)
		}
		e.Else = NumberLiteral(e.Else)
	}
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.HexVal && v.Type != ast.HexNum {
		return e
	}
	digits := string(v.Val)
	if v.Type == ast.HexNum {
		digits = strings.ToLower(digits)[len("0x"):]
	}
	n, ok := new(big.Int).SetString("0"+digits[max(0, len(digits)-16):], 16)
	if !ok {
		return e
	}
	return &ast.SQLVal{Type: ast.BitVal, Val: []byte(n.Text(2))}
}

// numeric are the functions that take numbers, all of their arguments.
var numeric = map[string]bool{}

func init() {
	for _, name := range strings.Fields(`abs acos asin atan atan2 avg bit_and bit_count bit_or bit_xor ceil ceiling cos cot degrees exp floor format from_days inet_ntoa ln log
		log10 log2 makedate maketime mod pow power radians rand round sec_to_time sign sin sleep sqrt std stddev stddev_pop stddev_samp sum tan truncate var_pop
		var_samp variance`) {
		numeric[name] = true
	}
	numeric[operand.IntervalOf] = true
	operand.Register(sql.Function1{Name: storedBytes, Fn: func(_ *sql.Context, e sql.Expression) sql.Expression {
		l, ok := e.(*expression.Literal)
		if !ok {
			return e
		}
		bytes, _ := l.Value().([]byte)
		return expression.NewLiteral(operand.Bytes(bytes), types.LongBlob)
	}})
}

// storedBytes is the name of the function that tells a literal of bytes on its way into a column
// from other bytes.
const storedBytes = "stored bytes "

// stored is a value for a column.
func stored(e ast.Expr) ast.Expr {
	if v, ok := e.(*ast.SQLVal); ok && IsBits(v) {
		return operand.CallOf(storedBytes, v)
	}
	return e
}

// StoredLiterals tells the literals that a statement gives to columns from others, in place, and
// writes one that is a condition as a number.
func StoredLiterals(n any) {
	switch n := n.(type) {
	case *ast.AssignmentExpr:
		n.Expr = stored(n.Expr)
	case *ast.Where:
		n.Expr = NumberLiteral(n.Expr)
	case *ast.Insert:
		switch rows := n.Rows.(type) {
		case *ast.AliasedValues:
			for _, row := range rows.Values {
				for i := range row {
					row[i] = stored(row[i])
				}
			}
		case *ast.Select:
			for _, e := range rows.SelectExprs {
				if e, ok := e.(*ast.AliasedExpr); ok && !rows.QueryOpts.Distinct {
					e.Expr = stored(e.Expr)
				}
			}
		}
	}
}

// OperandLiterals writes the literals that e takes for true or false as numbers, in place.
func OperandLiterals(e ast.Expr) {
	switch e := e.(type) {
	case *ast.AndExpr:
		e.Left, e.Right = NumberLiteral(e.Left), NumberLiteral(e.Right)
	case *ast.OrExpr:
		e.Left, e.Right = NumberLiteral(e.Left), NumberLiteral(e.Right)
	case *ast.XorExpr:
		e.Left, e.Right = NumberLiteral(e.Left), NumberLiteral(e.Right)
	case *ast.NotExpr:
		e.Expr = NumberLiteral(e.Expr)
	case *ast.CaseExpr:
		for _, w := range e.Whens {
			if e.Expr == nil {
				w.Cond = NumberLiteral(w.Cond)
			}
		}
	case *ast.IsExpr:
		if e.Operator != ast.IsNullStr && e.Operator != ast.IsNotNullStr {
			e.Expr = NumberLiteral(e.Expr)
		}
	}
}

// ArgumentLiterals writes the literals among a function's arguments as it wants them, in place.
func ArgumentLiterals(f *ast.FuncExpr) {
	name := f.Name.Lowered()
	if name == "bin" || name == "oct" {
		name = "conv" // which they are
	}
	letters, known := operand.TextArguments[name]
	for i, arg := range f.Exprs {
		a, ok := arg.(*ast.AliasedExpr)
		if ok && (numeric[name] || name == "if" && i == 0 || known && strings.ContainsRune("d.", rune(operand.LetterOf(letters, i)))) {
			a.Expr = NumberLiteral(a.Expr)
		}
	}
}

// besideColumn is the name of the function that gives a literal of bytes, or the number that it is
// if the column it is compared with has numbers.
const besideColumn = "beside column "

func init() {
	operand.Register(sql.Function2{Name: besideColumn, Fn: func(ctx *sql.Context, literal, column sql.Expression) sql.Expression {
		l, ok := literal.(*expression.Literal)
		if !ok || operand.KindOf(column.Type(ctx))&(operand.Numbers|operand.Bitfields) == 0 {
			return literal
		}
		bytes, _ := l.Value().([]byte)
		return expression.NewLiteral(operand.Bytes(bytes).Number(), types.Uint64)
	}})
}

// beside is an operand of a comparison with other.
func beside(e, other ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.HexVal && v.Type != ast.HexNum {
		return e
	}
	switch other := other.(type) {
	case *ast.ColName:
		return operand.CallOf(besideColumn, e, other)
	case *ast.SQLVal:
		if other.Type == ast.IntVal || other.Type == ast.FloatVal {
			return NumberLiteral(e)
		}
	}
	return e
}

// ComparedLiterals writes the literals of bytes among the operands of a comparison as numbers where
// the others are, in place.
func ComparedLiterals(e ast.Expr) {
	switch e := e.(type) {
	case *ast.RangeCond:
		e.Left, e.From, e.To = beside(e.Left, e.From), beside(e.From, e.Left), beside(e.To, e.Left)
	case *ast.ComparisonExpr:
		switch e.Operator {
		case ast.InStr, ast.NotInStr:
			if list, ok := e.Right.(ast.ValTuple); ok {
				left := e.Left
				e.Left = beside(left, list[0])
				for i := range list {
					list[i] = beside(list[i], left)
				}
			}
		case ast.EqualStr, ast.NotEqualStr, ast.LessThanStr, ast.LessEqualStr, ast.GreaterThanStr, ast.GreaterEqualStr, ast.NullSafeEqualStr:
			e.Left, e.Right = beside(e.Left, e.Right), beside(e.Right, e.Left)
		}
	}
}
