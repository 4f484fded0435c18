package sqllayer

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// ALTER CHECK and ALTER CONSTRAINT: the check is dropped and made again as it is, enforced or not.
// go-mysql-server then holds the rows against it.

// alterChecks puts the two parts in the place of the one.
func (s *Session) alterChecks(ctx *sql.Context, n *vt.AlterTable) error {
	var out []*vt.DDL
	var t *Table
	dropped := make(map[string]bool)
	for i, d := range n.Statements {
		if d.ConstraintAction == vt.DropStr {
			dropped[strings.ToLower(d.TableSpec.Constraints[0].Name)] = true
		}
		if d.ConstraintAction != lower.SetEnforced && d.ConstraintAction != lower.SetNotEnforced {
			if out != nil {
				out = append(out, d)
			}
			continue
		}
		if out == nil {
			if t = s.ownTable(ctx, n.Table); t == nil {
				return nil // go-mysql-server says so
			}
			out = append(make([]*vt.DDL, 0, len(n.Statements)+1), n.Statements[:i]...)
		}
		parts, err := checkParts(d, t.Def.Def, dropped)
		if err != nil {
			return err
		}
		out = append(out, parts...)
	}
	if out != nil {
		n.Statements = out
	}
	return nil
}

// checkParts makes the two parts that change whether a check is enforced.
func checkParts(d *vt.DDL, def *catalog.Table, dropped map[string]bool) (out []*vt.DDL, err error) {
	named := d.TableSpec.Constraints[0]
	var check *catalog.Check
	for i := range def.Checks {
		if strings.EqualFold(def.Checks[i].Name, named.Name) && !dropped[strings.ToLower(named.Name)] {
			check = &def.Checks[i]
		}
	}
	switch {
	case check == nil && named.Details != nil:
		return nil, sqlerr.NewError(3821, "Check constraint '%s' is not found in the table.", named.Name)
	case check == nil:
		return nil, sqlerr.NewError(sqlerr.ErCheckNotFound, "Constraint '%s' does not exist.", named.Name)
	}
	name, enforced := tabledef.QuoteName(check.Name), ""
	if d.ConstraintAction == lower.SetNotEnforced {
		enforced = " NOT ENFORCED"
	}
	for _, text := range []string{"DROP CHECK " + name, "ADD CONSTRAINT " + name + " CHECK (" + check.Expr + ")" + enforced} {
		stmt, err := trees.TreeOf("ALTER TABLE t "+text, 0)
		if err != nil {
			return nil, err
		}
		made := stmt.(*vt.AlterTable).Statements[0]
		made.Table, made.Auth = d.Table, d.Auth
		out = append(out, made)
	}
	return out, nil
}

// departs notes what an action takes from the table.
func departs(d *tabledef.Departures, a ast.AlterAction) {
	switch a := a.(type) {
	case *ast.DropObject:
		switch a.Object {
		case ast.ObjectColumn:
			d.Gone = append(d.Gone, tabledef.GoneColumn{Name: a.Name.Name})
		case ast.ObjectKey:
			d.Indexes = append(d.Indexes, a.Name.Name)
		case ast.ObjectCheck, ast.ObjectConstraint:
			d.Checks = append(d.Checks, a.Name.Name)
		}
	case *ast.RenameObject:
		if a.Object == ast.ObjectColumn {
			d.Gone = append(d.Gone, tabledef.GoneColumn{Name: a.From.Name, Renamed: true})
		}
	case *ast.ChangeColumn:
		name := a.Def.Name.Name
		if a.Old.Given() && !strings.EqualFold(a.Old.Name, name) {
			d.Gone = append(d.Gone, tabledef.GoneColumn{Name: a.Old.Name, Renamed: true})
			name = a.Old.Name
		}
		d.Defined = append(d.Defined, name)
	}
}
