package server

import (
	"math/big"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/options"
	"emberdb/server/sysvar"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/sqlmode"
)

// ownValues are what SET does with the values of variables that are more than their kind tells.
var ownValues = map[string]sysvar.OwnValue{
	"sql_mode":                      valueOf(func(value any) (any, error) { return modesOf(sysvar.Read(value)) }),
	"lc_time_names":                 valueOf(sqllayer.LocaleName),
	"character_set_server":          valueOf(func(value any) (any, error) { return nameOf("character_set_server", value, charsetNamed) }),
	"collation_server":              valueOf(func(value any) (any, error) { return nameOf("collation_server", value, collationName) }),
	"default_storage_engine":        valueOf(func(value any) (any, error) { return engineNamed("default_storage_engine", value) }),
	"default_tmp_storage_engine":    valueOf(func(value any) (any, error) { return engineNamed("default_tmp_storage_engine", value) }),
	"external_table_storage_engine": valueOf(func(value any) (any, error) { return externalEngine("external_table_storage_engine", value) }),
	"external_table_secondary_storage_engine": valueOf(func(value any) (any, error) {
		return externalEngine("external_table_secondary_storage_engine", value)
	}),
}

// valueOf is an OwnValue that goes by nothing but the value.
func valueOf(f func(value any) (any, error)) sysvar.OwnValue {
	return func(_ *sql.Context, value, _ any, _ bool) (any, error) { return f(value) }
}

// nameOf is the name that SET of a variable gives, as find knows it.
func nameOf(variable string, value any, find func(string) (string, error)) (any, error) {
	name, ok := value.(string)
	if !ok {
		return nil, sysvar.WrongValue(variable, sysvar.Read(value).String())
	}
	return find(name)
}

// charsetNamed is a character set's name as MySQL writes it.
func charsetNamed(name string) (string, error) {
	set, err := sql.ParseCharacterSet(name)
	if err != nil {
		return "", sqlerr.NewError(1115, "Unknown character set: '%s'", name)
	}
	return set.Name(), nil
}

// collationName is a collation's name as MySQL writes it.
func collationName(name string) (string, error) {
	c, err := sql.ParseCollation("", name, false)
	if err != nil {
		return "", sqlerr.NewError(1273, "Unknown collation: '%s'", name)
	}
	return c.Name(), nil
}

// modesOf is the sql_mode that a value of SET means.
func modesOf(g sysvar.Given) (any, error) {
	switch _, digits := new(big.Int).SetString(g.Text, 10); {
	case g.Number && g.Whole == nil:
		return nil, sysvar.WrongType("sql_mode")
	case g.Null, digits && !g.Number, g.Number && g.Whole.Sign() < 0:
		return nil, sysvar.WrongValue("sql_mode", g.String())
	}
	return sqlmode.NewMode(g.String())
}

// The switches of the optimizer and of its trace, as they are at first.
var switchVariables = map[string]string{
	"optimizer_switch":         sqlmode.OptimizerSwitches,
	"optimizer_trace":          "enabled=off,one_line=off",
	"optimizer_trace_features": "greedy_search=on,range_optimizer=on,dynamic_range=on,repeated_subselect=on",
}

// switches makes a variable of switches, "a=on,b=off". SET names those that change, or gives a sum of
// bits for all.
func switches(name, first string) *sysvar.Variable {
	d := &options.Def{Name: name, Kind: options.String, Default: first, Session: true, Dynamic: true}
	return sysvar.New(d, name, first).Own(func(ctx *sql.Context, value, all any, global bool) (any, error) {
		g := sysvar.Read(value)
		switch {
		case g.Number && g.Whole == nil:
			return nil, sysvar.WrongType(name)
		case g.Null:
			return nil, sysvar.WrongValue(name, g.String())
		case g.Number:
			list := strings.Split(first, ",")
			if g.Whole.Sign() < 0 || g.Whole.BitLen() > len(list) {
				return nil, sysvar.WrongValue(name, g.String())
			}
			for i, s := range list {
				which, _, _ := strings.Cut(s, "=")
				list[i] = which + "=" + [...]string{"off", "on"}[g.Whole.Bit(i)]
			}
			return strings.Join(list, ","), nil
		}
		before, _ := all.(string)
		if s := sqllayer.SessionOf(ctx); s != nil && !global {
			before = s.Text(name)
		}
		return sqlmode.Switched(name, first, before, g.Text)
	})
}

// engineNamed is the storage engine that SET of a variable names.
func engineNamed(variable string, value any) (any, error) {
	text, ok := value.(string)
	switch {
	case value == nil:
		return nil, sysvar.WrongValue(variable, "NULL")
	case !ok:
		return nil, sysvar.WrongType(variable)
	}
	tables, _ := options.Lookup("default_tmp_storage_engine")
	for _, name := range tables.Values {
		if strings.EqualFold(name, text) {
			return name, nil
		}
	}
	return nil, sqlerr.NewError(1286, "Unknown storage engine '%s'", text)
}

// externalEngine is the storage engine of tables whose rows lie elsewhere: no engine has such tables.
func externalEngine(variable string, value any) (any, error) {
	if value == nil {
		return nil, nil
	}
	if _, err := engineNamed(variable, value); err != nil {
		return nil, err
	}
	return nil, sqlerr.NewError(6512, "The '%s' storage engine does not support external tables", value)
}
