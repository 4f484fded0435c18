package partition

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
)

// Change is what a command of ALTER TABLE does to partitions.
type Change struct {
	To     *catalog.Partitioning // nil: the table has none afterwards
	Copies bool                  // rows may change their part: all are copied
	Empty  []string              // parts that lose their rows, when To is what there was
}

// Alter works out the change that a command makes to a partitioned table.
func Alter(def *catalog.Table, a *ast.PartitionAction, zone *time.Location) (*Change, error) {
	p := *def.Partitioning
	p.Parts = slices.Clone(p.Parts)
	d := &definer{def: def, zone: zone, p: &p}
	var err error
	if d.rule, err = newRule(def, &p.By, 1); err != nil {
		return nil, err
	}
	c := &Change{To: d.p}
	switch a.Kind {
	case ast.AddPartition:
		c.Copies = d.hashed()
		err = d.add(a)
	case ast.DropPartition:
		err = d.drop(a)
	case ast.CoalescePartition:
		c.Copies = true
		err = d.coalesce(a)
	case ast.ReorganizePartition:
		c.Copies = true
		err = d.reorganize(a)
	case ast.TruncatePartition:
		c.Empty, err = Named(def, a)
	case ast.RebuildPartition, ast.OptimizePartition:
		c.Copies = true
		_, err = Named(def, a)
	case ast.RemovePartitioning:
		c.To, c.Copies = nil, true
	}
	return c, err
}

func (d *definer) hashed() bool {
	return d.p.By.Method == catalog.ByHash || d.p.By.Method == catalog.ByKey
}

// Named are the names of the parts that a command is about.
func Named(def *catalog.Table, a *ast.PartitionAction) (out []string, err error) {
	leaves := def.Partitioning.Leaves()
	if a.All {
		for _, leaf := range leaves {
			out = append(out, leaf.Name)
		}
		return out, nil
	}
	for _, name := range a.Names {
		at := Find(def.Partitioning, name.Name)
		if at == nil {
			return nil, Unknown(def, name.Name)
		}
		for _, i := range at {
			out = append(out, leaves[i].Name)
		}
	}
	return out, nil
}

// Unknown is the error of a name that no partition has.
func Unknown(def *catalog.Table, name string) error {
	return errorf(1735, "Unknown partition '%s' in table '%s'", name, def.Name)
}

// more reads definitions of partitions that come in.
func (d *definer) more(defs []ast.PartitionDef) ([]catalog.Partition, error) {
	subs := len(d.p.Parts[0].Subs)
	if slices.ContainsFunc(defs, hasSubs) && d.p.Sub == nil {
		return nil, errorf(1500, "It is only possible to mix RANGE/LIST partitioning with HASH/KEY partitioning for subpartitioning")
	}
	sub := d.p.Sub
	if sub != nil && sub.Counted == slices.ContainsFunc(defs, hasSubs) { // names made by MySQL and given ones may stand together
		c := *sub
		c.Counted = false
		if d.p.Sub = &c; !slices.ContainsFunc(defs, hasSubs) {
			c.Counted = true
		}
		defer func() {
			given := *sub
			given.Counted = false
			d.p.Sub = &given
		}()
	}
	return d.defined(defs, subs)
}

func (d *definer) add(a *ast.PartitionAction) error {
	if !d.hashed() {
		if len(a.Defs) == 0 {
			return errorf(1492, "For %s partitions each partition must be defined", d.p.By.Method)
		}
		more, err := d.more(a.Defs)
		if err != nil {
			return err
		}
		d.p.Parts = append(d.p.Parts, more...)
		return d.checkAll()
	}
	if len(a.Defs) > 0 {
		more, err := d.more(a.Defs)
		if err != nil {
			return err
		}
		d.p.Parts = append(d.p.Parts, more...)
		d.p.By.Counted, d.p.By.Unnumbered = false, false
		return d.checkAll()
	}
	n := 1
	if a.Count != "" {
		var err error
		if n, err = strconv.Atoi(a.Count); err != nil || n > maxPartitions {
			return errorf(1499, "Too many partitions (including subpartitions) were defined")
		}
		if n == 0 {
			return errorf(1514, "At least one partition must be added")
		}
	}
	d.p.Parts = append(d.p.Parts, Numbered(nextNumber(d.p), n)...)
	d.p.By.Unnumbered = false
	return d.checkAll()
}

func (d *definer) checkAll() error {
	if err := d.limit(); err != nil {
		return err
	}
	return d.check()
}

func (d *definer) drop(a *ast.PartitionAction) error {
	if d.hashed() {
		return errorf(1512, "DROP PARTITION can only be used on RANGE/LIST partitions")
	}
	gone := map[int]bool{}
	for _, name := range a.Names {
		at := d.position(name.Name)
		if at < 0 || gone[at] {
			return errorf(1507, "Error in list of partitions to DROP")
		}
		gone[at] = true
	}
	if len(gone) == len(d.p.Parts) {
		return errorf(1508, "Cannot remove all partitions, use DROP TABLE instead")
	}
	var left []catalog.Partition
	for i := range d.p.Parts {
		if !gone[i] {
			left = append(left, d.p.Parts[i])
		}
	}
	d.p.Parts = left
	return nil
}

func (d *definer) position(name string) int {
	return slices.IndexFunc(d.p.Parts, func(p catalog.Partition) bool { return strings.EqualFold(p.Name, name) })
}

func (d *definer) coalesce(a *ast.PartitionAction) error {
	if !d.hashed() {
		return errorf(1509, "COALESCE PARTITION can only be used on HASH/KEY partitions")
	}
	n, err := strconv.Atoi(a.Count)
	switch {
	case err == nil && n == 0:
		return errorf(1515, "At least one partition must be coalesced")
	case err != nil || n >= len(d.p.Parts):
		return errorf(1508, "Cannot remove all partitions, use DROP TABLE instead")
	}
	d.p.Parts = d.p.Parts[:len(d.p.Parts)-n]
	d.p.By.Unnumbered = false
	return nil
}

func (d *definer) reorganize(a *ast.PartitionAction) error {
	if len(a.Names) == 0 {
		if d.hashed() {
			return nil
		}
		return errorf(1511, "REORGANIZE PARTITION without parameters can only be used on auto-partitioned tables using HASH PARTITIONs")
	}
	if len(a.Names) > len(d.p.Parts) {
		return errorf(1523, "More partitions to reorganize than there are partitions")
	}
	var at []int
	for _, name := range a.Names {
		i := d.position(name.Name)
		if i < 0 || slices.Contains(at, i) {
			return errorf(1507, "Error in list of partitions to REORGANIZE")
		}
		at = append(at, i)
	}
	if d.hashed() && len(a.Defs) != len(a.Names) {
		return errorf(1510, "REORGANIZE PARTITION can only be used to reorganize partitions not to change their numbers")
	}
	slices.Sort(at)
	first, last := at[0], at[len(at)-1]
	if !(d.p.By.Method == catalog.ByList) && last-first+1 != len(at) {
		return errorf(1519, "When reorganizing a set of partitions they must be in consecutive order")
	}
	more, err := d.more(a.Defs)
	if err != nil {
		return err
	}
	if d.hashed() {
		d.p.By.Counted = false
	}
	was := d.p.Parts
	var now []catalog.Partition
	for i := range was {
		if i == first {
			now = append(now, more...)
		}
		if !slices.Contains(at, i) {
			now = append(now, was[i])
		}
	}
	d.p.Parts = now
	if err := d.checkAll(); err != nil {
		return err
	}
	return d.sameRange(was[last], more[len(more)-1], last == len(was)-1)
}

// sameRange refuses partitions of RANGE that end elsewhere than those before, except the last one,
// which may end higher.
func (d *definer) sameRange(was, now catalog.Partition, last bool) error {
	if d.p.By.Method != catalog.ByRange || slices.Equal(was.Values[0], now.Values[0]) {
		return nil
	}
	if last {
		def := *d.def
		def.Partitioning = &catalog.Partitioning{By: d.p.By, Parts: []catalog.Partition{was, now}}
		r, err := newRule(&def, &d.p.By, 2)
		if err == nil {
			err = r.take(def.Partitioning.Parts)
		}
		if err != nil {
			return err
		}
		if r.checkRange() == nil {
			return nil
		}
	}
	return errorf(1520, "Reorganize of range partitions cannot change total ranges except for last partition where it can extend the range")
}
