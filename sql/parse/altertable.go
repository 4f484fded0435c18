package parse

import (
	"unicode/utf8"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// alterTable reads ALTER TABLE behind the word ALTER.
func (p *parser) alterTable(start uint32) *ast.AlterTable {
	p.next()
	a := &ast.AlterTable{Table: p.tableName()}
	for first, alone := true, true; first && p.startsAction() || !first && p.accept(','); first = false {
		if alone {
			if a.Tail = p.partitionAction(); a.Tail != nil {
				a.Span = p.from(start)
				return a
			}
		}
		x := p.alterAction()
		switch f, ok := x.(*ast.AlterFlag); {
		case ok && (f.Kind == ast.WithValidation || f.Kind == ast.WithoutValidation):
		default:
			_, ok := x.(*ast.AlterHow)
			alone = alone && ok
		}
		a.Actions = append(a.Actions, x)
	}
	switch {
	case p.is(token.PARTITION):
		a.Partition = p.partitionBy()
	case p.accept(token.REMOVE):
		p.expect(token.PARTITIONING)
		a.Remove = true
	}
	a.Span = p.from(start)
	return a
}

// startsAction reports whether an action of ALTER TABLE follows the table's name.
func (p *parser) startsAction() bool {
	return !p.oneOf(token.EOF, ';', token.PARTITION, token.REMOVE, ',')
}

// alterAction reads one action.
func (p *parser) alterAction() ast.AlterAction {
	start := p.tok.From
	switch p.tok.Kind {
	case token.ADD:
		return p.alterAdd()
	case token.CHANGE, token.MODIFY:
		return p.changeColumn()
	case token.DROP:
		return p.alterDrop()
	case token.ALTER:
		return p.alterChange()
	case token.RENAME:
		return p.alterRename()
	case token.CONVERT:
		return p.convertCharset()
	case token.ORDER:
		return p.orderTable()
	case token.ALGORITHM, token.LOCK:
		return p.alterHow()
	case token.ENABLE, token.DISABLE, token.FORCE, token.WITH, token.WITHOUT:
		return p.alterFlag()
	}
	o := &ast.AlterOptions{}
	for {
		option, ok := p.tableOption()
		if !ok {
			break
		}
		o.Options = append(o.Options, option)
	}
	p.failIf(len(o.Options) == 0)
	o.Span = p.from(start)
	return o
}

func (p *parser) alterFlag() *ast.AlterFlag {
	f := &ast.AlterFlag{}
	start := p.tok.From
	switch {
	case p.accept(token.FORCE):
		f.Kind = ast.ForceRebuild
	case p.accept(token.ENABLE):
		p.expect(token.KEYS)
		f.Kind = ast.EnableKeys
	case p.accept(token.DISABLE):
		p.expect(token.KEYS)
		f.Kind = ast.DisableKeys
	default:
		return p.validation()
	}
	f.Span = p.from(start)
	return f
}

// validation reads WITH VALIDATION or WITHOUT VALIDATION.
func (p *parser) validation() *ast.AlterFlag {
	f := &ast.AlterFlag{Kind: ast.WithValidation}
	start := p.tok.From
	if !p.accept(token.WITH) {
		p.expect(token.WITHOUT)
		f.Kind = ast.WithoutValidation
	}
	p.expect(token.VALIDATION)
	f.Span = p.from(start)
	return f
}

// alterAdd reads ADD of columns, keys and constraints.
func (p *parser) alterAdd() ast.AlterAction {
	start := p.tok.From
	p.next()
	column := p.accept(token.COLUMN)
	a := &ast.AddColumns{}
	switch {
	case p.is('('):
		a.Parens = true
		a.Elements = inParens(p, func() []ast.TableElement { return list(p, p.tableElement) })
	default:
		if !column {
			if x := p.constraint(); x != nil {
				return &ast.AddKey{Span: p.from(start), Element: x}
			}
		}
		a.Elements = []ast.TableElement{p.columnDef()}
		a.Place = p.columnPlace()
	}
	a.Span = p.from(start)
	return a
}

// columnPlace reads FIRST or AFTER a column, or returns nil.
func (p *parser) columnPlace() *ast.ColumnPlace {
	c := &ast.ColumnPlace{}
	start := p.tok.From
	switch {
	case p.accept(token.FIRST):
		c.First = true
	case p.accept(token.AFTER):
		c.After = p.ident()
	default:
		return nil
	}
	c.Span = p.from(start)
	return c
}

func (p *parser) changeColumn() *ast.ChangeColumn {
	c := &ast.ChangeColumn{}
	start := p.tok.From
	change := p.is(token.CHANGE)
	p.next()
	p.accept(token.COLUMN)
	if change {
		c.Old = p.ident()
	}
	c.Def = p.columnDef()
	c.Place = p.columnPlace()
	c.Span = p.from(start)
	return c
}

// alterDrop reads DROP of a part of the table.
func (p *parser) alterDrop() *ast.DropObject {
	d := &ast.DropObject{}
	start := p.tok.From
	p.next()
	switch {
	case p.accept(token.PRIMARY):
		p.expect(token.KEY)
		d.Object = ast.ObjectPrimaryKey
	case p.accept(token.FOREIGN):
		p.expect(token.KEY)
		d.Object, d.Name = ast.ObjectForeignKey, p.ident()
	case p.oneOf(token.KEY, token.INDEX):
		p.next()
		d.Object, d.Name = ast.ObjectKey, p.ident()
	case p.accept(token.CHECK):
		d.Object, d.Name = ast.ObjectCheck, p.ident()
	case p.accept(token.CONSTRAINT):
		d.Object, d.Name = ast.ObjectConstraint, p.ident()
	default:
		p.accept(token.COLUMN)
		d.Name = p.ident()
		d.Behavior = p.dropBehavior()
	}
	d.Span = p.from(start)
	return d
}

// alterRename reads RENAME of the table, a column or a key.
func (p *parser) alterRename() ast.AlterAction {
	start := p.tok.From
	p.next()
	if p.oneOf(token.COLUMN, token.KEY, token.INDEX) {
		r := &ast.RenameObject{}
		if !p.is(token.COLUMN) {
			r.Object = ast.ObjectKey
		}
		p.next()
		r.From = p.ident()
		p.expect(token.TO)
		if r.To = p.ident(); r.Object == ast.ObjectKey {
			p.checkLength(r.To)
		} else if utf8.RuneCountInString(r.To.Name) > longestName {
			p.later(1166, "42000", "Incorrect column name '%s'", r.To.Name)
		}
		r.Span = p.from(start)
		return r
	}
	if p.oneOf(token.TO, token.AS, '=') {
		p.next()
	}
	r := &ast.RenameTo{Table: p.tableName()}
	r.Span = p.from(start)
	return r
}

// alterChange reads ALTER of a column, a key or a constraint.
func (p *parser) alterChange() *ast.AlterChange {
	a := &ast.AlterChange{}
	start := p.tok.From
	p.next()
	switch {
	case p.accept(token.INDEX):
		a.Object, a.Name = ast.ObjectKey, p.ident()
		a.Change = p.visibility()
	case p.oneOf(token.CHECK, token.CONSTRAINT):
		a.Object = ast.ObjectCheck
		if p.is(token.CONSTRAINT) {
			a.Object = ast.ObjectConstraint
		}
		p.next()
		a.Name = p.ident()
		a.Change = ast.SetEnforced
		if p.acceptNot() {
			a.Change = ast.SetNotEnforced
		}
		p.expect(token.ENFORCED)
	default:
		p.accept(token.COLUMN)
		a.Name = p.ident()
		p.alterColumn(a)
	}
	a.Span = p.from(start)
	return a
}

// alterColumn reads what follows the name of a column behind ALTER COLUMN.
func (p *parser) alterColumn(a *ast.AlterChange) {
	if p.accept(token.DROP) {
		if a.Change = ast.DropColumnDefault; p.accept(token.MASKING) {
			p.expect(token.POLICY)
			a.Change = ast.DropMaskingPolicyOf
			return
		}
		p.expect(token.DEFAULT)
		return
	}
	p.expect(token.SET)
	if p.accept(token.MASKING) {
		p.expect(token.POLICY)
		a.Change, a.Policy = ast.SetMaskingPolicy, p.ident()
		return
	}
	if !p.accept(token.DEFAULT) {
		a.Change = p.visibility()
		return
	}
	if a.Parens = p.is('('); a.Parens {
		a.Default = inParens(p, p.expr)
		return
	}
	a.Default = p.signedLiteralOrNull()
}

func (p *parser) visibility() ast.AlterChangeKind {
	if p.accept(token.VISIBLE) {
		return ast.SetVisible
	}
	p.expect(token.INVISIBLE)
	return ast.SetInvisible
}

func (p *parser) convertCharset() *ast.ConvertCharset {
	c := &ast.ConvertCharset{}
	start := p.tok.From
	p.next()
	p.expect(token.TO)
	if !p.acceptCharset() {
		p.fail()
	}
	if !p.accept(token.DEFAULT) {
		c.Charset = p.charsetName()
	}
	if p.accept(token.COLLATE) {
		c.Collate = p.collationName()
	}
	c.Span = p.from(start)
	return c
}

func (p *parser) orderTable() *ast.OrderTable {
	o := &ast.OrderTable{}
	start := p.tok.From
	p.next()
	p.expect(token.BY)
	o.By = list(p, func() ast.OrderItem {
		item := ast.OrderItem{X: p.column()}
		item.Direction = p.direction()
		item.Span = p.from(uint32(item.X.Pos()))
		return item
	})
	o.Span = p.from(start)
	return o
}
