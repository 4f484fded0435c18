package sqllayer

// information_schema.ROUTINES and PARAMETERS, and SHOW CREATE FUNCTION.

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
)

// listedRoutine is a function or procedure of a database.
type listedRoutine struct {
	*routine
	storedFunction
	db *Database
}

// routinesOf lists the functions and procedures of all databases that the session may see.
func routinesOf(ctx *sql.Context, visit func(r listedRoutine)) error {
	s := sessionOf(ctx)
	if s == nil {
		return nil
	}
	for _, found := range s.Layer().Provider.AllDatabases(ctx) {
		d, ok := found.(*Database)
		if !ok {
			continue
		}
		functions, err := list[storedFunction](ctx, d, catalog.KindFunction)
		if err != nil {
			return err
		}
		for _, f := range functions {
			if r := parseRoutine(f.Text); r != nil && s.seesRoutine(ctx, d.Name(), f.Name, false, f.Definer) {
				visit(listedRoutine{r, f, d})
			}
		}
		procedures, err := list[storedProcedure](ctx, d, catalog.KindProcedure)
		if err != nil {
			return err
		}
		for _, p := range procedures {
			if r := parseRoutine(p.CreateStatement); r != nil {
				o := p.completed(d, r.definer)
				if s.Layer().opts.Plain {
					o.Definer = accountOf(r.definer) // GMS's suites know no other
				}
				if !s.seesRoutine(ctx, d.Name(), p.Name, true, o.Definer) {
					continue
				}
				visit(listedRoutine{r, storedFunction{Name: p.Name, Text: p.CreateStatement, Created: p.CreatedAt, Modified: p.ModifiedAt, SqlMode: p.SqlMode,
					Definer: o.Definer, Client: o.Client, Connection: o.Connection, Collation: d.collation.Name()}, d})
			}
		}
	}
	return nil
}

// seesRoutine tells whether the session may know of a routine.
func (s *Session) seesRoutine(ctx *sql.Context, db, name string, procedure bool, definer string) bool {
	return privilegesOf(ctx).seesRoutine(db, name, procedure) || roleOf(definer) == s.account()
}

// described gives the columns of a type as information_schema names them.
func described(d *Database, typ string) map[string]any {
	column, err := d.typeOf(typ)
	if err != nil {
		return map[string]any{"data_type": typ, "dtd_identifier": typ}
	}
	text := ShownType(column.Type)
	m := columnRow("", "", 0, column, text, "")
	m["dtd_identifier"] = text
	if m["numeric_precision"] != nil && m["numeric_scale"] == nil {
		m["numeric_scale"] = 0 // of floats and bits, which in COLUMNS have none
	}
	return m
}

// typeOf parses the type of a parameter.
func (d *Database) typeOf(text string) (*sql.Column, error) {
	stmt, err := treeOf("CREATE TABLE t (c "+text+")", 0)
	if err != nil {
		return nil, err
	}
	n, ok := stmt.(*ast.DDL)
	if !ok || n.TableSpec == nil || len(n.TableSpec.Columns) != 1 {
		return nil, sql.ErrSyntaxError.New(text)
	}
	t, err := types.ColumnTypeToType(&n.TableSpec.Columns[0].Type)
	if err != nil {
		return nil, err
	}
	t, err = d.textsOf(t)
	return &sql.Column{Name: "c", Type: t, Nullable: true}, err
}

func routinesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	return routinesOf(ctx, func(r listedRoutine) {
		m := map[string]any{"data_type": ""}
		if r.kind == "FUNCTION" {
			m = described(r.db, r.returns)
		}
		security, deterministic := "DEFINER", "NO"
		if r.invoker {
			security = "INVOKER"
		}
		if r.deterministic {
			deterministic = "YES"
		}
		var body any
		if maySeeRoutine(ctx, r.Definer) {
			body = r.body
		}
		for k, v := range map[string]any{"specific_name": r.Name, "routine_catalog": "def", "routine_schema": r.db.Name(), "routine_name": r.Name, "routine_type": r.kind,
			"routine_body": "SQL", "routine_definition": body, "external_language": "SQL", "parameter_style": "SQL", "is_deterministic": deterministic,
			"sql_data_access": r.access, "security_type": security, "created": seconds(r.Created), "last_altered": seconds(r.Modified), "sql_mode": r.SqlMode, "routine_comment": r.comment,
			"definer": r.Definer, "character_set_client": r.Client, "collation_connection": r.Connection, "database_collation": r.Collation} {
			m[k] = v
		}
		add(m)
	})
}

func seconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

func parametersRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	return routinesOf(ctx, func(r listedRoutine) {
		row := func(at int, typ string, mode, name any) {
			m := described(r.db, typ)
			m["specific_catalog"], m["specific_schema"], m["specific_name"], m["routine_type"] = "def", r.db.Name(), r.Name, r.kind
			m["ordinal_position"], m["parameter_mode"], m["parameter_name"] = at, mode, name
			add(m)
		}
		if r.kind == "FUNCTION" {
			row(0, r.returns, nil, nil)
		}
		for i, p := range r.params {
			row(i+1, p.typ, p.mode, p.name)
		}
	})
}

// ShowCreateFunction is the row of SHOW CREATE FUNCTION.
func (s *Session) ShowCreateFunction(ctx *sql.Context, schema, name string) ([]any, error) {
	if schema == "" {
		if schema = s.GetCurrentDatabase(); schema == "" {
			return nil, NewError(1046, "No database selected")
		}
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return nil, NewError(1305, "FUNCTION %s does not exist", name)
	}
	f, ok, err := find[storedFunction](ctx, d, catalog.KindFunction, name)
	if err != nil {
		return nil, err
	}
	r := parseRoutine(f.Text)
	if !ok || r == nil || !s.seesRoutine(ctx, d.name, f.Name, false, f.Definer) {
		return nil, NewError(1305, "FUNCTION %s does not exist", name)
	}
	if !maySeeRoutine(ctx, f.Definer) {
		return []any{f.Name, f.SqlMode, nil, f.Client, f.Connection, f.Collation}, nil
	}
	user, host, _ := strings.Cut(f.Definer, "@")
	text := "CREATE DEFINER=" + quoteName(user) + "@" + quoteName(host) + " FUNCTION " + quoteName(f.Name) + "(" + r.paramText + ") RETURNS " + r.shownReturns(d) + "\n" + r.shownTraits() + r.body
	return []any{f.Name, f.SqlMode, text, f.Client, f.Connection, f.Collation}, nil
}

// shownReturns is the type as SHOW CREATE FUNCTION has it: texts with their character set.
func (r *routine) shownReturns(d *Database) string {
	c, err := d.typeOf(r.returns)
	if err != nil {
		return r.returns
	}
	shown := ShownType(c.Type)
	if t, ok := c.Type.(sql.StringType); ok && t.Collation() != sql.Collation_binary {
		shown += " CHARSET " + t.Collation().CharacterSet().Name()
		if t.Collation() != d.collation && t.Collation() != t.Collation().CharacterSet().DefaultCollation() {
			shown += " COLLATE " + t.Collation().Name()
		}
	}
	return shown
}

func (r *routine) shownTraits() string {
	text := ""
	if r.access != "CONTAINS SQL" {
		text += "    " + r.access + "\n"
	}
	if r.deterministic {
		text += "    DETERMINISTIC\n"
	}
	if r.invoker {
		text += "    SQL SECURITY INVOKER\n"
	}
	if r.comment != "" {
		text += "    COMMENT '" + strings.ReplaceAll(r.comment, "'", "''") + "'\n"
	}
	return text
}
