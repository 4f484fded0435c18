package programs

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sqllayer/sqlerr"
)

// The levels of conditions.
const (
	LevelError   = "Error"
	levelWarning = "Warning"
	levelNote    = "Note"
)

// Condition is what a statement ends with: an error, a warning or a note.
type Condition struct {
	*mysql.SQLError
	Level string
	Under *Condition        // what RESIGNAL has put it over
	Items map[string]string // set by SIGNAL, by the names of GET DIAGNOSTICS
}

// Diagnostics are the diagnostics areas of the programs that run.
type Diagnostics struct {
	Current []Condition   // of the last statement that has left something
	Stacked [][]Condition // of the statements whose handlers run
	Raised  *Condition    // the last error, with what SIGNAL has said of it
	Fresh   []Condition   // warnings that no handler was asked for yet
}

// ConditionValue is what a handler or the name of a condition is for.
type ConditionValue struct {
	Kind  ast.DeclareHandlerConditionValue
	code  int
	State string
}

// DeclaredCondition is what a DECLARE ... CONDITION stands for.
func DeclaredCondition(n *ast.DeclareCondition) ConditionValue {
	if n.MysqlErrorCode != nil {
		return ErrorCode(n.MysqlErrorCode)
	}
	return ConditionValue{Kind: ast.DeclareHandlerCondition_SqlState, State: strings.ToUpper(n.SqlStateValue)}
}

func ErrorCode(v *ast.SQLVal) ConditionValue {
	code, _ := strconv.Atoi(string(v.Val)) // 0, which is none, was refused
	return ConditionValue{Kind: ast.DeclareHandlerCondition_MysqlErrorCode, code: code}
}

// Rank tells how closely a value describes a condition, 0: not at all.
func (v ConditionValue) Rank(c Condition) int {
	matches, rank := false, 1
	switch class := c.State[:2]; v.Kind {
	case ast.DeclareHandlerCondition_MysqlErrorCode:
		matches, rank = v.code == c.Num, 3
	case ast.DeclareHandlerCondition_SqlState:
		matches, rank = v.State == c.State, 2
	case ast.DeclareHandlerCondition_SqlWarning:
		matches = class == "01" || c.Level == levelWarning
	case ast.DeclareHandlerCondition_NotFound:
		matches = class == "02"
	case ast.DeclareHandlerCondition_SqlException:
		matches = c.Level == LevelError && class != "00" && class != "01" && class != "02"
	}
	if !matches {
		return 0
	}
	return rank
}

// NewCondition is a condition that SIGNAL makes.
func (v ConditionValue) NewCondition() *Condition {
	c := &Condition{SQLError: mysql.NewSQLError(1644, v.State, "Unhandled user-defined exception condition"), Level: LevelError}
	switch v.State[:2] {
	case "01":
		c.Num, c.Message, c.Level = 1642, "Unhandled user-defined warning condition", levelWarning
	case "02":
		c.Num, c.Message = 1643, "Unhandled user-defined not found condition"
	}
	return c
}

// longest are the characters that an item may have.
const (
	LongestItem    = 64
	LongestMessage = 128
)

func BadItem(name, value string, isText bool) error {
	if !isText {
		value = "NULL"
	}
	return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", name, value)
}

// PlainText is a value as text; false: NULL.
func PlainText(ctx *sql.Context, v any) (string, bool) {
	if v == nil {
		return "", false
	}
	text, _, err := types.LongText.Convert(ctx, v)
	if err != nil {
		return "", false
	}
	s, ok := text.(string)
	return s, ok
}
