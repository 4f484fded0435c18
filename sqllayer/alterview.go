package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
)

// replaceView looks at what a view replaces, which must be one. ALTER VIEW is a CREATE OR REPLACE
// VIEW to GMS: the view is there, and keeps what the statement does not say.
func (l *Layer) replaceView(ctx *sql.Context, n *plan.CreateView) (*plan.CreateView, error) {
	text := n.CreateViewString
	said, ok := storedTree(text).(*sqlast.CreateView)
	alters := ok && said.Alter
	db, own := ownDatabase(n.Database())
	if !own || !n.IsReplace {
		return n, nil
	}
	old, found, err := find[storedView](ctx, db, catalog.KindView, n.Name)
	if err != nil || found && !alters {
		return n, err
	}
	if !found {
		_, is, err := db.GetTableInsensitive(ctx, n.Name)
		switch {
		case err == nil && is:
			err = NewError(1347, "'%s.%s' is not VIEW", db.Name(), n.Name)
		case err == nil && alters:
			err = NewError(1146, "Table '%s.%s' doesn't exist", db.Name(), n.Name)
		}
		return n, err
	}
	kept, _ := parseView(old.CreateViewStatement)
	now := viewTextOf(text, said)
	if said.Algorithm == sqlast.NoViewAlgorithm {
		now.algorithm = kept.algorithm
	}
	if now.definer == "" {
		now.definer = roleOf(old.completed(db, kept.definer).Definer).quoted()
	}
	if said.Security == sqlast.NoSecurity {
		now.invoker = kept.invoker
	}
	changed := *n
	changed.CreateViewString = "CREATE OR REPLACE ALGORITHM=" + now.algorithm + " DEFINER=" + now.definer + " SQL SECURITY " + now.security() + " VIEW " +
		text[said.Name.Pos():]
	return &changed, nil
}
