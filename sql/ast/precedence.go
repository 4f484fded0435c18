package ast

// Precedence orders what binds expressions together, from loose to tight. The parser climbs along
// it and the printer sets parentheses by it.
type Precedence uint8

const (
	PrecLowest Precedence = iota
	PrecOr
	PrecXor
	PrecAnd
	PrecNot     // NOT x, x IS TRUE
	PrecCompare // x = y, x IS NULL
	PrecPredicate
	PrecBitOr
	PrecBitAnd
	PrecShift
	PrecAdd
	PrecMul
	PrecBitXor
	PrecConcat
	PrecUnary
	PrecCollate
	PrecPrimary
)

var binaryPrecedence = [...]Precedence{
	Xor:   PrecXor,
	Equal: PrecCompare, NullSafeEqual: PrecCompare, NotEqual: PrecCompare, Less: PrecCompare, LessEqual: PrecCompare,
	Greater: PrecCompare, GreaterEqual: PrecCompare,
	SoundsLike: PrecPredicate,
	BitOr:      PrecBitOr, BitAnd: PrecBitAnd, ShiftLeft: PrecShift, ShiftRight: PrecShift,
	Add: PrecAdd, Sub: PrecAdd, Mul: PrecMul, Div: PrecMul, IntDiv: PrecMul, Mod: PrecMul, BitXor: PrecBitXor,
	Concat: PrecConcat,
}

// Precedence returns how tightly op binds.
func (op BinaryOp) Precedence() Precedence { return binaryPrecedence[op] }

// Operands returns the least precedence of the operands of op: without parentheses, what binds
// looser cannot stand there.
func (op BinaryOp) Operands() (left, right Precedence) {
	switch prec := op.Precedence(); prec {
	case PrecCompare:
		return PrecCompare, PrecPredicate
	case PrecPredicate:
		return PrecBitOr, PrecBitOr
	default:
		return prec, prec + 1
	}
}

// PrecedenceOf returns how tightly the outermost part of an expression binds.
func PrecedenceOf(x Expr) Precedence {
	switch x := x.(type) {
	case *BinaryExpr:
		return x.Op.Precedence()
	case *Logical:
		if x.Or {
			return PrecOr
		}
		return PrecAnd
	case *Unary:
		if x.Op == Not {
			return PrecNot
		}
		return PrecUnary
	case *Assignment:
		return PrecLowest
	case *DateArith:
		switch x.Form {
		case OperatorForm:
			return PrecAdd
		case IntervalFirstForm:
			return PrecLowest
		}
	case *Quantified:
		return PrecCompare
	case *Is:
		if x.What == IsNull {
			return PrecCompare
		}
		return PrecNot
	case *Between, *In, *Like, *Regexp, *MemberOf:
		return PrecPredicate
	case *Collate:
		return PrecCollate
	}
	return PrecPrimary
}
