package replication

import (
	"strings"

	"emberdb/binlog"
	"emberdb/replication/relay"
)

// UntilKind is what START REPLICA UNTIL waits for.
type UntilKind uint8

// The kinds.
const (
	UntilSource UntilKind = iota + 1 // a place in the source's log
	UntilRelay                       // a position in the relay log
	UntilBefore                      // before the first of GTIDs
	UntilAfter                       // after all of GTIDs
	UntilGaps                        // no transaction is left out; none ever is
)

// Until is where the applier stops by itself.
type Until struct {
	Kind     UntilKind
	File     string
	Position uint64
	GTIDs    *binlog.Set
}

// String is the kind as SHOW REPLICA STATUS tells it.
func (u *Until) String() string {
	if u == nil {
		return "None"
	}
	return [...]string{"None", "Source", "Relay", "SQL_BEFORE_GTIDS", "SQL_AFTER_GTIDS", "SQL_AFTER_MTS_GAPS"}[u.Kind]
}

// before tells whether the applier stops ahead of a transaction: it stands at m, the name of its
// file in the relay log is file.
func (u *Until) before(m *Mark, file string, name binlog.GTID) bool {
	if u == nil {
		return false
	}
	switch u.Kind {
	case UntilSource:
		n := compareFiles(m.File, u.File)
		return n > 0 || n == 0 && uint64(m.Position) >= u.Position
	case UntilRelay:
		n := compareFiles(file, u.File)
		return n > 0 || n == 0 && uint64(m.Offset) >= u.Position
	case UntilBefore:
		return name != (binlog.GTID{}) && u.GTIDs.Contains(name)
	}
	return u.Kind == UntilGaps
}

// after tells whether the applier stops where it has come to.
func (u *Until) after(m *Mark, file string, executed func() *binlog.Set) bool {
	if u == nil {
		return false
	}
	if u.Kind == UntilAfter {
		return executed().ContainsSet(u.GTIDs)
	}
	return u.Kind != UntilBefore && u.before(m, file, binlog.GTID{})
}

// compareFiles orders names of files by their numbers; names of different logs compare as texts.
func compareFiles(a, b string) int {
	a, b = relay.Extension(a), relay.Extension(b)
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}
