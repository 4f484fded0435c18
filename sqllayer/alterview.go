package sqllayer

// ALTER VIEW, which the library's grammar lacks: a CREATE OR REPLACE VIEW of a view that is there.

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/engine/catalog"
)

// alterMark tells that CREATE OR REPLACE VIEW was ALTER VIEW.
const alterMark = "/*\x00alter*/"

const accountPart = "(?:'[^']*'|\"[^\"]*\"|`[^`]*`|[\\w.%-]+)"

var alterView = regexp.MustCompile(`(?is)^(\s*)alter(\s+(?:algorithm\s*=\s*\w+\s+)?(?:definer\s*=\s*` + accountPart + `(?:\s*@\s*` + accountPart + `|\s*\(\s*\))?\s+)?(?:sql\s+security\s+\w+\s+)?)(view\s)`)

// alteredView writes ALTER VIEW as CREATE OR REPLACE VIEW.
func alteredView(query string) string {
	if !startsWith(query, "alter") {
		return query
	}
	return alterView.ReplaceAllString(query, "${1}CREATE OR REPLACE${2}"+alterMark+"${3}")
}

// replaceView looks at what a view replaces, which must be one: ALTER VIEW's is there, and keeps what the statement does not say.
func (l *Layer) replaceView(ctx *sql.Context, n *plan.CreateView) (*plan.CreateView, error) {
	head, rest, alters := strings.Cut(n.CreateViewString, alterMark)
	db, ok := ownDatabase(n.Database())
	if !ok || !n.IsReplace {
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
	said := tokensOf(head)
	says := func(word string) bool { return slices.ContainsFunc(said, func(t token) bool { return t.is(word) }) }
	now, _ := parseView(head + rest)
	if !says("algorithm") {
		now.algorithm = kept.algorithm
	}
	if now.definer == "" {
		now.definer = roleOf(old.completed(db, kept.definer).Definer).quoted()
	}
	if !says("security") {
		now.invoker = kept.invoker
	}
	changed := *n
	changed.CreateViewString = "CREATE OR REPLACE ALGORITHM=" + now.algorithm + " DEFINER=" + now.definer + " SQL SECURITY " + now.security() + " " + rest
	return &changed, nil
}
