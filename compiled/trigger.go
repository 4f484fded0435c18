package compiled

import (
	"slices"

	"emberdb/engine/row"
	"emberdb/sqllayer"
)

// Triggers of the table that a statement changes. They run around each row, which is stored before
// the next one is looked at. A row that is NULL where it must not be, or otherwise none of the
// table's, behind a trigger is GMS's, with the whole statement.

// triggers takes the table's triggers. Those of REPLACE, IGNORE and ON DUPLICATE KEY UPDATE, and of
// tables with generated columns, are GMS's.
func (c *compiler) triggers() {
	p := c.p
	p.event = map[verb]sqllayer.TriggerEvent{verbInsert: sqllayer.OnInsert, verbUpdate: sqllayer.OnUpdate, verbDelete: sqllayer.OnDelete}[p.verb]
	p.fires = p.info.Fires(p.event) || p.duplicate == dupUpdate && p.info.Fires(sqllayer.OnUpdate) || p.duplicate == dupReplace && p.info.Fires(sqllayer.OnDelete)
	if !p.fires {
		return
	}
	need(p.duplicate == dupError)
	for i := range p.def.Columns {
		need(p.def.Columns[i].Generated == "")
	}
}

// Fires tells whether the program's changes run triggers.
func (p *Program) Fires() bool { return p.fires }

// fire runs the triggers before or after a change of a row.
func (x *Exec) fire(after bool, old, vals []row.Value) error {
	if !x.p.info.FiresAt(x.p.event, after) {
		return nil
	}
	mine, err := x.session.FireDirect(x.sc, x.p.info, x.p.event, after, old, vals)
	if err == nil && !mine {
		err = errNotMine
	}
	return err
}

// insertFiring inserts a row.
func (x *Exec) insertFiring(vals []row.Value) error {
	auto := x.p.autoInc
	asks := auto >= 0 && vals[auto].IsNull()
	if err := x.fire(false, nil, vals); err != nil {
		return err
	}
	if asks && vals[auto].N == 0 {
		vals[auto] = row.NullValue // in every sql_mode
	}
	if err := x.ready(vals); err != nil {
		return err
	}
	if err := x.insertRow(vals); err != nil {
		return err
	}
	return x.fire(true, nil, vals)
}

// updateFiring updates a row; one that stays as it is fires, too.
func (x *Exec) updateFiring(old, vals []row.Value) (changed bool, err error) {
	if err := x.fire(false, old, vals); err != nil {
		return false, err
	}
	changed = !slices.EqualFunc(old[:len(vals)], vals, row.Value.Same)
	if changed {
		if err := x.storeUpdated(old, vals, true); err != nil {
			return false, err
		}
	}
	return changed, x.fire(true, old, vals)
}

// deleteRow deletes a row.
func (x *Exec) deleteRow(vals []row.Value) error {
	if !x.p.fires {
		return x.changes.Delete(x.ctx, vals)
	}
	if err := x.fire(false, vals, nil); err != nil {
		return err
	}
	if err := x.table.Delete(x.ctx, x.trx, vals); err != nil {
		return err
	}
	return x.fire(true, vals, nil)
}
