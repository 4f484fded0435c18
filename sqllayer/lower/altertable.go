package lower

import (
	"slices"
	"strings"

	vt "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/sql/ast"
)

// alterTable lowers ALTER TABLE: one definition for each part, as GMS runs them one after the
// other.
func (l *lowerer) alterTable(n *ast.AlterTable) *vt.AlterTable {
	l.table, l.schema = true, n.Table.Schema
	out := &vt.AlterTable{Table: tableName(n.Table), Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE}}
	if n.Remove {
		out.PartitionSpecs = append(out.PartitionSpecs, &vt.PartitionSpec{Action: vt.RemoveStr})
	}
	if n.Tail != nil {
		l.alterPartitions(out, n.Tail)
	}
	now, later := apartByNames(n)
	for _, a := range now {
		for _, d := range l.alterAction(a) {
			if d.Action == vt.RenameStr {
				d.FromTables = append(vt.TableNames{out.Table}, d.FromTables...)
			} else {
				d.Table = out.Table
			}
			d.Auth.TargetNames = append([]string{n.Table.Schema.Name, n.Table.Name.Name}, d.Auth.TargetNames...)
			out.Statements = append(out.Statements, d)
		}
	}
	if key := ReplacedPrimary(n); key != nil {
		d := alterFlag(&ast.AlterFlag{Kind: ast.EnableKeys})
		d.Table, d.Auth.AuthType, d.Auth.TargetNames = out.Table, vt.AuthType_INDEX, []string{n.Table.Schema.Name, n.Table.Name.Name}
		out.Statements = append(out.Statements, d)
	}
	for _, a := range later {
		d := l.laterPart(a)
		d.Table, d.Auth.TargetNames = out.Table, []string{n.Table.Schema.Name, n.Table.Name.Name}
		out.Statements = append(out.Statements, d)
	}
	for range FunctionalKeys(n) { // over columns that the other parts have made
		d := alterFlag(&ast.AlterFlag{Kind: ast.EnableKeys})
		d.Table, d.Auth.AuthType, d.Auth.TargetNames = out.Table, vt.AuthType_INDEX, []string{n.Table.Schema.Name, n.Table.Name.Name}
		out.Statements = append(out.Statements, d)
	}
	if len(out.PartitionSpecs) > 0 || n.Partition != nil { // what the layer does to partitions stands in the place of ENABLE KEYS
		d := alterFlag(&ast.AlterFlag{Kind: ast.EnableKeys})
		d.Table, d.Auth.TargetNames = out.Table, []string{n.Table.Schema.Name, n.Table.Name.Name}
		if len(n.Actions) == 0 && n.Partition == nil {
			d.Auth = vt.AuthInformation{AuthType: vt.AuthType_IGNORE}
		}
		out.Statements = append(out.Statements, d)
	}
	out.Statements = renamesLast(dropsFirst(apart(shownOnce(out.Statements))))
	if out.Statements == nil || len(out.PartitionSpecs) > 0 {
		out.Auth = onTable(vt.AuthType_ALTER, n.Table)
	}
	return out
}

// renamesLast puts RENAME TO behind the other parts, which find the table by its old name. A name
// that stays is no part.
func renamesLast(parts []*vt.DDL) (out []*vt.DDL) {
	var renames []*vt.DDL
	for _, d := range parts {
		switch {
		case d.Action != vt.RenameStr:
			out = append(out, d)
		case d.FromTables[0] != d.ToTables[0]:
			renames = append(renames, d)
		}
	}
	return append(out, renames...)
}

// AboutPartitions tells whether ALTER TABLE says anything of partitions.
func AboutPartitions(n *ast.AlterTable) bool {
	return n.Partition != nil || n.Remove || n.Tail != nil && n.Tail.Kind >= ast.DiscardPartition && n.Tail.Kind <= ast.RemovePartitioning
}

// partitionActions are the words of GMS's grammar for what is done to partitions.
var partitionActions = map[ast.PartitionActionKind]string{
	ast.DiscardPartition: vt.DiscardStr, ast.ImportPartition: vt.ImportStr, ast.AddPartition: vt.AddStr, ast.DropPartition: vt.DropStr,
	ast.RebuildPartition: vt.RebuildStr, ast.OptimizePartition: vt.OptimizeStr, ast.AnalyzePartition: vt.AnalyzeStr, ast.CheckPartition: "check",
	ast.RepairPartition: vt.RepairStr, ast.CoalescePartition: vt.CoalesceStr, ast.TruncatePartition: vt.TruncateStr,
	ast.ReorganizePartition: vt.ReorganizeStr, ast.ExchangePartition: vt.ExchangeStr, ast.RemovePartitioning: vt.RemoveStr,
}

// alterPartitions lowers a command on partitions: what rights are asked for. The layer runs it by
// the statement's own tree.
func (l *lowerer) alterPartitions(out *vt.AlterTable, n *ast.PartitionAction) {
	if n.Kind == ast.DiscardTablespace || n.Kind == ast.ImportTablespace {
		d := altering(vt.AuthType_ALTER)
		d.Table, d.Auth.TargetNames = out.Table, []string{out.Table.DbQualifier.String(), out.Table.Name.String()}
		out.Statements = append(out.Statements, d)
		return
	}
	word, ok := partitionActions[n.Kind]
	l.refuseIf(!ok, "secondary engine")
	spec := &vt.PartitionSpec{Action: word, IsAll: n.All, Names: vt.Partitions(colIdents(n.Names))}
	if n.Table != nil {
		spec.TableName = tableName(*n.Table)
	}
	out.PartitionSpecs = append(out.PartitionSpecs, spec)
}

// altering is a part of ALTER TABLE that needs a right on the table.
func altering(authType string) *vt.DDL {
	return &vt.DDL{Action: vt.AlterStr, Auth: vt.AuthInformation{AuthType: authType, TargetType: vt.AuthTargetType_SingleTableIdentifier}}
}

func (l *lowerer) alterAction(a ast.AlterAction) []*vt.DDL {
	switch a := a.(type) {
	case *ast.AddColumns:
		return l.addColumns(a)
	case *ast.AddKey:
		if IsFunctional(a.Element) {
			return nil
		}
		return []*vt.DDL{l.addElement(a.Element)}
	case *ast.ChangeColumn:
		return []*vt.DDL{l.changeColumn(a)}
	case *ast.DropObject:
		return []*vt.DDL{dropObject(a)}
	case *ast.RenameObject:
		return []*vt.DDL{renameObject(a)}
	case *ast.RenameTo:
		d := &vt.DDL{Action: vt.RenameStr, ToTables: vt.TableNames{tableName(a.Table)}}
		d.Auth = vt.AuthInformation{AuthType: vt.AuthType_RENAME, TargetType: vt.AuthTargetType_Ignore,
			TargetNames: []string{a.Table.Schema.Name, a.Table.Name.Name}}
		return []*vt.DDL{d}
	case *ast.AlterChange:
		return []*vt.DDL{l.alterChange(a)}
	case *ast.AlterOptions:
		return l.alterOptions(a)
	case *ast.ConvertCharset:
		l.refuseIf(!a.Charset.Given(), "CONVERT TO the default character set")
		d := altering(vt.AuthType_ALTER)
		d.AlterCollationSpec = &vt.AlterCollationSpec{CharacterSet: a.Charset.Name, Collation: a.Collate.Name}
		return []*vt.DDL{d}
	case *ast.AlterFlag:
		return []*vt.DDL{alterFlag(a)}
	case *ast.OrderTable: // rows are in the order of their key
		return []*vt.DDL{altering(vt.AuthType_ALTER)}
	case *ast.AlterHow:
		if a.Lock {
			return []*vt.DDL{altering(vt.AuthType_LOCK)}
		}
		return []*vt.DDL{altering(vt.AuthType_ALTER)}
	}
	l.refuse("part of ALTER TABLE")
	return nil
}

func (l *lowerer) addColumns(n *ast.AddColumns) (out []*vt.DDL) {
	for _, e := range n.Elements {
		if IsFunctional(e) {
			continue
		}
		d := l.addElement(e)
		if d.ColumnAction == vt.AddStr {
			d.ColumnOrder = columnOrder(n.Place)
		}
		out = append(out, d)
	}
	return out
}

func columnOrder(n *ast.ColumnPlace) *vt.ColumnOrder {
	switch {
	case n == nil:
		return nil
	case n.First:
		return &vt.ColumnOrder{First: true}
	}
	return &vt.ColumnOrder{AfterColumn: colIdent(n.After)}
}

// addElement lowers ADD of a column, a key, a foreign key or a check.
func (l *lowerer) addElement(e ast.TableElement) *vt.DDL {
	switch e := e.(type) {
	case *ast.ColumnDef:
		d := altering(vt.AuthType_ALTER)
		d.ColumnAction, d.Column = vt.AddStr, colIdent(e.Name)
		l.defined(d, e)
		return d
	case *ast.KeyDef:
		d := altering(vt.AuthType_INDEX)
		d.IndexSpec = l.indexSpec(e)
		return d
	case *ast.ForeignKey:
		d := altering(vt.AuthType_FOREIGN_KEY)
		d.ConstraintAction, d.TableSpec = vt.AddStr, &vt.TableSpec{}
		d.TableSpec.AddConstraint(l.foreignKey(e))
		return d
	case *ast.Check:
		d := altering(vt.AuthType_ALTER)
		d.ConstraintAction, d.TableSpec = vt.AddStr, &vt.TableSpec{}
		d.TableSpec.AddConstraint(l.check(e))
		return d
	}
	l.refuse("ADD of this element")
	return nil
}

// defined gives a part of ALTER TABLE the definition of its column.
func (l *lowerer) defined(d *vt.DDL, n *ast.ColumnDef) {
	d.TableSpec = &vt.TableSpec{}
	l.columnDef(d.TableSpec, n)
	if len(d.TableSpec.Constraints) > 0 {
		d.ConstraintAction = vt.AddStr
	}
}

// changeColumn lowers CHANGE, and MODIFY, which names no other column.
func (l *lowerer) changeColumn(n *ast.ChangeColumn) *vt.DDL {
	d := altering(vt.AuthType_ALTER)
	d.ColumnAction, d.Column, d.ColumnOrder = vt.ModifyStr, colIdent(n.Def.Name), columnOrder(n.Place)
	l.defined(d, n.Def)
	if n.Old.Given() {
		d.ColumnAction, d.Column, d.ConstraintAction = vt.ChangeStr, colIdent(n.Old), ""
	}
	return d
}

// indexTypes are the words of GMS's grammar for the kinds of keys.
var indexTypes = [...]string{ast.PlainKey: "", ast.PrimaryKey: vt.PrimaryStr, ast.UniqueKey: vt.UniqueStr, ast.FulltextKey: vt.FulltextStr, ast.SpatialKey: vt.SpatialStr}

func (l *lowerer) indexSpec(n *ast.KeyDef) *vt.IndexSpec {
	s := &vt.IndexSpec{Action: vt.CreateStr, Type: indexTypes[n.Kind], ToName: colIdent(n.Name), Fields: l.keyParts(n.Parts), Options: l.keyOptions(n.Parts, n.Options)}
	if n.Kind == ast.PrimaryKey || !n.Name.Given() {
		s.ToName = colIdent(n.Symbol)
	}
	if n.Using != ast.NoKeyAlgorithm {
		s.Using = vt.NewColIdent(keyAlgorithms[n.Using])
	}
	return s
}

func dropObject(n *ast.DropObject) *vt.DDL {
	d := altering(vt.AuthType_ALTER)
	switch n.Object {
	case ast.ObjectColumn:
		d.ColumnAction, d.Column = vt.DropStr, colIdent(n.Name)
	case ast.ObjectKey:
		d.Auth.AuthType, d.IndexSpec = vt.AuthType_INDEX, &vt.IndexSpec{Action: vt.DropStr, ToName: colIdent(n.Name)}
	case ast.ObjectPrimaryKey:
		d.Auth.AuthType, d.IndexSpec = vt.AuthType_INDEX, &vt.IndexSpec{Action: vt.DropStr, Type: vt.PrimaryStr}
	default:
		d.ConstraintAction, d.TableSpec = vt.DropStr, &vt.TableSpec{}
		d.TableSpec.AddConstraint(namedConstraint(n.Object, n.Name))
	}
	return d
}

// namedConstraint names a constraint; its kind is known where the statement says it.
func namedConstraint(kind ast.AlterObject, name ast.Ident) *vt.ConstraintDefinition {
	c := &vt.ConstraintDefinition{Name: name.Name}
	switch kind {
	case ast.ObjectForeignKey:
		c.Details = &vt.ForeignKeyDefinition{}
	case ast.ObjectCheck:
		c.Details = &vt.CheckConstraintDefinition{}
	}
	return c
}

func renameObject(n *ast.RenameObject) *vt.DDL {
	d := altering(vt.AuthType_ALTER)
	if n.Object == ast.ObjectKey {
		d.Auth.AuthType = vt.AuthType_INDEX
		d.IndexSpec = &vt.IndexSpec{Action: vt.RenameStr, FromName: colIdent(n.From), ToName: colIdent(n.To)}
		return d
	}
	d.ColumnAction, d.Column, d.ToColumn = vt.RenameStr, colIdent(n.From), colIdent(n.To)
	return d
}

// Actions on a column that GMS knows nothing of. The layer makes each a MODIFY of the column.
const (
	SetVisible   = "set visible"
	SetInvisible = "set invisible"
)

// Actions on a check that GMS knows nothing of. The layer drops the check and makes it again.
const (
	SetEnforced    = "set enforced"
	SetNotEnforced = "set not enforced"
)

// Names to which GMS renames an index that becomes visible or invisible. No client can write them.
const (
	ShownIndex  = "\x00visible"
	HiddenIndex = "\x00invisible"
)

// shownOnce leaves one part of those that make an index visible or invisible: the last one counts.
func shownOnce(parts []*vt.DDL) (out []*vt.DDL) {
	for i, d := range parts {
		again := shows(d) && slices.ContainsFunc(parts[i+1:], func(later *vt.DDL) bool {
			return shows(later) && later.IndexSpec.FromName.Equal(d.IndexSpec.FromName)
		})
		if !again {
			out = append(out, d)
		}
	}
	return out
}

// shows tells whether a part makes an index visible or invisible.
func shows(d *vt.DDL) bool {
	if d.IndexSpec == nil {
		return false
	}
	to := d.IndexSpec.ToName.String()
	return to == ShownIndex || to == HiddenIndex
}

// alterChange lowers ALTER of a column's default. The layer reads the changes that GMS knows
// nothing of from our tree.
func (l *lowerer) alterChange(n *ast.AlterChange) *vt.DDL {
	d := altering(vt.AuthType_ALTER)
	switch n.Change {
	case ast.SetColumnDefault:
		d.DefaultSpec = &vt.DefaultSpec{Action: vt.SetStr, Column: colIdent(n.Name), Value: l.defaultExpr(n.Default, n.Parens)}
	case ast.DropColumnDefault:
		d.DefaultSpec = &vt.DefaultSpec{Action: vt.DropStr, Column: colIdent(n.Name)}
		d.Auth.TargetType, d.Auth.TargetNames = vt.AuthTargetType_TableColumn, []string{n.Name.Name}
	case ast.SetVisible, ast.SetInvisible:
		if n.Object == ast.ObjectColumn {
			d.ColumnAction, d.Column = SetVisible, colIdent(n.Name)
			if n.Change == ast.SetInvisible {
				d.ColumnAction = SetInvisible
			}
			return d
		}
		d.IndexSpec = &vt.IndexSpec{Action: vt.RenameStr, FromName: colIdent(n.Name), ToName: vt.NewColIdent(ShownIndex)}
		if d.Auth.AuthType = vt.AuthType_INDEX; n.Change == ast.SetInvisible {
			d.IndexSpec.ToName = vt.NewColIdent(HiddenIndex)
		}
	case ast.SetEnforced, ast.SetNotEnforced:
		d.ConstraintAction, d.TableSpec = SetEnforced, &vt.TableSpec{}
		if n.Change == ast.SetNotEnforced {
			d.ConstraintAction = SetNotEnforced
		}
		d.TableSpec.AddConstraint(namedConstraint(n.Object, n.Name))
	default:
		l.refuse("masking policy")
	}
	return d
}

// KeyStep is what an action stands for that GMS runs as ENABLE or DISABLE KEYS, which it knows to change
// nothing.
type KeyStep uint8

const (
	KeysSwitched    KeyStep = iota // ENABLE or DISABLE KEYS
	TableRebuilt                   // ENGINE or FORCE
	StorageSaid                    // an option that tells how InnoDB stores a table
	PrimaryReplaced                // DROP PRIMARY KEY and ADD PRIMARY KEY together, see ReplacedPrimary
	PartAdded                      // one of LaterParts: behind the parts that are planned at once
	KeyAdded                       // ADD of a functional key: they come last, in the order of FunctionalKeys
)

// IsFunctional tells a key over an expression.
func IsFunctional(e ast.TableElement) bool {
	k, ok := e.(*ast.KeyDef)
	return ok && slices.ContainsFunc(k.Parts, func(p ast.KeyPart) bool { return p.X != nil })
}

// FunctionalKeys are those that a statement adds. GMS would plan their expressions, and the schema
// with their hidden columns, as the table was before the statement.
func FunctionalKeys(n *ast.AlterTable) (out []*ast.KeyDef) {
	add := func(e ast.TableElement) {
		if IsFunctional(e) {
			out = append(out, e.(*ast.KeyDef))
		}
	}
	for _, a := range n.Actions {
		switch a := a.(type) {
		case *ast.AddKey:
			add(a.Element)
		case *ast.AddColumns:
			for _, e := range a.Elements {
				add(e)
			}
		}
	}
	return out
}

// KeySteps are those of a statement, in their order.
func KeySteps(n *ast.AlterTable) (out []KeyStep) {
	for _, a := range n.Actions {
		switch a := a.(type) {
		case *ast.AlterFlag:
			switch a.Kind {
			case ast.EnableKeys, ast.DisableKeys:
				out = append(out, KeysSwitched)
			case ast.ForceRebuild:
				out = append(out, TableRebuilt)
			}
		case *ast.AlterOptions:
			for i := range a.Options {
				switch {
				case a.Options[i].Kind == ast.OptionEngine:
					out = append(out, TableRebuilt)
				case saysStorage(a.Options[i].Kind):
					out = append(out, StorageSaid)
				}
			}
		}
	}
	if ReplacedPrimary(n) != nil {
		out = append(out, PrimaryReplaced)
	}
	for range LaterParts(n) {
		out = append(out, PartAdded)
	}
	for range FunctionalKeys(n) {
		out = append(out, KeyAdded)
	}
	return out
}

// saysStorage tells the options that say how InnoDB stores a table.
func saysStorage(k ast.TableOptionKind) bool {
	switch k {
	case ast.OptionMinRows, ast.OptionMaxRows, ast.OptionAvgRowLength, ast.OptionPackKeys, ast.OptionStatsPersistent, ast.OptionStatsAutoRecalc,
		ast.OptionStatsSamplePages, ast.OptionChecksum, ast.OptionDelayKeyWrite, ast.OptionRowFormat, ast.OptionKeyBlockSize, ast.OptionCompression:
		return true
	}
	return false
}

// alterOptions lowers options of the table: a definition for each that GMS knows, and an empty one
// for the others.
func (l *lowerer) alterOptions(n *ast.AlterOptions) (out []*vt.DDL) {
	var collation *vt.AlterCollationSpec
	for i := range n.Options {
		o := l.tableOption(&n.Options[i])
		d := altering(vt.AuthType_ALTER)
		if saysStorage(n.Options[i].Kind) {
			d.IndexSpec = &vt.IndexSpec{Action: "enable"}
		}
		switch n.Options[i].Kind {
		case ast.OptionAutoIncrement:
			whole, _, _ := strings.Cut(o.Value, ".") // MySQL reads the digits up to there
			d.AutoIncSpec = &vt.AutoIncSpec{Value: vt.NewIntVal([]byte(whole))}
		case ast.OptionEngine:
			d.IndexSpec = &vt.IndexSpec{Action: "enable"}
		case ast.OptionComment:
			d.AlterCommentSpec = &vt.AlterCommentSpec{Comment: o.Value}
		case ast.OptionCharset, ast.OptionCollate:
			l.refuseIf(!n.Options[i].Name.Given(), "the default character set of a table")
			if collation == nil {
				collation = &vt.AlterCollationSpec{}
				d.AlterCollationSpec = collation
			}
			if n.Options[i].Kind == ast.OptionCharset {
				collation.CharacterSet = o.Value
			} else {
				collation.Collation = o.Value
			}
			if d.AlterCollationSpec == nil {
				continue
			}
		}
		out = append(out, d)
	}
	return out
}

func alterFlag(n *ast.AlterFlag) *vt.DDL {
	d := altering(vt.AuthType_ALTER)
	switch n.Kind {
	case ast.EnableKeys, ast.ForceRebuild:
		d.IndexSpec = &vt.IndexSpec{Action: "enable"}
	case ast.DisableKeys:
		d.IndexSpec = &vt.IndexSpec{Action: "disable"}
	}
	return d
}

// onIndex lowers CREATE INDEX and DROP INDEX, which GMS has as parts of ALTER TABLE.
func onIndex(table ast.TableName, spec *vt.IndexSpec) *vt.AlterTable {
	d := altering(vt.AuthType_INDEX)
	d.Table, d.IndexSpec, d.Auth.TargetNames = tableName(table), spec, []string{table.Schema.Name, table.Name.Name}
	return &vt.AlterTable{Table: d.Table, Statements: []*vt.DDL{d}, Auth: vt.AuthInformation{AuthType: vt.AuthType_IGNORE}}
}

func (l *lowerer) createIndex(n *ast.CreateIndex) *vt.AlterTable {
	l.table = true
	return onIndex(n.Table, l.indexSpec(n.Key))
}

func dropIndex(n *ast.DropIndex) *vt.AlterTable {
	return onIndex(n.Table, &vt.IndexSpec{Action: vt.DropStr, ToName: colIdent(n.Name)})
}
