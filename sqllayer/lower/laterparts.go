package lower

import (
	"slices"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// GMS plans the parts of ALTER TABLE before the first of them runs. A part whose expression names a
// column that the statement makes or renames is planned when the parts before it have run, and so
// are those that add something behind it. CHECKs come last, as MySQL holds rows against the new table.

// LaterParts are the parts of a statement that are planned when the others have run.
func LaterParts(n *ast.AlterTable) []ast.AlterAction {
	_, later := apartByNames(n)
	return later
}

// apartByNames tells the parts that GMS plans at once from those that are planned later.
func apartByNames(n *ast.AlterTable) (now, later []ast.AlterAction) {
	given, actions := namesGiven(n), n.Actions
	if ReplacedPrimary(n) != nil {
		actions = slices.DeleteFunc(slices.Clone(actions), aboutPrimary)
	}
	if len(given) == 0 || len(actions) == 1 && len(given) == 1 {
		return actions, nil
	}
	parts := singly(actions)
	slices.SortStableFunc(parts, func(a, b ast.AlterAction) int { return checksLast(a) - checksLast(b) })
	first := slices.IndexFunc(parts, func(a ast.AlterAction) bool { return adds(a) && namesAny(a, given) })
	if first < 0 {
		return actions, nil
	}
	now = slices.Clone(parts[:first])
	for _, a := range parts[first:] {
		if adds(a) {
			later = append(later, a)
		} else {
			now = append(now, a)
		}
	}
	return now, later
}

// ReplacedPrimary is the primary key that a statement adds in the place of the one that it drops:
// the rows move once, and meanwhile AUTO_INCREMENT columns need no other key. nil: there is none, or
// columns are dropped or renamed too.
func ReplacedPrimary(n *ast.AlterTable) (key *ast.KeyDef) {
	drops := false
	for _, a := range n.Actions {
		switch a := a.(type) {
		case *ast.DropObject:
			if a.Object == ast.ObjectColumn {
				return nil
			}
			drops = drops || a.Object == ast.ObjectPrimaryKey
		case *ast.ChangeColumn, *ast.RenameObject:
			return nil
		default:
			if k, ok := added(a).(*ast.KeyDef); ok && aboutPrimary(a) {
				key = k
			}
		}
	}
	if !drops {
		return nil
	}
	return key
}

// aboutPrimary tells a part that drops or adds a primary key, and nothing else.
func aboutPrimary(a ast.AlterAction) bool {
	switch a := a.(type) {
	case *ast.DropObject:
		return a.Object == ast.ObjectPrimaryKey
	case *ast.AddColumns:
		if len(a.Elements) != 1 {
			return false
		}
	}
	k, ok := added(a).(*ast.KeyDef)
	return ok && k.Kind == ast.PrimaryKey && !IsFunctional(k)
}

// namesGiven are the names that columns get from a statement, in small letters.
func namesGiven(n *ast.AlterTable) (names []string) {
	give := func(name ast.Ident) { names = append(names, strings.ToLower(name.Name)) }
	for _, a := range n.Actions {
		switch a := a.(type) {
		case *ast.AddColumns:
			for _, e := range a.Elements {
				if c, ok := e.(*ast.ColumnDef); ok {
					give(c.Name)
				}
			}
		case *ast.ChangeColumn:
			if a.Old.Given() && !strings.EqualFold(a.Old.Name, a.Def.Name.Name) {
				give(a.Def.Name)
			}
		case *ast.RenameObject:
			if a.Object == ast.ObjectColumn {
				give(a.To)
			}
		}
	}
	return names
}

// singly makes a part of each element that is added.
func singly(actions []ast.AlterAction) (out []ast.AlterAction) {
	for _, a := range actions {
		add, ok := a.(*ast.AddColumns)
		if !ok || len(add.Elements) == 1 {
			out = append(out, a)
			continue
		}
		for _, e := range add.Elements {
			out = append(out, &ast.AddColumns{Span: add.Span, Elements: []ast.TableElement{e}})
		}
	}
	return out
}

// added is what a part adds; nil: it adds nothing.
func added(a ast.AlterAction) ast.TableElement {
	switch a := a.(type) {
	case *ast.AddColumns:
		return a.Elements[0]
	case *ast.AddKey:
		return a.Element
	}
	return nil
}

// adds tells whether a part adds something. Functional keys are planned later in any case.
func adds(a ast.AlterAction) bool {
	e := added(a)
	return e != nil && !IsFunctional(e)
}

// checksLast is 1 for a part that adds a CHECK, else 0.
func checksLast(a ast.AlterAction) int {
	if _, ok := added(a).(*ast.Check); ok {
		return 1
	}
	return 0
}

// namesAny tells whether an expression of a part names one of the columns, other than its own.
func namesAny(a ast.AlterAction, names []string) (found bool) {
	own := ""
	if c, ok := added(a).(*ast.ColumnDef); ok {
		own = c.Name.Name
	}
	ast.Inspect(a, func(n ast.Node) bool {
		if c, ok := n.(*ast.Column); ok {
			found = found || !strings.EqualFold(c.Name.Name, own) && slices.Contains(names, strings.ToLower(c.Name.Name))
		}
		return !found
	})
	return found
}

// laterPart stands for a part that is planned later: it asks for the same right.
func (l *lowerer) laterPart(a ast.AlterAction) *vt.DDL {
	d := alterFlag(&ast.AlterFlag{Kind: ast.EnableKeys})
	for _, part := range l.alterAction(a) {
		d.Auth.AuthType = part.Auth.AuthType
	}
	return d
}
