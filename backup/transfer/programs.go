package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"emberdb/internal/namedrows"
)

// program is a routine, a view or an event of a schema.
type program struct {
	what         string // PROCEDURE, FUNCTION, VIEW or EVENT
	schema, name string
	definer      string // ACCOUNT@HOST
	zone         string // of an event
	text         string // of SHOW CREATE
	setting      setting
	taken        bool // the target has it
}

func (p *program) String() string { return strings.ToLower(p.what) + " " + p.schema + "." + p.name }

// choosePrograms reads the views that are chosen, and the routines and events of whole schemas.
// Their texts name schemas, so that they do not follow into another one.
func (t *transfer) choosePrograms(ctx context.Context, views [][2]string) error {
	for _, s := range t.whole {
		for _, q := range []string{
			"SELECT ROUTINE_TYPE, ROUTINE_NAME, DEFINER, '' FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = " + literal(s) + " ORDER BY ROUTINE_TYPE, ROUTINE_NAME",
			"SELECT 'EVENT', EVENT_NAME, DEFINER, TIME_ZONE FROM information_schema.EVENTS WHERE EVENT_SCHEMA = " + literal(s) + " ORDER BY EVENT_NAME",
		} {
			rows, err := texts(ctx, t.from, q)
			if err != nil {
				return err
			}
			for _, row := range rows {
				t.programs = append(t.programs, &program{what: row[0], schema: s, name: row[1], definer: row[2], zone: row[3]})
			}
		}
	}
	for _, v := range views {
		rows, err := texts(ctx, t.from, "SELECT DEFINER FROM information_schema.VIEWS WHERE TABLE_SCHEMA = "+literal(v[0])+" AND TABLE_NAME = "+literal(v[1]))
		if err != nil {
			return err
		}
		if len(rows) == 1 {
			t.programs = append(t.programs, &program{what: "VIEW", schema: v[0], name: v[1], definer: rows[0][0]})
		}
	}
	if t.o.Into != "" {
		for _, p := range t.programs {
			t.result.Skipped = append(t.result.Skipped, p.String())
		}
		t.programs = nil
	}
	for _, p := range t.programs {
		if err := p.read(ctx, t.from); err != nil {
			return fmt.Errorf("%s of the backup: %w", p, err)
		}
	}
	return nil
}

// read reads the text of a program.
func (p *program) read(ctx context.Context, from namedrows.Querier) error {
	rows, err := from.QueryContext(ctx, "SHOW CREATE "+p.what+" "+qualified(p.schema, p.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]*string, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	if !rows.Next() {
		return errors.Join(errors.New("it is missing"), rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	for i, n := range names {
		if values[i] == nil {
			if strings.HasPrefix(n, "Create ") {
				return errors.New("its text may not be read")
			}
			continue
		}
		switch v := *values[i]; {
		case strings.HasPrefix(n, "Create "):
			p.text = v
		case n == "sql_mode":
			p.setting.sqlMode = v
		case n == "collation_connection":
			p.setting.collation = v
		}
	}
	return rows.Err()
}

// takenPrograms marks the programs that the target has. A view has its name among the tables.
func (t *transfer) takenPrograms(ctx context.Context, tables map[[2]string]bool) error {
	there, err := texts(ctx, t.control, "SELECT ROUTINE_TYPE, ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES "+
		"UNION ALL SELECT 'EVENT', EVENT_SCHEMA, EVENT_NAME FROM information_schema.EVENTS")
	if err != nil {
		return err
	}
	for _, p := range t.programs {
		p.taken = tables[[2]string{p.schema, p.name}] && p.what == "VIEW" ||
			slices.ContainsFunc(there, func(row []string) bool {
				return row[0] == p.what && row[1] == p.schema && strings.EqualFold(row[2], p.name)
			})
	}
	return nil
}

// makePrograms makes routines, then views, then events. A view may need another one: those that
// cannot be made yet wait for the others.
func (t *transfer) makePrograms(ctx context.Context) error {
	order := []string{"FUNCTION", "PROCEDURE", "VIEW", "EVENT"}
	slices.SortStableFunc(t.programs, func(a, b *program) int { return slices.Index(order, a.what) - slices.Index(order, b.what) })
	for left := t.programs; len(left) > 0; {
		var failed []*program
		var first error
		for _, p := range left {
			if err := t.makeProgram(ctx, p); err != nil {
				if failed = append(failed, p); first == nil {
					first = fmt.Errorf("%s is not: %w", p, err)
				}
				continue
			}
			t.result.Programs = append(t.result.Programs, p.String())
		}
		if len(failed) == len(left) {
			return first
		}
		left = failed
	}
	return nil
}

func (t *transfer) makeProgram(ctx context.Context, p *program) error {
	if p.what == "EVENT" && p.zone != "" {
		if err := t.exec(ctx, "SET SESSION time_zone = "+literal(p.zone)); err != nil {
			return err
		}
	}
	return t.within(ctx, p.schema, p.setting, p.text)
}

// within runs a statement that makes a program in a schema, as it was made first. The statement's
// text is in the character set of the session; that of its making no longer matters.
func (t *transfer) within(ctx context.Context, schema string, as setting, statement string) error {
	settings := []string{"USE " + name(schema)}
	if as.collation != "" {
		settings = append(settings, "SET SESSION collation_connection = "+as.collation)
	}
	if as != (setting{}) {
		settings = append(settings, "SET SESSION sql_mode = "+literal(as.sqlMode))
	}
	for _, s := range append(settings, statement) {
		if err := t.exec(ctx, s); err != nil {
			return errors.Join(err, t.usual(ctx))
		}
	}
	return t.usual(ctx)
}

// usual brings the settings of the control session back.
func (t *transfer) usual(ctx context.Context) error {
	return t.exec(ctx, "SET SESSION sql_mode = "+sqlMode+", collation_connection = "+collation)
}

// definer makes the account of a DEFINER clause of what information_schema tells of it.
func definer(account string) string {
	at := strings.LastIndex(account, "@")
	if at < 0 {
		return name(account)
	}
	return name(account[:at]) + "@" + name(account[at+1:])
}
