package bind

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// Options say how a statement is bound.
type Options struct {
	Catalog Catalog
	Text    string // that the tree was read from
	Params  []fn.Expr
	Setting fn.Setting
	Longest int // bytes of what GROUP_CONCAT gives: group_concat_max_len
	Packet  int // bytes of a document that an aggregate function makes: max_allowed_packet

	CollationID func(name string) (uint16, bool)
	CharsetID   func(name string) (uint16, bool) // the usual collation of a character set
	// Variable is the value of a user variable: nothing in the statement assigns one.
	Variable func(name string) (fn.Expr, error)
	// System is the value of a system variable.
	System func(n *ast.SystemVar) (fn.Expr, error)
	// Variables are the user variables that a statement may assign; nil: none.
	Variables fn.Variables
	// Local is the value of a variable of the stored program that the statement stands in; nil: no
	// variable has that name. It comes before columns.
	Local func(name string) (fn.Expr, error)
	// Ended tells why the statement ends; nil: it does not.
	Ended func() error
	// FullGroups tells that a column which differs within its group is an error: ONLY_FULL_GROUP_BY.
	FullGroups bool
	// SameNames lets tables of several schemas have one name. A column of one of them needs the schema.
	SameNames bool
	// Unseen tells that nobody is told the names and types of the columns.
	Unseen bool
}

// Bind binds a query that stands as a statement.
func Bind(q *ast.Query, o Options) (*Query, error) {
	b := &binder{cat: o.Catalog, text: o.Text, params: o.Params, set: o.Setting, longest: o.Longest, packet: o.Packet, ended: o.Ended,
		collationID: o.CollationID, charsetID: o.CharsetID, variable: o.Variable, local: o.Local, fullGroups: o.FullGroups, sameNames: o.SameNames, unseen: o.Unseen}
	b.variables, b.assigned, b.system = o.Variables, assignedBy(q), o.System
	out, err := b.query(nil, q)
	if err == nil {
		if err := b.assigns(out); err != nil {
			return nil, err
		}
		out.ends = b.ends
	}
	return out, err
}

// query binds a query whose names are looked for from parent on, if not in its own tables.
func (b *binder) query(parent *scope, q *ast.Query) (*Query, error) {
	if b.depth++; b.depth > mostDepth {
		return nil, fn.Refuse(fn.BySubquery, "deep queries")
	}
	defer func() { b.depth-- }()
	_, block := q.Body.(*ast.Select)
	if q.Into != nil || len(q.Locks) > 0 && !block {
		return nil, fn.Refuse(fn.ByStatement, "INTO, or a locking clause of several queries")
	}
	b.ends = b.ends || len(q.Locks) > 0 && b.depth > 1
	out := &Query{Limit: -1}
	s := &scope{parent: parent, outer: &out.Outer, locks: q.Locks}
	if err := b.with(s, parent, q.With); err != nil {
		return nil, err
	}
	switch body := q.Body.(type) {
	case *ast.Select:
		if err := b.block(s, out, body, q); err != nil {
			return nil, err
		}
	case *ast.SetOp:
		if err := b.union(s, out, body, q); err != nil {
			return nil, err
		}
	case *ast.Query:
		if q.With == nil && len(q.OrderBy) == 0 && q.Limit == nil {
			return b.query(parent, body)
		}
		if err := b.combine(s, out, []ast.QueryBody{body}, q); err != nil {
			return nil, err
		}
	case *ast.Table:
		all := &ast.Select{Span: body.Span, Items: []ast.SelectItem{{X: &ast.Star{}}}, From: []ast.TableRef{&ast.TableSource{Name: body.Name}}}
		if err := b.block(s, out, all, q); err != nil {
			return nil, err
		}
	case *ast.Values:
		if err := b.combine(s, out, rowsOf(body), q); err != nil {
			return nil, err
		}
	default:
		return nil, fn.Refuse(fn.ByStatement, "a query of another kind")
	}
	return out, b.limit(out, q.Limit)
}

// with adds common table expressions to a scope.
func (b *binder) with(s, parent *scope, w *ast.With) error {
	if w == nil {
		return nil
	}
	for i := range w.Tables {
		t := &w.Tables[i]
		for _, have := range s.with {
			if strings.EqualFold(have.name, t.Name.Name) {
				return fn.Refuse(fn.ByName, "two common tables of one name")
			}
		}
		in := &scope{parent: parent, outer: new([]int), with: s.with[:len(s.with):len(s.with)]}
		c := &common{name: t.Name.Name, columns: t.Columns, query: t.Query, scope: in}
		if w.Recursive {
			c.self = &self{}
			in.with = append(in.with, c)
		}
		s.with = append(s.with, c)
	}
	return nil
}

// harmlessOptions are the words behind SELECT that change no answer, and DISTINCT.
const harmlessOptions = ast.SelectAll | ast.SelectDistinct | ast.HighPriority | ast.StraightJoin | ast.SmallResult | ast.BigResult | ast.BufferResult

// planHints tells optimizer hints that the binder need not know: they speak of the plan alone, or the
// server has done what they ask for.
func planHints(text string) bool {
	for {
		head, rest, more := strings.Cut(text, "(")
		if !more {
			return strings.TrimSpace(head) == ""
		}
		name := strings.ToLower(strings.TrimSpace(head))
		if name = strings.TrimPrefix(name, "no_"); !planWords[name] {
			return false
		}
		if _, text, more = strings.Cut(rest, ")"); !more {
			return false
		}
	}
}

// planWords are the names of such hints, without NO_.
var planWords = map[string]bool{"bka": true, "bnl": true, "derived_condition_pushdown": true, "group_index": true, "hash_join": true, "icp": true, "index": true,
	"index_merge": true, "join_fixed_order": true, "join_index": true, "join_order": true, "join_prefix": true, "join_suffix": true, "max_execution_time": true, "merge": true, "mrr": true,
	"order_index": true, "qb_name": true, "range_optimization": true, "semijoin": true, "set_var": true, "skip_scan": true, "subquery": true}

// block binds a query block and the ORDER BY behind it.
func (b *binder) block(s *scope, out *Query, sel *ast.Select, q *ast.Query) (err error) {
	switch {
	case sel.Hints != nil && !planHints(sel.Hints.Text), sel.Options&^harmlessOptions != 0:
		return fn.Refuse(fn.ByStatement, "hints or options of SELECT")
	case sel.Qualify != nil:
		return fn.Refuse(fn.ByWindow, "QUALIFY")
	}
	if out.From, err = b.from(s, sel.From); err != nil {
		return err
	}
	if err := s.lockable(); err != nil {
		return err
	}
	x := &exprs{scope: s}
	if sel.Where != nil {
		where, err := b.condition(x, sel.Where)
		if err != nil {
			return err
		}
		out.Where = fn.Conjuncts(nil, where)
		if err := s.zeroDates(out.Where); err != nil {
			return err
		}
	}
	for i := range sel.Windows {
		for j := range i {
			if strings.EqualFold(sel.Windows[i].Name.Name, sel.Windows[j].Name.Name) {
				return fn.Refuse(fn.ByWindow, "two windows of one name")
			}
		}
	}
	x.aggs, x.windows = &out.Aggs, &windows{named: sel.Windows, used: make(map[*ast.NamedWindow]bool)}
	for i := range sel.Items {
		if err := b.item(x, out, &sel.Items[i]); err != nil {
			return err
		}
	}
	x.items = out.Items[:len(out.Items):len(out.Items)]
	if err := b.groupBy(x, out, sel.GroupBy); err != nil {
		return err
	}
	if sel.Having != nil {
		having, err := b.condition(&exprs{scope: s, aggs: x.aggs, items: x.items, having: out}, sel.Having)
		if err != nil {
			return err
		}
		if item := out.windowItem(having, x.windows.list); item != nil {
			return &fn.Fault{Code: 3594, Text: "You cannot use the alias '" + item.Name + "' of an expression containing a window function in this context.'"}
		}
		out.Having = fn.Conjuncts(nil, having)
	}
	out.Distinct = sel.Options&ast.SelectDistinct != 0
	if err := b.orderBy(x, out, q.OrderBy); err != nil {
		return err
	}
	if out.Windows = x.windows.list; x.windows.unused() {
		return fn.Refuse(fn.ByWindow, "a window that nothing uses")
	}
	if err := out.noDocuments(); err != nil && !b.set.Describes {
		return err
	}
	keys := len(out.Groups)
	if err := b.regroup(s, out); err != nil {
		return err
	}
	out.describe(keys)
	return out.vary()
}

// withoutPlus is a number or a text without the signs before it, which its heading does without.
func withoutPlus(e ast.Expr) ast.Expr {
	x := e
	for {
		u, ok := x.(*ast.Unary)
		if !ok || u.Op != ast.Plus {
			break
		}
		x = u.X
	}
	if bareLiteral(x) {
		return x
	}
	return e
}

// bareLiteral tells numbers and texts, whose headings do without signs and parentheses.
func bareLiteral(e ast.Expr) bool {
	l, ok := e.(*ast.Literal)
	return ok && l.Kind >= ast.IntLiteral && l.Kind <= ast.StringLiteral
}

// item binds a column of the select list, or what * stands for.
func (b *binder) item(x *exprs, out *Query, it *ast.SelectItem) error {
	if star, ok := it.X.(*ast.Star); ok {
		return b.star(x.scope, out, star)
	}
	e, err := b.value(x, it.X)
	if err != nil {
		return err
	}
	if c, constant := e.(*fn.Const); constant && c.IsNull() && ofUser(it.X) {
		return fn.Refuse(fn.ByVariable, "a variable that is NULL")
	}
	item := Item{Expr: e, Name: it.Alias.Name}
	shown := withoutPlus(it.X)
	switch n := shown.(type) {
	case *ast.Column:
		v, err := b.programVariable(n)
		if v == nil && err == nil {
			_, item.Origin, err = x.scope.find(n)
		}
		if err != nil {
			return err
		}
		if !it.Alias.Given() && v == nil {
			if item.Name = item.Origin.OrgName; item.Origin.Base {
				item.Name = n.Name.Name
			}
		}
	case *ast.Literal:
		if n.Kind == ast.NullLiteral && !it.Alias.Given() {
			item.Name = "NULL"
		}
		if n.Kind == ast.StringLiteral && !it.Alias.Given() {
			if item.Name = n.Text; !plainName(n.Text) && !b.hidden() {
				return fn.Refuse(fn.ByStatement, "a text without a name")
			}
		}
	}
	if item.Name == "" && !it.Alias.Given() {
		if item.Name = b.text[it.Pos():it.End()]; bareLiteral(shown) {
			item.Name = b.text[shown.Pos():shown.End()]
		}
		if !b.hidden() && (strings.ContainsAny(item.Name, "\n\t?") || strings.Contains(item.Name, "/*") || strings.Contains(item.Name, "--") || len(item.Name) > 250) {
			return fn.Refuse(fn.ByStatement, "a long or broken column name")
		}
	}
	if e.Type().Kind == types.Null && b.depth == 1 && out.From != nil && !b.set.Describes && !b.unseen {
		return fn.Refuse(fn.ByType, "a column that is NULL")
	}
	out.Items = append(out.Items, item)
	return nil
}

func ofUser(e ast.Expr) bool {
	_, ok := e.(*ast.UserVar)
	return ok
}

// hidden tells that nobody is told the name of a column of the block under way.
func (b *binder) hidden() bool { return b.unseen && b.depth == 1 }

// plainName tells a text that is the name of its column as it is.
func plainName(text string) bool {
	for _, c := range []byte(text) {
		if c < '!' || c > '~' {
			return false
		}
	}
	return text != "" && len(text) < 60
}

// star adds the columns that * or t.* stands for.
func (b *binder) star(s *scope, out *Query, star *ast.Star) error {
	if star.Schema.Given() {
		return fn.Refuse(fn.ByName, "a star with a schema")
	}
	list := s.stars
	if star.Table.Given() {
		list = nil
		for _, t := range s.tables {
			if strings.EqualFold(star.Table.Name, t.alias) {
				list = t.stars()
			}
		}
	}
	if len(list) == 0 {
		return fn.Refuse(fn.ByName, "a star without a table")
	}
	for _, at := range list {
		e, err := at.t.column(at.at)
		if err != nil {
			return err
		}
		c := &at.t.columns[at.at]
		o := c.origin
		o.Outer = o.Outer || at.t.outer
		out.Items = append(out.Items, Item{Expr: e, Name: c.name, Origin: o})
	}
	return nil
}

// stars are the columns of a table that * stands for.
func (t *visible) stars() (out []star) {
	for i := range t.columns {
		if !t.columns[i].hidden {
			out = append(out, star{t, i})
		}
	}
	return out
}
