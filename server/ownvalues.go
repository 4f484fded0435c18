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
	"sql_mode": func(_ *sql.Context, value, _ any, _ bool) (any, error) {
		return modesOf(sysvar.Read(value))
	},
	"lc_time_names": func(_ *sql.Context, value, _ any, _ bool) (any, error) { return sqllayer.LocaleName(value) },
	"character_set_server": func(_ *sql.Context, value, _ any, _ bool) (any, error) {
		return charsetOf("character_set_server", value)
	},
	"collation_server": func(_ *sql.Context, value, _ any, _ bool) (any, error) {
		return collationOf("collation_server", value)
	},
}

func init() {
	for _, name := range []string{"default_storage_engine", "default_tmp_storage_engine"} {
		ownValues[name] = func(_ *sql.Context, value, _ any, _ bool) (any, error) { return engineNamed(name, value) }
	}
	for _, name := range []string{"external_table_storage_engine", "external_table_secondary_storage_engine"} {
		ownValues[name] = func(_ *sql.Context, value, _ any, _ bool) (any, error) {
			if value == nil {
				return nil, nil
			}
			if _, err := engineNamed(name, value); err != nil {
				return nil, err
			}
			return nil, sqlerr.NewError(6512, "The '%s' storage engine does not support external tables", value)
		}
	}
}

// charsetOf is the character set that SET of a variable names.
func charsetOf(variable string, value any) (any, error) {
	name, ok := value.(string)
	if !ok {
		return nil, sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", variable, sysvar.Read(value))
	}
	set, err := sql.ParseCharacterSet(name)
	if err != nil {
		return nil, sqlerr.NewError(1115, "Unknown character set: '%s'", name)
	}
	return set.Name(), nil
}

// collationOf is the collation that SET of a variable names.
func collationOf(variable string, value any) (any, error) {
	name, ok := value.(string)
	if !ok {
		return nil, sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", variable, sysvar.Read(value))
	}
	c, err := sql.ParseCollation("", name, false)
	if err != nil {
		return nil, sqlerr.NewError(1273, "Unknown collation: '%s'", name)
	}
	return c.Name(), nil
}

// modesOf is the sql_mode that a value of SET means.
func modesOf(g sysvar.Given) (any, error) {
	switch _, digits := new(big.Int).SetString(g.Text, 10); {
	case g.Number && g.Whole == nil:
		return nil, sqlerr.NewError(1232, "Incorrect argument type to variable 'sql_mode'")
	case g.Null, digits && !g.Number, g.Number && g.Whole.Sign() < 0:
		return nil, sqlerr.NewError(1231, "Variable 'sql_mode' can't be set to the value of '%s'", g)
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
			return nil, sqlerr.NewError(1232, "Incorrect argument type to variable '%s'", name)
		case g.Null:
			return nil, sqlerr.NewError(1231, "Variable '%s' can't be set to the value of 'NULL'", name)
		case g.Number:
			list := strings.Split(first, ",")
			if g.Whole.Sign() < 0 || g.Whole.BitLen() > len(list) {
				return nil, sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", name, g)
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

// engineNames are the storage engines whose names a client may give.
const engineNames = "InnoDB MEMORY MRG_MYISAM CSV FEDERATED PERFORMANCE_SCHEMA MyISAM BLACKHOLE ARCHIVE"

// engineNamed is the storage engine that SET of a variable names.
func engineNamed(variable string, value any) (any, error) {
	text, ok := value.(string)
	switch {
	case value == nil:
		return nil, sqlerr.NewError(1231, "Variable '%s' can't be set to the value of 'NULL'", variable)
	case !ok:
		return nil, sqlerr.NewError(1232, "Incorrect argument type to variable '%s'", variable)
	}
	for name := range strings.FieldsSeq(engineNames) {
		if strings.EqualFold(name, text) {
			return name, nil
		}
	}
	return nil, sqlerr.NewError(1286, "Unknown storage engine '%s'", text)
}
