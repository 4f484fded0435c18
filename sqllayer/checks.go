package sqllayer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
)

// GetChecks implements sql.CheckTable.
func (t *Table) GetChecks(*sql.Context) ([]sql.CheckDefinition, error) {
	out := make([]sql.CheckDefinition, len(t.def.def.Checks))
	for i, c := range t.def.def.Checks {
		out[i] = sql.CheckDefinition{Name: c.Name, CheckExpression: c.Expr, Enforced: c.Enforced}
	}
	return append(out, t.checks...), nil
}

// CreateCheck implements sql.CheckAlterableTable. Names are made as MySQL makes them.
func (t *Table) CreateCheck(ctx *sql.Context, c *sql.CheckDefinition) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		taken := func(name string) bool {
			return slices.ContainsFunc(def.Checks, func(k catalog.Check) bool { return strings.EqualFold(k.Name, name) })
		}
		name := c.Name
		for i := 1; name == ""; i++ {
			if n := fmt.Sprintf("%s_chk_%d", def.Name, i); !taken(n) {
				name = n
			}
		}
		if taken(name) {
			return sql.ErrDuplicateCheckName.New(name)
		}
		def.Checks = append(def.Checks, catalog.Check{Name: name, Expr: c.CheckExpression, Enforced: c.Enforced})
		return nil
	})
}

// DropCheck implements sql.CheckAlterableTable.
func (t *Table) DropCheck(ctx *sql.Context, name string) error {
	return t.alter(ctx, func(_ *definer, def *catalog.Table) error {
		n := len(def.Checks)
		def.Checks = slices.DeleteFunc(def.Checks, func(c catalog.Check) bool { return strings.EqualFold(c.Name, name) })
		if len(def.Checks) == n {
			return sql.ErrUnknownConstraint.New(name)
		}
		return nil
	})
}
