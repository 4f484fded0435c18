package ast

// CreateMaskingPolicy is CREATE MASKING POLICY name (column) expression.
type CreateMaskingPolicy struct {
	Span
	IfNotExists  bool
	Name, Column Ident
	X            Expr
}

// DropMaskingPolicy is DROP MASKING POLICY.
type DropMaskingPolicy struct {
	Span
	IfExists bool
	Name     Ident
}

func (*CreateMaskingPolicy) statement() {}
func (*DropMaskingPolicy) statement()   {}
