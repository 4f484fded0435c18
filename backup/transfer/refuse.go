package transfer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// refuse fails if the target cannot take the tables, before anything is made. With Missing, what
// is there is left out.
func (t *transfer) refuse(ctx context.Context) error {
	for _, step := range []func(context.Context) error{t.refuseServer, t.refuseNames, t.refuseTriggers, t.refuseDefiners, t.refuseSystems, t.refuseKeys} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// refuseServer fails at servers whose rows come from elsewhere.
func (t *transfer) refuseServer(ctx context.Context) error {
	const settings = "SELECT @@read_only + @@super_read_only, @@lower_case_table_names"
	rows, err := texts(ctx, t.control, settings)
	if err != nil {
		return err
	}
	source, err := texts(ctx, t.from, settings)
	switch {
	case err != nil:
		return err
	case rows[0][0] != "0":
		return errors.New("the server is read-only: if it is a replica, restore into its source")
	case rows[0][1] != source[0][1]:
		return fmt.Errorf("lower_case_table_names is %s here and %s in the backup: names could get mixed", rows[0][1], source[0][1])
	}
	rows, err = texts(ctx, t.control, "SHOW REPLICA STATUS")
	if err != nil {
		return fmt.Errorf("it is not known whether the server is a replica: %w", err)
	}
	if len(rows) > 0 {
		return errors.New("the server is a replica: restore into its source, which gives it the tables")
	}
	return nil
}

// refuseNames fails if names are taken.
func (t *transfer) refuseNames(ctx context.Context) error {
	rows, err := texts(ctx, t.control, "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ("+literals(systemSchemas)+")")
	if err != nil {
		return err
	}
	taken := map[[2]string]bool{}
	for _, row := range rows {
		taken[[2]string{row[0], row[1]}] = true
	}
	if err := t.takenPrograms(ctx, taken); err != nil {
		return err
	}
	var there []string
	t.tables = slices.DeleteFunc(t.tables, func(one *table) bool {
		if !taken[[2]string{one.into, one.name}] {
			return false
		}
		there = append(there, one.into+"."+one.name)
		return true
	})
	t.programs = slices.DeleteFunc(t.programs, func(p *program) bool {
		if !p.taken {
			return false
		}
		there = append(there, p.String())
		return true
	})
	if len(there) > 0 && !t.o.Missing {
		return fmt.Errorf("the server has %s already: drop or rename what is there, restore into another schema with --into, or only the rest with --missing",
			strings.Join(there, ", "))
	}
	t.result.Skipped = append(t.result.Skipped, there...)
	t.keys = slices.DeleteFunc(t.keys, func(k foreignKey) bool { return t.find(k.childSchema, k.child) == nil })
	return nil
}

// refuseTriggers fails if names of triggers are taken.
func (t *transfer) refuseTriggers(ctx context.Context) error {
	rows, err := texts(ctx, t.control, "SELECT TRIGGER_SCHEMA, TRIGGER_NAME, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS")
	if err != nil {
		return err
	}
	for _, one := range t.tables {
		for _, tr := range one.triggers {
			for _, row := range rows {
				if row[0] == tr.schema && strings.EqualFold(row[1], tr.name) && !strings.HasPrefix(row[2], StagedPrefix) {
					return fmt.Errorf("trigger %s.%s of %s: the server has a trigger of that name, on %s", tr.schema, tr.name, one, row[2])
				}
			}
		}
	}
	return nil
}

// refuseDefiners fails if accounts are missing whose rights triggers and programs have.
func (t *transfer) refuseDefiners(ctx context.Context) error {
	need := map[string]string{}
	for _, one := range t.tables {
		for _, tr := range one.triggers {
			need[tr.definer] = "trigger " + tr.schema + "." + tr.name
		}
	}
	for _, p := range t.programs {
		need[p.definer] = p.String()
	}
	rows, err := texts(ctx, t.control, "SELECT CONCAT(User, '@', Host) FROM mysql.user")
	if err != nil {
		return fmt.Errorf("the accounts of the server are not known: %w", err)
	}
	for _, row := range rows {
		delete(need, row[0])
	}
	if len(need) == 0 {
		return nil
	}
	account := slices.Min(slices.Collect(maps.Keys(need)))
	return fmt.Errorf("%s has the definer %s, an account that the server lacks: create it first", need[account], account)
}

// refuseKeys fails at foreign keys to tables that will be missing, and finds those of the target
// that will refer to the copy.
func (t *transfer) refuseKeys(ctx context.Context) error {
	for _, k := range t.keys {
		if t.find(k.parentSchema, k.parent) != nil {
			continue
		}
		rows, err := texts(ctx, t.control, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = "+literal(k.parentSchema)+" AND TABLE_NAME = "+literal(k.parent))
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fmt.Errorf("foreign key %s of %s.%s refers to %s.%s, which the server lacks: restore it, too", k.name, k.childSchema, k.child, k.parentSchema, k.parent)
		}
	}
	for _, one := range t.tables {
		if err := t.chooseKeys(ctx, t.control, one, true); err != nil {
			return err
		}
	}
	// Keys of staged tables that an interrupted copy has left go with them.
	t.keys = slices.DeleteFunc(t.keys, func(k foreignKey) bool { return strings.HasPrefix(k.child, StagedPrefix) })
	return nil
}
