package replication

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
)

// Branches of distributed transactions. The log holds a branch up to its XA PREPARE as one
// transaction, and its XA COMMIT or XA ROLLBACK as another. The place behind an XA PREPARE is
// stored in a transaction of its own, since the branch's is not committed yet. If the server ends
// in between, GTIDs tell that the branch is there; without them the first transaction after a start
// may meet its own branch, and passes.

const (
	errUnknownXID = 1397
	errXIDExists  = 1440
)

// xa runs an XA statement of the log.
func (a *applier) xa(text string) error {
	verb := strings.ToUpper(text[:min(len(text), 9)])
	switch {
	case strings.HasPrefix(verb, "XA START"):
		if err := a.next(); err != nil {
			return err
		}
		a.branch, a.xid = true, text[len("XA START "):]
		_, err := a.target.Execute(text)
		a.open = err == nil
		if codeOf(err) == errXIDExists && a.first {
			a.passing = true
			return nil
		}
		return err
	case strings.HasPrefix(verb, "XA END"):
		if a.passing {
			return nil
		}
		_, err := a.target.Execute(text)
		return err
	}
	if err := a.next(); err != nil {
		return err
	}
	a.target.Place(a.end)
	if _, err := a.target.Execute(text); err != nil && !(codeOf(err) == errUnknownXID && a.first) {
		return err
	}
	if err := a.claim(); err != nil {
		return err
	}
	return a.ended()
}

// prepareBranch ends a branch's transaction: XA PREPARE, or XA COMMIT ... ONE PHASE.
//
//	0 1 one phase   1 4 format   5 4 length of gtrid   9 4 length of bqual   13 .. both
func (a *applier) prepareBranch(b []byte) error {
	const head = 13
	if len(b) < head {
		return errUnreadable
	}
	n, m := binary.LittleEndian.Uint32(b[5:]), binary.LittleEndian.Uint32(b[9:])
	if n > 64 || m > 64 || len(b) < head+int(n+m) {
		return errUnreadable
	}
	xid := xidText(binary.LittleEndian.Uint32(b[1:]), b[head:head+n], b[head+n:head+n+m])
	text := "XA PREPARE " + xid
	if b[0] != 0 {
		text = "XA COMMIT " + xid + " ONE PHASE"
	}
	if !a.open && !a.passing {
		return mysql.NewError(errUnknownXID, "XAER_NOTA: Unknown XID")
	}
	a.target.Place(a.end)
	if !a.passing {
		if _, err := a.target.Execute(text); err != nil {
			return err
		}
	}
	a.branch, a.passing = false, false
	return a.ended()
}

// xidText is the name of a branch.
func xidText(format uint32, gtrid, bqual []byte) string {
	return fmt.Sprintf("X'%x',X'%x',%d", gtrid, bqual, int32(format))
}
