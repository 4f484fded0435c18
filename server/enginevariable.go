package server

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/sqlerr"
)

// engineNames are the storage engines whose names a client may give.
var engineNames = []string{"InnoDB", "MEMORY", "MRG_MYISAM", "CSV", "FEDERATED", "PERFORMANCE_SCHEMA", "MyISAM", "BLACKHOLE", "ARCHIVE"}

// defaultEngine is a variable that names a storage engine.
func defaultEngine(name string, hint bool) sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name: name, Type: engineType{types.NewSystemEnumType(name, engineNames...), name}, Default: engineNames[0],
		Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both), Dynamic: true, SetVarHintApplies: hint,
	}
}

// engineType is the type of a variable that names a storage engine. MySQL has errors of their own
// for unknown names and for values that are no names.
type engineType struct {
	sql.SystemVariableType
	variable string
}

// Convert implements sql.Type.
func (t engineType) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if v != nil {
		text, ok := v.(string)
		if !ok {
			return nil, sql.InRange, sqlerr.NewError(1232, "Incorrect argument type to variable '%s'", t.variable)
		}
		if converted, in, err := t.SystemVariableType.Convert(ctx, v); err == nil {
			return converted, in, nil
		}
		return nil, sql.InRange, sqlerr.NewError(1286, "Unknown storage engine '%s'", text)
	}
	return t.SystemVariableType.Convert(ctx, v)
}
