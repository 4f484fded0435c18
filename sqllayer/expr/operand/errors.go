package operand

import (
	"github.com/dolthub/vitess/go/mysql"
)

const ErWrongValueForType = 1411

const erWrongArguments = 1210

func WrongArguments(name string) error {
	return mysql.NewSQLError(erWrongArguments, "HY000", "Incorrect arguments to %s", name)
}
