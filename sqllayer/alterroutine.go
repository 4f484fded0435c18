package sqllayer

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
)

// AlterRoutine is ALTER PROCEDURE and ALTER FUNCTION: other characteristics in the text that is stored. bad is the place of a syntax error, -1 if there is none.
func (s *Session) AlterRoutine(ctx *sql.Context, query string) (bad int, err error) {
	w := &dialectWriter{query: query, tokens: tokensOf(strings.TrimRight(query, "; \t\r\n"))}
	kind, i := strings.ToUpper(w.at(1).text), 3
	schema, name := s.GetCurrentDatabase(), bareName(w.at(2).text)
	if w.at(i).text == "." {
		schema, name, i = name, bareName(w.at(4).text), 5
	}
	if end := new(routine).traits(w, i); end < len(w.tokens) {
		return w.at(end).at, nil
	}
	for _, t := range w.tokens[min(i, len(w.tokens)):] {
		if t.is("deterministic") { // CREATE alone may say so
			return t.at, nil
		}
	}
	if schema == "" {
		return -1, NewError(1046, "No database selected")
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return -1, NewError(1049, "Unknown database '%s'", schema)
	}
	if !mayUseRoutine(ctx, d.name, name, kind == "PROCEDURE", sql.PrivilegeType_AlterRoutine) {
		return -1, routineDenied("alter routine", s.account(), d.name, name)
	}
	if err := s.mayTouchRoutine(ctx, d.name, name, kind == "PROCEDURE"); err != nil {
		return -1, err
	}
	altered := func(text string) (string, error) {
		r := parseRoutine(text)
		if r == nil || r.kind != kind {
			return "", NewError(1305, "%s %s.%s does not exist", kind, d.name, name)
		}
		r.traits(w, i)
		return r.head + "\n" + r.shownTraits() + r.body, nil
	}
	if kind == "FUNCTION" {
		f, _, err := find[storedFunction](ctx, d, catalog.KindFunction, name)
		if err != nil {
			return -1, err
		}
		if f.Text, err = altered(f.Text); err != nil {
			return -1, err
		}
		f.Modified = time.Now()
		err = d.put(ctx, catalog.KindFunction, f.Name, f)
		return -1, s.ended(ctx, err)
	}
	p, _, err := find[storedProcedure](ctx, d, catalog.KindProcedure, name)
	if err != nil {
		return -1, err
	}
	if p.CreateStatement, err = altered(p.CreateStatement); err != nil {
		return -1, err
	}
	p.ModifiedAt = time.Now()
	err = d.put(ctx, catalog.KindProcedure, p.Name, p)
	return -1, s.ended(ctx, err)
}

// ended commits a definition that no plan of GMS's has changed.
func (s *Session) ended(ctx *sql.Context, err error) error {
	if err != nil {
		return err
	}
	return s.CommitTransaction(ctx, ctx.GetTransaction())
}
