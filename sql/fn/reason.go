package fn

import (
	"errors"
	"strings"

	"emberdb/sql/types"
)

// Reason is the kind of thing that is refused.
type Reason uint8

const (
	ByStatement Reason = iota + 1 // a statement of another kind, or a clause of it
	ByTable                       // no plain base table: a view, a temporary table, a table function
	ByRights                      // the account has no right on a table as a whole
	ByColumn                      // the type of a column, or a column that is not stored
	ByName                        // a name that is not found or ambiguous
	ByType                        // operands of types that are not computed with
	ByFunction                    // a function
	ByVariable                    // user and system variables, parameters
	BySubquery                    // a subquery that stands where none is planned
	ByGroup                       // GROUP BY, HAVING and aggregate functions
	ByWindow                      // window functions
	ByRow                         // a value that was met: an overflow, a division by zero
	BySession                     // settings and state of the session
	ByShort                       // a statement that other ways run better
	reasons
)

var reasonNames = [reasons]string{"", "statement", "table", "rights", "column", "name", "type", "function", "variable", "subquery", "group", "window", "row", "session", "short"}

// String is the reason in a word.
func (r Reason) String() string { return reasonNames[r] }

// Reasons are all of them.
func Reasons() (all []Reason) {
	for r := ByStatement; r < reasons; r++ {
		all = append(all, r)
	}
	return all
}

// Refused says that a statement has to run another way.
type Refused struct {
	Reason Reason
	What   string
}

// Error implements error.
func (r *Refused) Error() string { return "refused for " + r.Reason.String() + ": " + r.What }

// Refuse makes a Refused.
func Refuse(r Reason, what string) error { return &Refused{r, what} }

// IsRefusal tells errors that say that a statement has to run another way, and why.
func IsRefusal(err error) (Reason, bool) {
	var r *Refused
	switch {
	case errors.As(err, &r):
		return r.Reason, true
	case errors.Is(err, types.ErrRange):
		return ByRow, true
	}
	return 0, false
}

// Fault is an error that MySQL raises.
type Fault struct {
	Code int
	Text string
}

// Error implements error.
func (f *Fault) Error() string { return f.Text }

// errZero is a division by zero, which leaves a warning.
var errZero = Refuse(ByRow, "division by zero")

// certain are the functions that are computed for whatever values there are.
var certain = map[string]bool{"=": true, "<=>": true, "<>": true, "<": true, "<=": true, ">": true, ">=": true, "and": true, "or": true, "xor": true, "not": true,
	"isnull": true, "isnotnull": true, "substring": true, "concat": true, "null": true, "abs": true, "date": true, "midnight": true, "float": true}

// MayRefuse tells whether the node itself, its operands aside, may refuse a row. It tells so where
// it does not know.
func MayRefuse(e Expr) bool {
	switch e := e.(type) {
	case *Column, *Const, *Case:
		return false
	case *Call:
		if strings.HasSuffix(e.Name, Rounded) {
			return false
		}
		if !certain[strings.ToLower(e.Name)] && !strings.HasPrefix(e.Name, "like") && !strings.HasPrefix(e.Name, "extract ") {
			return true
		}
		for _, a := range e.Args { // numbers of different scales may have no common one
			if t := a.Type(); t.Kind == types.Decimal && (t.Scale != e.Args[0].Type().Scale || e.Args[0].Type().Kind != types.Decimal) {
				return true
			}
		}
		return false
	}
	return true
}
