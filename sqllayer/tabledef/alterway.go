package tabledef

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/sqllayer/sqlerr"
)

// AlterWay is how MySQL would change a table: with a copy, whose rows it counts, in place, or in
// its definition only. ALGORITHM and LOCK of a statement say which ways its client accepts. This
// server has ways of its own; counts and refusals are MySQL's.
type AlterWay struct {
	Algorithm, Lock string // as asked, in upper case; "" and DEFAULT: any
	Copies          bool   // MySQL would copy the table
	Moves           bool   // a column that is changed gets another place
}

// Keeps tells whether writers have to wait while rows are copied.
func (w *AlterWay) Keeps() bool {
	return w.Copies || w.Lock == "SHARED" || w.Lock == "EXCLUSIVE"
}

// Need is what one part of a statement needs.
type Need int

const (
	Definition Need = iota // a change of the definition only
	InPlace
	Copy
)

// Reasons that MySQL gives.
const (
	ReasonType       = "Cannot change column type INPLACE"
	ReasonTypeAtOnce = "Need to rebuild the table to change column type"
	ReasonPrimary    = "Dropping a primary key is not allowed without also adding a new primary key"
	ReasonForeignKey = "Adding foreign keys needs foreign_key_checks=OFF"
	ReasonAutoInc    = "Adding an auto-increment column requires a lock"
	reasonCopy       = "COPY algorithm requires a lock"
)

// Asked notes what a statement asks for in ALGORITHM or LOCK.
func (w *AlterWay) Asked(lock bool, word string) error {
	upper := strings.ToUpper(word)
	if lock {
		if !slices.Contains([]string{"DEFAULT", "NONE", "SHARED", "EXCLUSIVE"}, upper) {
			return sqlerr.NewError(1801, "Unknown LOCK type '%s'", word)
		}
		w.Lock = upper
		return nil
	}
	if !slices.Contains([]string{"DEFAULT", "COPY", "INPLACE", "INSTANT"}, upper) {
		return sqlerr.NewError(1800, "Unknown ALGORITHM '%s'", word)
	}
	w.Algorithm = upper
	return nil
}

// Agree refuses an ALGORITHM and a LOCK that exclude each other.
func (w *AlterWay) Agree() error {
	switch {
	case w.Algorithm == "INSTANT" && w.Lock != "" && w.Lock != "DEFAULT":
		return sqlerr.NewError(1221, "Incorrect usage of ALGORITHM=INSTANT and LOCK=NONE/SHARED/EXCLUSIVE")
	case w.Algorithm == "COPY":
		return w.Require(Copy, reasonCopy)
	}
	return nil
}

// Outside notes what MySQL does with a copy whatever the engine can do.
func (w *AlterWay) Outside() error {
	if w.Algorithm == "INPLACE" || w.Algorithm == "INSTANT" {
		return w.refused("ALGORITHM="+w.Algorithm, "", "ALGORITHM=COPY")
	}
	return w.Require(Copy, reasonCopy)
}

// Require notes what a part needs, and refuses it where the statement asks for less. The reason may
// be absent.
func (w *AlterWay) Require(n Need, reason string) error {
	w.Copies = w.Copies || n == Copy
	switch {
	case w.Algorithm == "INSTANT" && n != Definition:
		if reason == ReasonType {
			reason = ReasonTypeAtOnce
		}
		return w.refused("ALGORITHM=INSTANT", reason, "ALGORITHM=COPY/INPLACE")
	case n != Copy:
		return nil
	case w.Algorithm == "INPLACE":
		return w.refused("ALGORITHM=INPLACE", reason, "ALGORITHM=COPY")
	case w.Lock == "NONE":
		return w.refused("LOCK=NONE", reason, "LOCK=SHARED")
	}
	return nil
}

// Locks refuses LOCK=NONE for what needs a lock and no copy.
func (w *AlterWay) Locks(reason string) error {
	if w.Lock == "NONE" {
		return w.refused("LOCK=NONE", reason, "LOCK=SHARED")
	}
	return w.Require(InPlace, reason)
}

func (*AlterWay) refused(asked, reason, try string) error {
	if reason == "" {
		return sqlerr.NewError(1845, "%s is not supported for this operation. Try %s.", asked, try)
	}
	return sqlerr.NewError(1846, "%s is not supported. Reason: %s. Try %s.", asked, reason, try)
}

// Column notes the change of a column of old into one of new; named: the statement defines it anew.
func (w *AlterWay) Column(old, new *catalog.Table, from, to int, named bool) error {
	a, b := &old.Columns[from], &new.Columns[to]
	switch {
	case named && (a.Generated != b.Generated || a.Virtual != b.Virtual):
		return w.Require(Copy, "")
	case (old.AutoInc == from) != (new.AutoInc == to):
		return w.Require(Copy, ReasonType)
	case a.SQLType != b.SQLType || a.Collation != b.Collation:
		indexed := func(x *catalog.Index) bool {
			return slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool { return p.Column == from })
		}
		switch {
		case appendsMembers(a, b) || sameNumbers(a, b):
		case growsInPlace(a, b) && (a.Collation == b.Collation || !slices.ContainsFunc(old.Indexes, indexed)):
			return w.Require(InPlace, "")
		default:
			return w.Require(Copy, ReasonType)
		}
	case b.SRID != nil && !SameSRID(a.SRID, b.SRID):
		return w.Outside()
	}
	if a.Nullable != b.Nullable || named && w.Moves && from != to {
		return w.Require(InPlace, "")
	}
	return nil
}

// sameNumbers tells whether numbers differ in what is shown of them only.
func sameNumbers(a, b *catalog.Column) bool {
	switch was, is := a.Column, b.Column; {
	case was.Type != is.Type || was.Unsigned != is.Unsigned:
		return false
	case was.Type == row.TFloat32 || was.Type == row.TFloat64:
		return true
	case was.Type == row.TDecimal:
		return was.Precision == is.Precision && was.Scale == is.Scale
	default:
		return was.Type.Integer()
	}
}

// appendsMembers tells whether an ENUM or SET gets further members in as many bytes.
func appendsMembers(a, b *catalog.Column) bool {
	if a.Type != b.Type || a.Collation != b.Collation || a.Type != row.TEnum && a.Type != row.TSet {
		return false
	}
	was, bytesBefore := membersOf(a)
	is, bytesNow := membersOf(b)
	return was != nil && len(was) <= len(is) && slices.Equal(was, is[:len(was)]) && bytesBefore == bytesNow
}

// membersOf are the members of an ENUM or SET, and the bytes of a value.
func membersOf(c *catalog.Column) (names []string, bytes int) {
	t, err := ParseType(c.SQLType, nil)
	if err != nil {
		return nil, 0
	}
	switch t := t.(type) {
	case sql.EnumType:
		return t.Values(), 1 + len(t.Values())>>8
	case sql.SetType:
		for bytes = (len(t.Values()) + 7) / 8; bytes&(bytes-1) != 0; {
			bytes++
		}
		return t.Values(), bytes
	}
	return nil, 0
}

// growsInPlace tells whether texts of one column are those of another to the byte: with another
// collation, a larger VARCHAR, or utf8mb4 after utf8mb3.
func growsInPlace(a, b *catalog.Column) bool {
	set, wanted := sql.CollationID(a.Collation).CharacterSet(), sql.CollationID(b.Collation).CharacterSet()
	larger := set == sql.CharacterSet_utf8mb3 && wanted == sql.CharacterSet_utf8mb4
	if a.Type != b.Type || set != wanted && !larger {
		return false
	}
	switch a.Type {
	case row.TVarchar, row.TVarbinary:
		long := func(c *catalog.Column, set sql.CharacterSetID) bool {
			return c.Type == row.TVarchar && int64(c.Length)*set.MaxLength() > 255 || c.Length > 255
		}
		return a.Length <= b.Length && long(a, set) == long(b, wanted)
	case row.TChar, row.TText:
		return a.Length == b.Length && set == wanted && set != sql.CharacterSet_binary && typeWord(a) == typeWord(b)
	}
	return false
}

// typeWord is the name of a column's type.
func typeWord(c *catalog.Column) string {
	word, _, _ := strings.Cut(c.SQLType, " ")
	return word
}

// EffectivePrimary is the index that MySQL keeps the rows by: the primary key, or the first unique
// one of columns that hold no NULL; nil if there is none.
func EffectivePrimary(def *catalog.Table) *catalog.Index {
	if x := def.Indexes[0]; len(x.Parts) > 0 {
		return x
	}
	for _, x := range def.Indexes[1:] {
		if x.Unique && !slices.ContainsFunc(x.Parts, func(p row.KeyPart) bool {
			return p.Prefix > 0 || def.Columns[p.Column].Nullable || def.Columns[p.Column].System
		}) {
			return x
		}
	}
	return nil
}
