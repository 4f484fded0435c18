package sqllayer

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
)

// AlterRoutine is ALTER PROCEDURE and ALTER FUNCTION: other characteristics in the text that is
// stored.
func (s *Session) AlterRoutine(ctx *sql.Context, n *sqlast.AlterRoutine) error {
	kind, schema, name := "PROCEDURE", s.GetCurrentDatabase(), n.Name.Name.Name
	if n.Kind == sqlast.Function {
		kind = "FUNCTION"
	}
	if n.Name.Schema.Given() {
		schema = n.Name.Schema.Name
	}
	if schema == "" {
		return NewError(1046, "No database selected")
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return NewError(1049, "Unknown database '%s'", schema)
	}
	if !mayUseRoutine(ctx, d.name, name, kind == "PROCEDURE", sql.PrivilegeType_AlterRoutine) {
		return routineDenied("alter routine", s.account(), d.name, name)
	}
	if err := s.mayTouchRoutine(ctx, d.name, name, kind == "PROCEDURE"); err != nil {
		return err
	}
	altered := func(text string) (string, error) {
		r := parseRoutine(text)
		if r == nil || r.kind != kind {
			return "", NewError(1305, "%s %s.%s does not exist", kind, d.name, name)
		}
		r.characterize(n.Characteristics)
		return r.head + "\n" + r.shownTraits() + r.body, nil
	}
	if kind == "FUNCTION" {
		f, _, err := find[storedFunction](ctx, d, catalog.KindFunction, name)
		if err != nil {
			return err
		}
		if f.Text, err = altered(f.Text); err != nil {
			return err
		}
		f.Modified = time.Now()
		err = d.put(ctx, catalog.KindFunction, f.Name, f)
		return s.ended(ctx, err)
	}
	p, _, err := find[storedProcedure](ctx, d, catalog.KindProcedure, name)
	if err != nil {
		return err
	}
	if p.CreateStatement, err = altered(p.CreateStatement); err != nil {
		return err
	}
	p.ModifiedAt = time.Now()
	err = d.put(ctx, catalog.KindProcedure, p.Name, p)
	return s.ended(ctx, err)
}

// ended commits a definition that no plan of GMS's has changed.
func (s *Session) ended(ctx *sql.Context, err error) error {
	if err != nil {
		return err
	}
	return s.CommitTransaction(ctx, ctx.GetTransaction())
}
