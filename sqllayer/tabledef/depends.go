package tabledef

import (
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sqllayer/sqlerr"
)

// Departures are what an ALTER TABLE takes from a table, or names anew.
type Departures struct {
	Adds    bool         // it adds columns
	Gone    []GoneColumn // in the order of the statement
	Defined []string     // columns that it defines anew
	Checks  []string     // that it drops
	Indexes []string     // that it drops
}

// GoneColumn is a column that no longer has its name.
type GoneColumn struct {
	Name    string
	Renamed bool
}

// Check refuses to take the name of a column that stays in use: in a generated column, a default, a
// functional index or a check. A check of one column goes with it.
func (d *Departures) Check(def *catalog.Table) error {
	if err := d.checked(def); err != nil {
		return err
	}
	for _, g := range d.Gone {
		for i := range def.Columns {
			if err := d.dependent(def, i, g.Name); err != nil {
				return err
			}
		}
	}
	stays := func(c catalog.Column) bool {
		return !c.System && !slices.ContainsFunc(d.Gone, func(g GoneColumn) bool { return !g.Renamed && strings.EqualFold(g.Name, c.Name) })
	}
	if !d.Adds && !slices.ContainsFunc(def.Columns, stays) {
		return sqlerr.NewError(1090, "You can't delete all columns with ALTER TABLE; use DROP TABLE instead")
	}
	return nil
}

// checked refuses to take the name of a column that a check uses.
func (d *Departures) checked(def *catalog.Table) error {
	checks := slices.Clone(def.Checks)
	slices.SortFunc(checks, func(a, b catalog.Check) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	for _, g := range d.Gone {
		for _, c := range checks {
			if has(d.Checks, c.Name) {
				continue
			}
			if names := ColumnsIn(c.Expr); has(names, g.Name) && (g.Renamed || len(names) > 1) {
				return sqlerr.NewError(3959, "Check constraint '%s' uses column '%s', hence column cannot be dropped or renamed.", c.Name, g.Name)
			}
		}
	}
	return nil
}

// dependent refuses to take the name of a column in use by the column at a place.
func (d *Departures) dependent(def *catalog.Table, at int, name string) error {
	c := &def.Columns[at]
	gone := func(g GoneColumn) bool { return !g.Renamed && strings.EqualFold(g.Name, c.Name) }
	switch {
	case slices.ContainsFunc(d.Gone, gone) || has(d.Defined, c.Name):
		return nil
	case c.Generated != "":
		switch {
		case !has(ColumnsIn(c.Generated), name):
			return nil
		case c.System && d.dropsKeyOf(def, at):
			return nil
		case c.System:
			return sqlerr.NewError(3837, "Column '%s' has a functional index dependency and cannot be dropped or renamed.", name)
		}
		return sqlerr.NewError(3108, "Column '%s' has a generated column dependency.", name)
	case c.HasDefault && !c.Literal && has(ColumnsIn(c.Default), name):
		return sqlerr.NewError(3766, "Column '%s' of table '%s' has a default value expression dependency and cannot be dropped or renamed.", name, def.Name)
	}
	return nil
}

// dropsKeyOf tells whether the functional index of a hidden column is dropped.
func (d *Departures) dropsKeyOf(def *catalog.Table, at int) bool {
	return slices.ContainsFunc(def.Indexes, func(x *catalog.Index) bool {
		return has(d.Indexes, x.Name) && slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Column == at })
	})
}

func has(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// CheckOrder refuses generated columns that read generated columns behind them.
func CheckOrder(def *catalog.Table) error {
	for i, c := range def.Columns {
		if c.Generated == "" || c.System {
			continue
		}
		read := ColumnsIn(c.Generated)
		if slices.ContainsFunc(def.Columns[i:], func(o catalog.Column) bool { return o.Generated != "" && has(read, o.Name) }) {
			return sqlerr.NewError(3107, "Generated column can refer only to generated columns defined prior to it.")
		}
	}
	return nil
}

// ColumnsIn are the columns that a stored expression names, each once.
func ColumnsIn(text string) (names []string) {
	x, err := parse.ParseExpr(text, parse.Options{})
	if err != nil {
		return nil
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if c, ok := n.(*ast.Column); ok && !has(names, c.Name.Name) {
			names = append(names, c.Name.Name)
		}
		return true
	})
	return names
}
