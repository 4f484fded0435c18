package sqllayer_test

import (
	"os"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/go-mysql-server/sql/variables"
	"github.com/sirupsen/logrus"
)

// GMS's own bounds of innodb_lock_wait_timeout are 1 to 1; the server sets MySQL's.
func TestMain(m *testing.M) {
	logrus.SetLevel(logrus.FatalLevel)
	variables.InitSystemVariables()
	sql.SystemVariables.AddSystemVariables([]sql.SystemVariable{&sql.MysqlSystemVariable{
		Name: "innodb_lock_wait_timeout", Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both), Dynamic: true,
		Type: types.NewSystemIntType("innodb_lock_wait_timeout", 1, 1073741824, false), Default: int64(50),
	}})
	os.Exit(m.Run())
}
