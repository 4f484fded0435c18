package sqllayer

// Routines in other languages than SQL. As in a MySQL without the component for a language, such a
// routine is kept, listed and granted on, and every call of it fails: see routineBody of package
// lower.

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"

	sqlast "emberdb/sql/ast"
	sqltoken "emberdb/sql/token"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// External tells a routine in another language than SQL.
func (r *Routine) External() bool { return r.Language != "SQL" }

// Libraries returns the libraries that the routine uses; names without a schema are in its own.
func (r *Routine) Libraries(d *Database) []tabledef.TableName {
	out := make([]tabledef.TableName, len(r.uses))
	for i, u := range r.uses {
		out[i] = libraryName(d, u.Name)
	}
	return out
}

func libraryName(d *Database, n sqlast.TableName) tabledef.TableName {
	if n.Schema.Given() {
		return tabledef.TableName{Schema: n.Schema.Name, Name: n.Name.Name}
	}
	return tabledef.TableName{Schema: d.name, Name: n.Name.Name}
}

// shownLibraries is the USING clause of SHOW CREATE.
func (r *Routine) shownLibraries(d *Database) string {
	if len(r.uses) == 0 {
		return ""
	}
	var list []string
	for i, l := range r.Libraries(d) {
		text := tabledef.QuoteName(l.Schema) + "." + tabledef.QuoteName(l.Name)
		if alias := r.uses[i].Alias; alias.Given() {
			text += " AS " + tabledef.QuoteName(alias.Name)
		}
		list = append(list, text)
	}
	return "    USING (" + strings.Join(list, ", ") + ")\n"
}

// languageWord is the name of a language where a statement names it.
func languageWord(language string) string {
	odd := func(c rune) bool {
		return c < 0x80 && c != '$' && c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}
	if strings.ContainsFunc(language, odd) || sqltoken.Keyword(language, false) != sqltoken.Ident {
		return tabledef.QuoteName(language)
	}
	return language
}

// warnNoLanguage tells that no component runs the language of what is created.
func warnNoLanguage(ctx *sql.Context) {
	ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: lower.ErNoLanguage, Message: lower.NoLanguage})
}

// mayCreateExternal refuses a routine with libraries that it cannot use, and warns of one that
// cannot run.
func (s *Session) mayCreateExternal(ctx *sql.Context, d *Database, r *Routine) error {
	if !r.External() {
		if len(r.uses) > 0 {
			return sqlerr.NewError(6433, "Libraries are not supported for SQL.")
		}
		return nil
	}
	for _, l := range r.Libraries(d) {
		if !mayUseLibrary(ctx, l.Schema, l.Name, sql.PrivilegeType_Execute) {
			return routineDenied("execute", s.EffectiveAccount(), l.Schema, l.Name)
		}
	}
	if mayUseRoutine(ctx, d.name, r.name, r.Kind == "PROCEDURE", sql.PrivilegeType_Execute) {
		warnNoLanguage(ctx)
	}
	return s.findLibraries(ctx, d, r.uses)
}

// findLibraries fails for a library that is not there, or that the session may not use.
func (s *Session) findLibraries(ctx *sql.Context, d *Database, uses []sqlast.LibraryUse) error {
	for _, u := range uses {
		l := libraryName(d, u.Name)
		if l.Name == "" || strings.HasSuffix(l.Name, " ") {
			return sqlerr.NewError(1458, "Incorrect routine name '%s'", l.Name)
		}
		if ok, err := s.usableLibrary(ctx, l); err != nil || !ok {
			if err == nil {
				err = sqlerr.NewError(1305, "LIBRARY %s does not exist", l.Name)
			}
			return err
		}
	}
	return nil
}

func (s *Session) usableLibrary(ctx *sql.Context, l tabledef.TableName) (bool, error) {
	ok, err := HasLibrary(ctx, l.Schema, l.Name)
	return ok && mayUseLibrary(ctx, l.Schema, l.Name, sql.PrivilegeType_Execute), err
}

// WarnMissing warns of the libraries of a routine that are not there, or that the session may not
// use.
func (s *Session) WarnMissing(ctx *sql.Context, d *Database, r *Routine) error {
	for _, l := range r.Libraries(d) {
		ok, err := s.usableLibrary(ctx, l)
		if err != nil {
			return err
		}
		if !ok {
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 6436, Message: fmt.Sprintf(
				"The routine '%s' references a missing library '%s.%s' or definer/invoker of the routine lack rights to use it.", r.name, l.Schema, l.Name)})
		}
	}
	return nil
}
