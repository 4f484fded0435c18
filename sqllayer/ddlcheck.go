package sqllayer

// What MySQL refuses in a CREATE TABLE before it looks at anything else; go-mysql-server takes some of it, and words the rest in its own way.

import (
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// columnPlaces refuses aggregates and window functions in the definitions of columns and checks.
func columnPlaces(spec *ast.TableSpec) error {
	var parts []ast.SQLNode
	for _, c := range spec.Columns {
		parts = append(parts, c.Type.GeneratedExpr, c.Type.Default)
		if c.Type.Constraint != nil {
			parts = append(parts, c.Type.Constraint.Details)
		}
	}
	for _, c := range spec.Constraints {
		parts = append(parts, c.Details)
	}
	return nowhere(parts...)
}

// checkTableSpec checks a CREATE TABLE.
func checkTableSpec(spec *ast.TableSpec) error {
	keys := map[string]bool{}
	primary := 0
	for _, c := range spec.Columns {
		name := c.Name.String()
		if strings.HasSuffix(name, " ") || name == "" {
			return NewError(1166, "Incorrect column name '%s'", name)
		}
		if isPrimary(c) {
			primary++
		}
		if kind := strings.ToLower(c.Type.Type); kind == "decimal" || kind == "numeric" {
			if err := checkDecimal(name, &c.Type); err != nil {
				return err
			}
		}
	}
	for _, x := range spec.Indexes {
		if x.Info.Primary {
			primary++
			continue
		}
		name := x.Info.Name.Lowered()
		if name != "" && keys[name] {
			return NewError(mysql.ERDupKeyName, "Duplicate key name '%s'", x.Info.Name.String())
		}
		keys[name] = true
	}
	if primary > 1 {
		return NewError(mysql.ERMultiplePriKey, "Multiple primary key defined")
	}
	for _, o := range spec.TableOpts {
		if strings.EqualFold(o.Name, "engine") && !knownEngine(o.Value) {
			return NewError(1286, "Unknown storage engine '%s'", strings.Trim(o.Value, "'\""))
		}
	}
	return nil
}

func isPrimary(c *ast.ColumnDefinition) bool {
	buf := ast.NewTrackedBuffer(nil)
	c.Type.Format(buf)
	return strings.Contains(buf.String(), " primary key")
}

// engines that MySQL knows; tables of all of them are the engine's own here.
var engines = []string{"innodb", "myisam", "memory", "heap", "csv", "archive", "blackhole", "merge", "mrg_myisam", "federated", "ndb", "ndbcluster", "performance_schema"}

func knownEngine(name string) bool {
	name = strings.ToLower(strings.Trim(name, "'\""))
	for _, e := range engines {
		if e == name {
			return true
		}
	}
	return false
}

func checkDecimal(name string, t *ast.ColumnType) error {
	number := func(v *ast.SQLVal, otherwise int) int {
		if v == nil {
			return otherwise
		}
		n, err := strconv.Atoi(string(v.Val))
		if err != nil {
			return otherwise
		}
		return n
	}
	precision, scale := number(t.Length, 10), number(t.Scale, 0)
	switch {
	case precision > 65:
		return NewError(1426, "Too-big precision %d specified for '%s'. Maximum is 65.", precision, name)
	case scale > 30:
		return NewError(1425, "Too big scale %d specified for column '%s'. Maximum is 30.", scale, name)
	case scale > precision && precision > 0:
		return NewError(1427, "For float(M,D), double(M,D) or decimal(M,D), M must be >= D (column '%s').", name)
	}
	return nil
}
