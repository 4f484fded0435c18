package partition

import (
	"fmt"
	"strconv"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/sql/token"
)

// Text is what SHOW CREATE TABLE says behind the options of the table.
func Text(p *catalog.Partitioning) string {
	version := "50100"
	if p.By.ColumnList && p.By.Method != catalog.ByKey {
		version = "50500"
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "\n/*!%s PARTITION BY %s", version, keyText(&p.By, version))
	if p.By.Counted && !p.By.Unnumbered {
		fmt.Fprintf(b, "\nPARTITIONS %d", len(p.Parts))
	}
	if p.Sub != nil {
		fmt.Fprintf(b, "\nSUBPARTITION BY %s", keyText(p.Sub, version))
		if p.Sub.Counted {
			fmt.Fprintf(b, "\nSUBPARTITIONS %d", len(p.Parts[0].Subs))
		}
	}
	if !p.By.Counted {
		b.WriteString("\n(")
		for i := range p.Parts {
			if i > 0 {
				b.WriteString(",\n ")
			}
			partText(b, p, &p.Parts[i])
		}
		b.WriteString(")")
	}
	return b.String() + " */"
}

// keyText is the method with its expression or columns.
func keyText(k *catalog.PartitionKey, version string) string {
	text := string(k.Method) + " "
	if k.Linear {
		text = "LINEAR " + text
	}
	if k.Algorithm == 1 {
		text += "*/ /*!50611 ALGORITHM = 1 */ /*!" + version + " "
	}
	if !k.ColumnList {
		return text + "(" + k.Expr + ")"
	}
	if k.Method != catalog.ByKey {
		text += " COLUMNS"
	}
	names := make([]string, len(k.Columns))
	for i, c := range k.Columns {
		names[i] = plainName(c)
	}
	return text + "(" + strings.Join(names, ",") + ")"
}

// plainName quotes a name only where it must be.
func plainName(name string) string {
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c > 127 || i > 0 && c >= '0' && c <= '9') {
			return quoteName(name)
		}
	}
	if token.Keyword(name, false).Reserved() {
		return quoteName(name)
	}
	return name
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func partText(b *strings.Builder, p *catalog.Partitioning, part *catalog.Partition) {
	b.WriteString("PARTITION " + plainName(part.Name))
	switch p.By.Method {
	case catalog.ByRange:
		if d := Description(p, part); d == "MAXVALUE" && len(part.Values[0]) == 1 && !p.By.ColumnList {
			b.WriteString(" VALUES LESS THAN MAXVALUE")
		} else {
			b.WriteString(" VALUES LESS THAN (" + d + ")")
		}
	case catalog.ByList:
		b.WriteString(" VALUES IN (" + Description(p, part) + ")")
	}
	if p.Sub == nil || p.Sub.Counted {
		b.WriteString(optionText(part))
		return
	}
	b.WriteString("\n (")
	for i := range part.Subs {
		if i > 0 {
			b.WriteString(",\n  ")
		}
		b.WriteString("SUBPARTITION " + plainName(part.Subs[i].Name) + optionText(&part.Subs[i]))
	}
	b.WriteString(")")
}

func optionText(part *catalog.Partition) string {
	text := ""
	for _, o := range part.Options {
		text += " " + o
	}
	if part.Comment != "" {
		text += " COMMENT = '" + quoted.Replace(part.Comment) + "'"
	}
	return text + " ENGINE = InnoDB"
}

// Description is what information_schema says of a partition's values.
func Description(p *catalog.Partitioning, part *catalog.Partition) string {
	rows := make([]string, len(part.Values))
	for i, v := range part.Values {
		rows[i] = strings.Join(v, ",")
		if p.By.Method == catalog.ByList && len(v) > 1 {
			rows[i] = "(" + rows[i] + ")"
		}
	}
	return strings.Join(rows, ",")
}

// Method is what information_schema says of a key.
func Method(k *catalog.PartitionKey) string {
	text := string(k.Method)
	if k.Linear {
		text = "LINEAR " + text
	}
	if k.ColumnList && k.Method != catalog.ByKey {
		text += " COLUMNS"
	}
	return text
}

// Expression is what information_schema says of a key's expression; "" for KEY ().
func Expression(k *catalog.PartitionKey) string {
	if !k.ColumnList {
		return k.Expr
	}
	names := make([]string, len(k.Columns))
	for i, c := range k.Columns {
		names[i] = quoteName(c)
	}
	return strings.Join(names, ",")
}

// LeafName is the name of a part as EXPLAIN tells it.
func LeafName(p *catalog.Partitioning, leaf catalog.Leaf) string {
	part := &p.Parts[leaf.Part]
	if len(part.Subs) == 0 {
		return part.Name
	}
	return part.Name + "_" + part.Subs[leaf.SubPart].Name
}

// StoredName is the name of a part as InnoDB's dictionary tells it.
func StoredName(table string, p *catalog.Partitioning, leaf catalog.Leaf) string {
	part := &p.Parts[leaf.Part]
	name := table + "#p#" + strings.ToLower(part.Name)
	if len(part.Subs) > 0 {
		name += "#sp#" + strings.ToLower(part.Subs[leaf.SubPart].Name)
	}
	return name
}

// Names lists parts as EXPLAIN does.
func Names(p *catalog.Partitioning, parts []int) []string {
	leaves := p.Leaves()
	names := make([]string, 0, len(parts))
	for _, n := range parts {
		names = append(names, LeafName(p, leaves[n]))
	}
	return names
}

// Find returns the parts that a name stands for, that of a partition or of a subpartition; nil if
// there is none.
func Find(p *catalog.Partitioning, name string) (out []int) {
	for i, leaf := range p.Leaves() {
		if strings.EqualFold(leaf.Name, name) || strings.EqualFold(p.Parts[leaf.Part].Name, name) {
			out = append(out, i)
		}
	}
	return out
}

// nextNumber is the number behind the greatest of MySQL's names.
func nextNumber(p *catalog.Partitioning) int {
	next := len(p.Parts)
	for i := range p.Parts {
		if digits, ok := strings.CutPrefix(p.Parts[i].Name, "p"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				next = max(next, n+1)
			}
		}
	}
	return next
}
