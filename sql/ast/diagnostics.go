package ast

// GetDiagnostics is GET DIAGNOSTICS.
type GetDiagnostics struct {
	Span
	Area      DiagnosticsArea
	Condition Expr // nil: statement information
	Items     []DiagnosticsItem
}

// DiagnosticsArea is the area that is read.
type DiagnosticsArea uint8

const (
	DefaultArea DiagnosticsArea = iota
	CurrentArea
	StackedArea
)

// DiagnosticsItem sets a variable to an item. Name is the item's word in capitals.
type DiagnosticsItem struct {
	Span
	Target Expr // *UserVar or *Column
	Name   string
}

// Signal is SIGNAL and RESIGNAL.
type Signal struct {
	Span
	Resignal bool
	State    *Literal // SQLSTATE
	Name     Ident    // of a condition
	Items    []SignalItem
}

// SignalItem sets an item of the condition. Name is the item's word in capitals.
type SignalItem struct {
	Span
	Name  string
	Value Expr
}

func (*GetDiagnostics) statement() {}
func (*Signal) statement()         {}
