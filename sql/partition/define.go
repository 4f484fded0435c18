package partition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sql/ast"
)

// maxPartitions is MySQL's limit of partitions, subpartitions included.
const maxPartitions = 8192

// definer reads the partitioning of one table.
type definer struct {
	def  *catalog.Table
	zone *time.Location
	p    *catalog.Partitioning
	rule *rule // without values: what the table is partitioned by
}

// Define makes the partitioning of a table from PARTITION BY. The columns and indexes of def are
// complete.
func Define(def *catalog.Table, by *ast.PartitionBy, zone *time.Location) (*catalog.Partitioning, error) {
	d := &definer{def: def, zone: zone, p: &catalog.Partitioning{}}
	if err := d.keys(by); err != nil {
		return nil, err
	}
	if err := d.parts(by); err != nil {
		return nil, err
	}
	return d.p, d.check()
}

// keys reads what decides about partitions and subpartitions.
func (d *definer) keys(by *ast.PartitionBy) (err error) {
	methods := map[ast.PartitionMethod]catalog.PartitionMethod{ast.ByHash: catalog.ByHash, ast.ByKey: catalog.ByKey,
		ast.ByRange: catalog.ByRange, ast.ByList: catalog.ByList}
	key := catalog.PartitionKey{Method: methods[by.Method], Linear: by.Linear, ColumnList: by.ColumnList}
	key.Algorithm, _ = strconv.Atoi(by.Algorithm)
	listed := by.Method == ast.ByRange || by.Method == ast.ByList
	if listed && len(by.Defs) == 0 {
		return errorf(1492, "For %s partitions each partition must be defined", key.Method)
	}
	if !listed && (by.Sub != nil || slices.ContainsFunc(by.Defs, hasSubs)) || by.Sub == nil && slices.ContainsFunc(by.Defs, hasSubs) {
		return errorf(1500, "It is only possible to mix RANGE/LIST partitioning with HASH/KEY partitioning for subpartitioning")
	}
	if listed && !by.ColumnList {
		if err := d.wholeNumbers(by.Defs); err != nil {
			return err
		}
	}
	if err := d.key(&key, by.X, by.Columns); err != nil {
		return err
	}
	d.p.By = key
	if by.Sub != nil {
		sub := catalog.PartitionKey{Method: catalog.ByKey, Linear: by.Sub.Linear, ColumnList: by.Sub.X == nil}
		if by.Sub.X != nil {
			sub.Method = catalog.ByHash
		}
		sub.Algorithm, _ = strconv.Atoi(by.Sub.Algorithm)
		if err := d.key(&sub, by.Sub.X, by.Sub.Columns); err != nil {
			return err
		}
		d.p.Sub = &sub
	}
	d.rule, err = newRule(d.def, &d.p.By, 1)
	return err
}

func hasSubs(def ast.PartitionDef) bool { return len(def.Subs) > 0 }

// key checks the expression or the columns of a key.
func (d *definer) key(key *catalog.PartitionKey, x ast.Expr, columns []ast.Ident) error {
	if !key.ColumnList {
		c := &compiler{def: d.def}
		if _, err := c.formula(x); err != nil {
			if err == errNotInt {
				return errConstant()
			}
			return err
		}
		if len(c.columns) == 0 {
			return errConstant()
		}
		key.Expr = ast.Print(x, ast.Options{Canonical: true})
		return nil
	}
	for _, name := range columns {
		at := slices.IndexFunc(d.def.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, name.Name) })
		if at < 0 {
			return errorf(1488, "Field in list of fields for partition function not found in table")
		}
		c := &d.def.Columns[at]
		if slices.Contains(key.Columns, c.Name) {
			return errorf(1652, "Duplicate partition field name '%s'", c.Name)
		}
		if err := allowed(c, key.Method); err != nil {
			return err
		}
		key.Columns = append(key.Columns, c.Name)
	}
	if len(columns) == 0 && len(KeyColumns(d.def, key)) == 0 {
		return errorf(1488, "Field in list of fields for partition function not found in table")
	}
	return nil
}

// allowed refuses columns that a list of columns must not have.
func allowed(c *catalog.Column, method catalog.PartitionMethod) error {
	switch c.Type {
	case row.TText, row.TBlob, row.TJSON, row.TGeometry:
		return errorf(1502, "A BLOB field is not allowed in partition function")
	case row.TFloat32, row.TFloat64, row.TDecimal, row.TBit, row.TEnum, row.TSet, row.TTimestamp:
		if method != catalog.ByKey {
			return errorf(1659, "Field '%s' is of a not allowed type for this type of partitioning", c.Name)
		}
	}
	return nil
}

// wholeNumbers refuses other values of RANGE and LIST, before the expression is looked at.
func (d *definer) wholeNumbers(defs []ast.PartitionDef) error {
	for i := range defs {
		for _, values := range defs[i].Values {
			for _, x := range values.Items {
				if _, err := d.constant(&defs[i], x); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// constant computes a value of RANGE or LIST.
func (d *definer) constant(def *ast.PartitionDef, x ast.Expr) (number, error) {
	if _, most := x.(*ast.MaxValue); most {
		return null, nil
	}
	f, err := (&compiler{zone: d.zone}).formula(x)
	if err == errNotInt || err != nil && isLiteral(x) {
		return null, errorf(1697, "VALUES value for partition '%s' must have type INT", def.Name.Name)
	}
	if err != nil {
		return null, err
	}
	return f(nil)
}

func isLiteral(x ast.Expr) bool { _, is := x.(*ast.Literal); return is }

// parts reads the partitions, or makes as many as the statement asks for.
func (d *definer) parts(by *ast.PartitionBy) error {
	count, given, err := partCount(by.Partitions)
	if err != nil {
		return err
	}
	subs := 0
	if by.Sub != nil {
		asked := false
		if subs, asked, err = partCount(by.Sub.Subpartitions); err != nil {
			return err
		}
		if d.p.Sub.Counted = !slices.ContainsFunc(by.Defs, hasSubs); !d.p.Sub.Counted && !asked {
			subs = len(by.Defs[0].Subs)
		}
	}
	if len(by.Defs) == 0 {
		d.p.By.Counted, d.p.By.Unnumbered = true, !given
		d.p.Parts = Numbered(0, count)
		return d.limit()
	}
	if given && count != len(by.Defs) {
		return errorf(1064, "Wrong number of partitions defined, mismatch with previous setting")
	}
	if d.p.Parts, err = d.defined(by.Defs, subs); err != nil {
		return err
	}
	return d.limit()
}

func (d *definer) limit() error {
	if len(d.p.Leaves()) > maxPartitions {
		return errorf(1499, "Too many partitions (including subpartitions) were defined")
	}
	return nil
}

func partCount(digits string) (n int, given bool, err error) {
	if digits == "" {
		return 1, false, nil
	}
	n, err = strconv.Atoi(digits)
	switch {
	case err != nil || n > maxPartitions:
		return 0, true, errorf(1499, "Too many partitions (including subpartitions) were defined")
	case n == 0:
		return 0, true, errorf(1504, "Number of partitions = 0 is not an allowed value")
	}
	return n, true, nil
}

// Numbered makes partitions with MySQL's names, from a number on.
func Numbered(from, count int) (out []catalog.Partition) {
	for i := range count {
		out = append(out, catalog.Partition{Name: "p" + strconv.Itoa(from+i)})
	}
	return out
}

// defined reads definitions of partitions; subs is the number of their subpartitions, 0 without.
func (d *definer) defined(defs []ast.PartitionDef, subs int) (out []catalog.Partition, err error) {
	for i := range defs {
		def := &defs[i]
		part := catalog.Partition{Name: def.Name.Name}
		if err := d.kind(def); err != nil {
			return nil, err
		}
		if part.Values, err = d.values(def); err != nil {
			return nil, err
		}
		if part.Comment, part.Options, err = options(def.Options); err != nil {
			return nil, err
		}
		switch {
		case len(def.Subs) > 0:
			if len(def.Subs) != subs {
				return nil, errorf(1064, "Wrong number of subpartitions defined, mismatch with previous setting")
			}
			for j := range def.Subs {
				sub := catalog.Partition{Name: def.Subs[j].Name.Name}
				if sub.Comment, sub.Options, err = options(def.Subs[j].Options); err != nil {
					return nil, err
				}
				part.Subs = append(part.Subs, sub)
			}
		case d.p.Sub != nil && !d.p.Sub.Counted:
			return nil, errorf(1064, "Wrong number of subpartitions defined, mismatch with previous setting")
		default:
			for j := range subs {
				part.Subs = append(part.Subs, catalog.Partition{Name: fmt.Sprintf("%ssp%d", part.Name, j)})
			}
		}
		out = append(out, part)
	}
	return out, nil
}

// kind refuses values that are not those of the method.
func (d *definer) kind(def *ast.PartitionDef) error {
	want := ast.NoPartitionValues
	switch d.p.By.Method {
	case catalog.ByRange:
		want = ast.LessThan
	case catalog.ByList:
		want = ast.InValues
	}
	has := def.Kind
	if has == ast.LessThanMaxValue {
		has = ast.LessThan
	}
	switch {
	case has == want:
		return nil
	case has == ast.LessThan:
		return errorf(1480, "Only RANGE PARTITIONING can use VALUES LESS THAN in partition definition")
	case has == ast.InValues:
		return errorf(1480, "Only LIST PARTITIONING can use VALUES IN in partition definition")
	case want == ast.LessThan:
		return errorf(1479, "Syntax error: RANGE PARTITIONING requires definition of VALUES LESS THAN for each partition")
	}
	return errorf(1479, "Syntax error: LIST PARTITIONING requires definition of VALUES IN for each partition")
}

// values reads the values of a partition.
func (d *definer) values(def *ast.PartitionDef) (out [][]string, err error) {
	ranged := d.p.By.Method == catalog.ByRange
	switch {
	case def.Kind == ast.LessThanMaxValue:
		most := []string{"MAXVALUE"}
		if d.p.By.ColumnList && len(d.p.By.Columns) > 1 {
			return nil, errorf(1653, "Inconsistency in usage of column lists for partitioning")
		}
		return [][]string{most}, nil
	case d.p.By.ColumnList:
		return d.columnValues(def)
	case ranged && len(def.Values[0].Items) > 1:
		return nil, errorf(1657, "Cannot have more than one value for this type of RANGE partitioning")
	}
	for _, values := range def.Values {
		if values.Parens && len(values.Items) > 1 {
			return nil, errorf(1064, "Row expressions in VALUES IN only allowed for multi-field column partitioning")
		}
		for _, x := range values.Items {
			if _, most := x.(*ast.MaxValue); most {
				out = append(out, []string{"MAXVALUE"})
				continue
			}
			n, err := d.constant(def, x)
			if err != nil {
				return nil, err
			}
			text := []string{n.String()}
			switch {
			case n.null && ranged:
				return nil, errorf(1566, "Not allowed to use NULL value in VALUES LESS THAN")
			case n.null:
				out = slices.Insert(out, 0, text) // NULL is shown first
				continue
			case !n.unsigned && n.n < 0 && d.unsigned():
				return nil, errorf(1563, "Partition constant is out of partition function domain")
			}
			out = append(out, text)
		}
	}
	return out, nil
}

// unsigned tells whether the partitioning expression is an unsigned column.
func (d *definer) unsigned() bool {
	if len(d.rule.columns) != 1 || !d.rule.rising {
		return false
	}
	t := d.rule.cols[0].Type
	return t >= row.TUint8 && t <= row.TUint64
}

// columnValues reads rows of values of a list of columns.
func (d *definer) columnValues(def *ast.PartitionDef) (out [][]string, err error) {
	rows := def.Values
	if d.p.By.Method == catalog.ByList && !rows[0].Parens { // each value is a row of one
		rows = nil
		for _, x := range def.Values[0].Items {
			rows = append(rows, ast.PartitionRow{Items: []ast.Expr{x}})
		}
	}
	for _, values := range rows {
		if len(values.Items) != len(d.rule.columns) {
			return nil, errorf(1653, "Inconsistency in usage of column lists for partitioning")
		}
		var texts []string
		for i, x := range values.Items {
			text, err := d.columnValue(i, x)
			if err != nil {
				return nil, err
			}
			texts = append(texts, text)
		}
		out = append(out, texts)
	}
	return out, nil
}

func (d *definer) columnValue(i int, x ast.Expr) (string, error) {
	c := &d.rule.cols[i]
	if _, most := x.(*ast.MaxValue); most {
		return "MAXVALUE", nil
	}
	if lit, is := x.(*ast.Literal); is && lit.Kind == ast.NullLiteral {
		if d.p.By.Method == catalog.ByRange {
			return "", errorf(1566, "Not allowed to use NULL value in VALUES LESS THAN")
		}
		return "NULL", nil
	}
	v, ok := literalValue(c, x)
	if !ok {
		return "", errorf(1654, "Partition column values of incorrect type")
	}
	return shown(c, v), nil
}

// options reads the options of a partition.
func options(list []ast.TableOption) (comment string, others []string, err error) {
	for i := range list {
		o := &list[i]
		switch o.Kind {
		case ast.OptionComment:
			if o.Text != nil {
				comment = o.Text.Text
			}
		case ast.OptionEngine:
			if !strings.EqualFold(engineName(o), "InnoDB") {
				return "", nil, errorf(1178, "The storage engine for the table doesn't support native partitioning")
			}
		case ast.OptionMaxRows:
			others = append(others, "MAX_ROWS = "+o.Number)
		case ast.OptionMinRows:
			others = append(others, "MIN_ROWS = "+o.Number)
		case ast.OptionDataDirectory:
			return "", nil, errorf(3121, "The DATA DIRECTORY location must be in a known directory.")
		case ast.OptionTablespace:
			if name := o.Name.Name; !strings.EqualFold(name, "innodb_file_per_table") {
				return "", nil, errorf(3510, "Tablespace %s doesn't exist.", name)
			}
		}
	}
	return comment, others, nil
}

func engineName(o *ast.TableOption) string {
	if o.Text != nil {
		return o.Text.Text
	}
	return o.Name.Name
}
