package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	sqlast "emberdb/sql/ast"
)

const erNoSuchKey = 1176

// knownIndexes refuses USE, FORCE and IGNORE INDEX of names that no index of the table begins with.
func (r *rewriterAST) knownIndexes() (err error) {
	ctx, ok := r.ctx.(*sql.Context)
	if !ok || r.tree == nil || sessionOf(ctx) == nil {
		return nil
	}
	sqlast.Inspect(r.tree, func(n sqlast.Node) bool {
		if t, ok := n.(*sqlast.TableSource); ok && err == nil && len(t.Indexes) > 0 {
			err = r.hintsOf(ctx, t)
		}
		return err == nil
	})
	return err
}

func (r *rewriterAST) hintsOf(ctx *sql.Context, t *sqlast.TableSource) error {
	schema, shown := t.Name.Schema.Name, t.Name.Name.Name
	if t.Alias.Given() {
		shown = t.Alias.Name
	}
	if schema == "" {
		if r.ctes[strings.ToLower(t.Name.Name.Name)] {
			return nil
		}
		schema = ctx.GetCurrentDatabase()
	}
	d, err := sessionOf(ctx).layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil // told where the table is looked for
	}
	found, ok, err := d.GetTableInsensitive(ctx, t.Name.Name.Name)
	if err != nil || !ok {
		return nil
	}
	var names []string
	if own, ok := found.(*Table); ok {
		for _, x := range own.def.indexes {
			names = append(names, x.name)
		}
	}
	for _, h := range t.Indexes {
		for _, name := range h.Names {
			begins := func(index string) bool {
				return len(index) >= len(name.Name) && strings.EqualFold(index[:len(name.Name)], name.Name)
			}
			if !slices.ContainsFunc(names, begins) {
				return NewError(erNoSuchKey, "Key '%s' doesn't exist in table '%s'", name.Name, shown)
			}
		}
	}
	return nil
}
