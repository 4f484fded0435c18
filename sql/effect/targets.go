package effect

import (
	"strings"

	"emberdb/sql/ast"
)

// Targets lists the tables whose rows a statement changes, as far as its tree tells: the target of
// INSERT, REPLACE and LOAD, the tables of a DELETE, the tables of an UPDATE that may be set. all is
// false when something else is changed too, or when the tree does not tell.
func Targets(tree ast.Statement) (tables []ast.TableName, all bool) {
	switch n := tree.(type) {
	case *ast.Insert:
		return []ast.TableName{n.Table}, true
	case *ast.Load:
		return []ast.TableName{n.Table}, true
	case *ast.Delete:
		if n.Source == nil {
			return []ast.TableName{n.Targets[0].Name}, true
		}
		return deleted(n)
	case *ast.Update:
		return updated(n)
	case *ast.Explain:
		if n.Statement != nil {
			return Targets(n.Statement)
		}
	}
	return nil, false
}

// deleted resolves the targets of a DELETE from several tables, which may be aliases.
func deleted(n *ast.Delete) (tables []ast.TableName, all bool) {
	sources := sourcesOf(n.Source)
	for _, t := range n.Targets {
		name := t.Name
		if !name.Schema.Given() {
			for _, s := range sources {
				if s.Alias.Given() && strings.EqualFold(s.Alias.Name, name.Name.Name) {
					name = s.Name
				}
			}
		}
		tables = append(tables, name)
	}
	return tables, true
}

// updated lists all tables of an UPDATE: which of them is set is known once its columns are.
func updated(n *ast.Update) (tables []ast.TableName, all bool) {
	for _, s := range sourcesOf(n.Tables) {
		tables = append(tables, s.Name)
	}
	return tables, true
}

// sourcesOf lists the tables of FROM. Derived tables have none that can be changed.
func sourcesOf(refs []ast.TableRef) (out []*ast.TableSource) {
	for _, r := range refs {
		switch r := r.(type) {
		case *ast.TableSource:
			out = append(out, r)
		case *ast.Join:
			out = append(out, sourcesOf([]ast.TableRef{r.L, r.R})...)
		case *ast.TableList:
			out = append(out, sourcesOf(r.Tables)...)
		}
	}
	return out
}
