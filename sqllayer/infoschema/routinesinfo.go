package infoschema

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
)

// listedRoutine is a function or procedure of a database.
type listedRoutine struct {
	*sqllayer.Routine
	sqllayer.StoredFunction
	db *sqllayer.Database
}

// routinesOf lists the functions and procedures of all databases that the session may see.
func routinesOf(ctx *sql.Context, visit func(r listedRoutine)) error {
	s := sqllayer.SessionOf(ctx)
	if s == nil {
		return nil
	}
	for _, found := range s.Layer().Provider.AllDatabases(ctx) {
		d, ok := found.(*sqllayer.Database)
		if !ok {
			continue
		}
		functions, err := sqllayer.List[sqllayer.StoredFunction](ctx, d, catalog.KindFunction)
		if err != nil {
			return err
		}
		for _, f := range functions {
			if r := sqllayer.ParseRoutine(f.Text); r != nil && s.SeesRoutine(ctx, d.Name(), f.Name, false, f.Definer) {
				visit(listedRoutine{r, f, d})
			}
		}
		procedures, err := sqllayer.List[sqllayer.StoredProcedure](ctx, d, catalog.KindProcedure)
		if err != nil {
			return err
		}
		for _, p := range procedures {
			if r := sqllayer.ParseRoutine(p.CreateStatement); r != nil {
				o := p.Completed(d, r.Definer)
				if s.Layer().Opts.Plain {
					o.Definer = programs.AccountOf(r.Definer) // GMS's suites know no other
				}
				if !s.SeesRoutine(ctx, d.Name(), p.Name, true, o.Definer) {
					continue
				}
				visit(listedRoutine{r, sqllayer.StoredFunction{Name: p.Name, Text: p.CreateStatement, Created: p.CreatedAt, Modified: p.ModifiedAt, SqlMode: p.SqlMode,
					Definer: o.Definer, Client: o.Client, Connection: o.Connection, Collation: d.Collation.Name()}, d})
			}
		}
	}
	return nil
}

// described gives the columns of a type as information_schema names them.
func described(d *sqllayer.Database, typ string) map[string]any {
	column, err := d.TypeOf(typ)
	if err != nil {
		return map[string]any{"data_type": typ, "dtd_identifier": typ}
	}
	text := sqllayer.ShownColumnType(column)
	m := columnRow("", "", 0, column, text, "")
	m["dtd_identifier"] = text
	if m["numeric_precision"] != nil && m["numeric_scale"] == nil {
		m["numeric_scale"] = 0 // of floats and bits, which in COLUMNS have none
	}
	return m
}

func routinesRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	return routinesOf(ctx, func(r listedRoutine) {
		m := map[string]any{"data_type": ""}
		if r.Kind == "FUNCTION" {
			m = described(r.db, r.Returns)
		}
		security, deterministic := "DEFINER", "NO"
		if r.Invoker {
			security = "INVOKER"
		}
		if r.Deterministic {
			deterministic = "YES"
		}
		var body any
		if sqllayer.MaySeeRoutine(ctx, r.StoredFunction.Definer) {
			body = r.Body
		}
		code := "SQL"
		if r.External() {
			code = "EXTERNAL"
		}
		for k, v := range map[string]any{"specific_name": r.Name, "routine_catalog": "def", "routine_schema": r.db.Name(), "routine_name": r.Name, "routine_type": r.Kind,
			"routine_body": code, "routine_definition": body, "external_language": r.Language, "parameter_style": "SQL", "is_deterministic": deterministic,
			"sql_data_access": r.Access, "security_type": security, "created": sqllayer.Seconds(r.Created), "last_altered": sqllayer.Seconds(r.Modified), "sql_mode": r.SqlMode, "routine_comment": r.Comment,
			"definer": r.StoredFunction.Definer, "character_set_client": r.Client, "collation_connection": r.Connection, "database_collation": r.Collation} {
			m[k] = v
		}
		add(m)
	})
}

func parametersRows(ctx *sql.Context, _ sql.Catalog, add func(map[string]any)) error {
	return routinesOf(ctx, func(r listedRoutine) {
		row := func(at int, typ string, mode, name any) {
			m := described(r.db, typ)
			m["specific_catalog"], m["specific_schema"], m["specific_name"], m["routine_type"] = "def", r.db.Name(), r.Name, r.Kind
			m["ordinal_position"], m["parameter_mode"], m["parameter_name"] = at, mode, name
			add(m)
		}
		if r.Kind == "FUNCTION" {
			row(0, r.Returns, nil, nil)
		}
		for i, p := range r.Params {
			row(i+1, p.Typ, p.Mode, p.Name)
		}
	})
}

// RoutineLibraryRows returns the rows of information_schema.ROUTINE_LIBRARIES.
func RoutineLibraryRows(ctx *sql.Context) (rows []sql.Row, _ error) {
	err := routinesOf(sqllayer.Listing(ctx), func(r listedRoutine) {
		for _, l := range r.Libraries(r.db) {
			rows = append(rows, sql.Row{"def", r.db.Name(), r.Name, r.Kind, "def", l.Schema, l.Name, nil})
		}
	})
	return rows, err
}
