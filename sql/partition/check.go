package partition

import (
	"bytes"
	"slices"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
)

// check checks names and values of all partitions together.
func (d *definer) check() error {
	if err := checkNames(d.p); err != nil {
		return err
	}
	if err := CheckKeys(d.def, d.p); err != nil {
		return err
	}
	def := *d.def
	def.Partitioning = d.p
	r, err := newRule(&def, &d.p.By, len(d.p.Parts))
	if err != nil {
		return err
	}
	for i := range d.p.Parts {
		for _, v := range d.p.Parts[i].Values {
			if i < len(d.p.Parts)-1 && v[0] == "MAXVALUE" && len(v) == 1 && !d.p.By.ColumnList {
				return errorf(1481, "MAXVALUE can only be used in last partition definition")
			}
		}
	}
	if d.p.By.Method == catalog.ByList {
		return r.checkList(d.p.Parts)
	}
	if err := r.take(d.p.Parts); err != nil {
		return err
	}
	return r.checkRange()
}

func checkNames(p *catalog.Partitioning) error {
	seen := map[string]bool{}
	take := func(name string) error {
		switch folded := strings.ToLower(name); {
		case name == "" || strings.HasSuffix(name, " ") || len([]rune(name)) > 64 || strings.ContainsRune(name, 0):
			return errorf(1567, "Incorrect partition name")
		case seen[folded]:
			return errorf(1517, "Duplicate partition name %s", name)
		default:
			seen[folded] = true
		}
		return nil
	}
	for i := range p.Parts {
		names := []string{p.Parts[i].Name}
		for _, sub := range p.Parts[i].Subs {
			names = append(names, sub.Name)
		}
		for _, name := range names {
			if err := take(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckKeys refuses unique keys without a column of the partitioning, and whatever else partitioned
// tables cannot have.
func CheckKeys(def *catalog.Table, p *catalog.Partitioning) error {
	if len(def.ForeignKeys) > 0 {
		return errorf(1506, "Foreign keys are not yet supported in conjunction with partitioning")
	}
	var columns []int
	for _, key := range []*catalog.PartitionKey{&p.By, p.Sub} {
		if key == nil {
			continue
		}
		r, err := newRule(def, key, 1)
		if err != nil {
			return err
		}
		columns = append(columns, r.columns...)
	}
	for i, x := range def.Indexes {
		if !x.Unique || len(x.Parts) == 0 {
			continue
		}
		for _, c := range columns {
			if slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Column == c && p.Prefix == 0 }) {
				continue
			}
			kind := "UNIQUE INDEX"
			if i == 0 {
				kind = "PRIMARY KEY"
			}
			return errorf(1503, "A %s must include all columns in the table's partitioning function (prefixed columns are not considered).", kind)
		}
	}
	return nil
}

// checkRange refuses limits that do not rise.
func (r *rule) checkRange() error {
	falls := errorf(1493, "VALUES LESS THAN value must be strictly increasing for each partition")
	for i := 1; i < len(r.limits); i++ {
		if a, b := r.limits[i-1], r.limits[i]; a.max || !b.max && !a.less(b.number) {
			return falls
		}
	}
	for i := 1; i < len(r.most); i++ {
		if bytes.Compare(r.most[i-1], r.most[i]) >= 0 {
			return falls
		}
	}
	return nil
}

// checkList refuses values that stand twice.
func (r *rule) checkList(parts []catalog.Partition) error {
	count := 0
	for i := range parts {
		count += len(parts[i].Values)
	}
	if err := r.take(parts); err != nil {
		return err
	}
	known := len(r.lists) + len(r.listed)
	if r.nulls >= 0 {
		known++
	}
	if known != count {
		return errorf(1495, "Multiple definition of same constant in list partitioning")
	}
	return nil
}
