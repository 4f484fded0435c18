package sqllayer

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Changes through views of several tables, and of views that stand among several tables. The tables
// of the view take its place in the FROM of the statement, under the alias of the view and their
// own. INSERT becomes one on the only table whose columns it names. Views that join otherwise than
// by conditions, or have subqueries, are not written through.

// Joined reads a view of several tables; nil for others, and for those that cannot be written
// through. Its tables are called by the prefix and their aliases.
func (s *Session) Joined(ctx *sql.Context, schema, name, prefix string) (*trees.JoinView, error) {
	found, err := s.layer.Provider.Database(ctx, schema)
	d, own := OwnDatabase(found)
	if err != nil || !own {
		return nil, nil
	}
	stored, is, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if err != nil || !is {
		return nil, err
	}
	at := tabledef.TableName{Schema: d.name, Name: stored.Name}
	if slices.ContainsFunc(s.writing, at.Same) {
		return nil, recursiveView(at)
	}
	s.writing = append(s.writing, at)
	defer func() { s.writing = s.writing[:len(s.writing)-1] }()
	text, _ := ParseView(stored.CreateViewStatement)
	stmt, err := trees.TreeOf(stored.CreateViewStatement, trees.ModeOf(stored.SqlMode))
	create, parsed := stmt.(*ast.DDL)
	if err != nil || !parsed || create.ViewSpec == nil || text.algorithm == "TEMPTABLE" {
		return nil, nil
	}
	sel := trees.PlainQuery(create.ViewSpec.ViewExpr)
	if sel == nil || trees.HasSubquery(sel) {
		return nil, nil
	}
	v := &trees.JoinView{Schema: d.name, Name: stored.Name, Checked: text.Check != "", From: trees.InnerJoined(sel.From)}
	if v.From == nil {
		return nil, nil
	}
	all, ok, err := s.joinedTables(ctx, d, v, sel.From, prefix)
	if err != nil || !ok {
		return nil, err
	}
	level := trees.ViewLevel{Definer: RoleOf(stored.Completed(d, text.Definer).Definer), Invoker: text.invoker}
	if err := assemble(v, all, sel, text.columns, level); err != nil || len(v.Leaves) < 2 {
		return nil, err
	}
	return v, nil
}

// joinedTables reads what a view joins; not ok if something of it cannot be written through.
func (s *Session) joinedTables(ctx *sql.Context, d *Database, v *trees.JoinView, from ast.TableExprs, prefix string) (all trees.Sources, ok bool, err error) {
	for _, t := range tableNodes(from) {
		name := t.Expr.(ast.TableName)
		alias := t.As.String()
		if alias == "" {
			alias = name.Name.String()
		}
		source := &trees.Source{Alias: alias, Table: t}
		below, _, err := s.below(ctx, d, t, false)
		if err != nil {
			return nil, false, err
		}
		if below != nil {
			v.Checked = v.Checked || len(below.Checks) > 0
			source.View = below.Place(prefix + alias)
		} else {
			schema := name.DbQualifier.String()
			if schema == "" {
				schema = d.name
			}
			if source.View, err = s.Joined(ctx, schema, name.Name.String(), prefix+alias+"."); err != nil || source.View == nil {
				return nil, false, err
			}
			v.Checked = v.Checked || source.View.Checked
			source.Joined = true
		}
		source.Columns = source.View.Columns
		all = append(all, source)
	}
	return all, true, nil
}

// tableNodes are the tables of a FROM that has nothing else.
func tableNodes(exprs ast.TableExprs) (out []*ast.AliasedTableExpr) {
	for _, e := range exprs {
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			out = append(out, tableNodes(t.Exprs)...)
		case *ast.JoinTableExpr:
			out = append(out, tableNodes(ast.TableExprs{t.LeftExpr, t.RightExpr})...)
		case *ast.AliasedTableExpr:
			out = append(out, t)
		}
	}
	return out
}

// assemble makes the view of what it joins.
func assemble(v *trees.JoinView, all trees.Sources, sel *ast.Select, names []string, level trees.ViewLevel) (err error) {
	for _, s := range all {
		for i, leaf := range s.View.Leaves {
			level.On = tabledef.TableName{Schema: s.View.Schema, Name: s.View.Name}
			leaf = &trees.WritableView{Schema: v.Schema, Name: v.Name, Table: leaf.Table, Levels: append(slices.Clone(leaf.Levels), level), Leaf: len(v.Leaves) + 1}
			v.Leaves = append(v.Leaves, leaf)
			v.Aliases = append(v.Aliases, s.View.Aliases[i])
			if !s.Joined {
				target, _ := leaf.Target()
				s.Table.Expr, s.Table.As = target, ast.NewTableIdent(s.View.Aliases[i])
			} else {
				retarget(s.View.From, s.View.Aliases[i], leaf)
			}
		}
	}
	if v.From, err = all.Placed(v.From); err != nil {
		return err
	}
	if where, err := all.Conditions(sel.Where); err != nil {
		return err
	} else if where != nil {
		v.Where = []ast.Expr{where.Expr}
	}
	if err = listJoined(v, all, sel.SelectExprs); err != nil {
		return err
	}
	for i := range min(len(names), len(v.Columns)) {
		v.Columns[i].Name = names[i]
	}
	for i := range v.Columns {
		c := v.Columns[i]
		if of := v.Leaf(&c); of >= 0 {
			c.Expr = &ast.ColName{Name: ast.NewColIdent(c.Base())}
			v.Leaves[of].Columns = append(v.Leaves[of].Columns, c)
		}
	}
	return nil
}

// retarget gives a table of a view within the view the name that it has in the outer one.
func retarget(from ast.TableExpr, alias string, leaf *trees.WritableView) {
	for _, t := range tableNodes(ast.TableExprs{from}) {
		if strings.EqualFold(t.As.String(), alias) {
			target, _ := leaf.Target()
			t.Expr = target
		}
	}
}

// listJoined reads the columns of a view.
func listJoined(v *trees.JoinView, all trees.Sources, exprs ast.SelectExprs) (err error) {
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			for _, s := range all {
				if q := e.TableName.Name.String(); q == "" || strings.EqualFold(q, s.Alias) {
					hidden := func(c trees.WritableColumn) bool { return c.Invisible }
					v.Columns = append(v.Columns, slices.DeleteFunc(slices.Clone(s.Columns), hidden)...)
				}
			}
		case *ast.AliasedExpr:
			c := trees.WritableColumn{Name: e.As.String(), Expr: e.Expr}
			if n, ok := e.Expr.(*ast.ColName); ok && c.Name == "" {
				c.Name = n.Name.String()
			} else if c.Name == "" {
				c.Name = e.InputExpression
			}
			if c.Expr, err = all.Over(e.Expr); err != nil {
				return err
			}
			v.Columns = append(v.Columns, c)
		}
	}
	return nil
}

// joinTarget finds the view of several tables that a statement changes.
func (s *Session) joinTarget(ctx *sql.Context, name ast.TableName) (*trees.JoinView, error) {
	schema := schemaOf(ctx, name)
	if schema == "" || name.Name.IsEmpty() || strings.Contains(name.Name.String(), sqlerr.ViewMark) {
		return nil, nil
	}
	if _, hidden := s.Temps.Lookup(schema, name.Name.String()); hidden {
		return nil, nil
	}
	return s.Joined(ctx, schema, name.Name.String(), name.Name.String()+".")
}

// sourcesOf reads the FROM of a statement that changes some of its tables.
func (s *Session) sourcesOf(ctx *sql.Context, exprs ast.TableExprs, outer bool) (all trees.Sources, err error) {
	for _, e := range exprs {
		var below trees.Sources
		switch t := e.(type) {
		case *ast.ParenTableExpr:
			below, err = s.sourcesOf(ctx, t.Exprs, outer)
		case *ast.JoinTableExpr:
			join := strings.ToLower(t.Join)
			below, err = s.sourcesOf(ctx, ast.TableExprs{t.LeftExpr}, outer || strings.Contains(join, "right"))
			if err == nil {
				var right trees.Sources
				right, err = s.sourcesOf(ctx, ast.TableExprs{t.RightExpr}, outer || strings.Contains(join, "left"))
				below = append(below, right...)
			}
		case *ast.AliasedTableExpr:
			var source *trees.Source
			if source, err = s.sourceOf(ctx, t); source != nil {
				source.Outer = outer
				below = trees.Sources{source}
			}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, below...)
	}
	return all, nil
}

// sourceOf reads one table or view of a FROM; nil for what has no name.
func (s *Session) sourceOf(ctx *sql.Context, t *ast.AliasedTableExpr) (*trees.Source, error) {
	name, ok := t.Expr.(ast.TableName)
	schema := schemaOf(ctx, name)
	if !ok || schema == "" {
		return nil, nil
	}
	source := &trees.Source{Alias: t.As.String(), Table: t}
	if source.Alias == "" {
		source.Alias = name.Name.String()
	}
	_, hidden := s.Temps.Lookup(schema, name.Name.String())
	if hidden {
		return source, s.tableColumns(ctx, source, schema, name)
	}
	v, ok, err := s.Writable(ctx, schema, name.Name.String(), false)
	switch {
	case err != nil:
		return nil, err
	case ok:
		source.View = v.Place(source.Alias)
		source.Columns = source.View.Columns
		return source, nil
	case v != nil:
		if source.View, err = s.Joined(ctx, schema, name.Name.String(), source.Alias+"."); err != nil {
			return nil, err
		}
		if source.Joined = true; source.View != nil {
			source.Columns = source.View.Columns
		}
		return source, nil
	}
	return source, s.tableColumns(ctx, source, schema, name)
}

// tableColumns reads those of a source that is a table.
func (s *Session) tableColumns(ctx *sql.Context, source *trees.Source, schema string, name ast.TableName) error {
	found, err := s.layer.Provider.Database(ctx, schema)
	if err != nil {
		return nil // told where the table is opened
	}
	table, ok, err := found.GetTableInsensitive(ctx, name.Name.String())
	if err == nil && ok {
		source.Columns = columnsCalled(table.Schema(ctx), source.Alias)
	}
	return err
}

func columnsCalled(schema sql.Schema, alias string) (out []trees.WritableColumn) {
	for _, c := range schema {
		if !c.HiddenSystem {
			out = append(out, trees.WritableColumn{Name: c.Name, Expr: &ast.ColName{Name: ast.NewColIdent(c.Name), Qualifier: ast.TableName{Name: ast.NewTableIdent(alias)}}})
		}
	}
	return out
}

// updatesAmong puts tables in the place of the views that an UPDATE of several tables changes.
func (s *Session) updatesAmong(ctx *sql.Context, n *ast.Update) error {
	all, err := s.sourcesOf(ctx, n.TableExprs, false)
	if err != nil {
		return err
	}
	views := false
	for _, e := range n.Exprs {
		source, _ := all.Owner(e.Name)
		if source == nil {
			source = all.Called(e.Name.Qualifier.Name.String())
		}
		if source != nil {
			source.Changed = append(source.Changed, e.Name.Name.String())
			views = views || source.View != nil || source.Joined
		}
	}
	if !views {
		return nil
	}
	for _, source := range all {
		if err := s.updatesThrough(ctx, source); err != nil {
			return err
		}
	}
	if len(all) == 1 && (n.OrderBy != nil || n.Limit != nil) {
		clause := "ORDER BY"
		if n.OrderBy == nil {
			clause = "LIMIT"
		}
		return sqlerr.NewError(1221, "Incorrect usage of UPDATE and %s", clause)
	}
	for _, e := range n.Exprs {
		if e.Expr, err = all.Over(e.Expr); err != nil {
			return err
		}
		if _, err = all.Over(e.Name); err != nil {
			return err
		}
	}
	if n.Where, err = all.Conditions(n.Where); err != nil {
		return err
	}
	return s.place(all, n.TableExprs)
}

// updatesThrough looks at what an UPDATE changes of a source. A view that is only read stays what it
// is.
func (s *Session) updatesThrough(ctx *sql.Context, source *trees.Source) error {
	if len(source.Changed) == 0 {
		source.View = nil
		return nil
	}
	if source.View == nil && !source.Joined {
		return nil // a table
	}
	if source.View == nil || source.Outer || source.View.Checked {
		return sqlerr.NewError(1288, "The target table %s of the UPDATE is not updatable", source.Alias)
	}
	leaf, err := source.View.Changed(source.Changed)
	if err != nil {
		return err
	}
	return s.mayWriteLeaf(ctx, source.View.Leaves[leaf], sql.PrivilegeType_Update)
}

// mayWriteLeaf asks that the definers of a view may change the table.
func (s *Session) mayWriteLeaf(ctx *sql.Context, leaf *trees.WritableView, need sql.PrivilegeType) error {
	if s.layer == nil || !s.layer.checksRights() {
		return nil
	}
	_, through := leaf.Target()
	return s.ViewError(s.mayWrite(ctx, through, need))
}

// place puts the tables of views into a FROM. Their authorization is that of the view.
func (s *Session) place(all trees.Sources, exprs ast.TableExprs) (err error) {
	for _, source := range all {
		if source.View == nil {
			continue
		}
		if !source.Joined {
			target, through := source.View.Leaves[0].Target()
			source.Table.Expr, source.Table.As, source.Table.Auth.Extra = target, ast.NewTableIdent(source.Alias), through
			continue
		}
		for _, t := range tableNodes(ast.TableExprs{source.View.From}) {
			at := slices.IndexFunc(source.View.Aliases, func(a string) bool { return strings.EqualFold(a, t.As.String()) })
			_, through := source.View.Leaves[at].Target()
			t.Auth = source.Table.Auth
			t.Auth.Extra = through
		}
	}
	for i := range exprs {
		if exprs[i], err = all.Placed(exprs[i]); err != nil {
			return err
		}
	}
	return nil
}

// deletesAmong puts tables in the place of the views that a DELETE of several tables empties.
func (s *Session) deletesAmong(ctx *sql.Context, n *ast.Delete) error {
	all, err := s.sourcesOf(ctx, n.TableExprs, false)
	if err != nil {
		return err
	}
	views := false
	for _, source := range all {
		if !slices.ContainsFunc(n.Targets, func(t ast.TableName) bool { return strings.EqualFold(t.Name.String(), source.Alias) }) {
			source.View = nil
			continue
		}
		switch {
		case source.View == nil && !source.Joined:
			continue
		case source.View != nil && source.Joined:
			return source.View.NoDelete()
		case source.View == nil || source.Outer:
			return sqlerr.NewError(1288, "The target table %s of the DELETE is not updatable", source.Alias)
		}
		views = true
		if err := s.mayWriteLeaf(ctx, source.View.Leaves[0], sql.PrivilegeType_Delete); err != nil {
			return err
		}
	}
	if !views {
		return nil
	}
	for i := range n.Targets { // they name aliases
		if source := all.Called(n.Targets[i].Name.String()); source != nil && source.View != nil {
			n.Targets[i].DbQualifier = ast.TableIdent{}
		}
	}
	if n.Where, err = all.Conditions(n.Where); err != nil {
		return err
	}
	return s.place(all, n.TableExprs)
}

// leafOf is one of the tables of a join view, by its number.
func (s *Session) leafOf(ctx *sql.Context, schema, view string, number int) (*trees.WritableView, error) {
	v, err := s.Joined(ctx, schema, view, "")
	if err != nil || v == nil || number < 1 || number > len(v.Leaves) {
		return nil, err
	}
	return v.Leaves[number-1], nil
}

// readsThrough are the tables whose rows somebody who reads a view gets as they are.
func (s *Session) readsThrough(ctx *sql.Context, name ast.TableName) (tables []tabledef.TableName, err error) {
	schema := schemaOf(ctx, name)
	if schema == "" || strings.Contains(name.Name.String(), sqlerr.ViewMark) {
		return nil, nil
	}
	v, ok, err := s.Writable(ctx, schema, name.Name.String(), false)
	switch {
	case err != nil || v == nil:
		return nil, err
	case ok:
		return []tabledef.TableName{v.Table}, nil
	}
	j, err := s.Joined(ctx, schema, name.Name.String(), "")
	if err != nil || j == nil {
		return nil, err
	}
	for _, leaf := range j.Leaves {
		tables = append(tables, leaf.Table)
	}
	return tables, nil
}
