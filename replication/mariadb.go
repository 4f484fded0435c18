package replication

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// A MariaDB source. It names transactions in a way of its own, which is not kept: the replica
// follows by file and position, and names transactions as it does those of an anonymous source.
// MariaDB sends its own events, see https://mariadb.com/docs/server/reference/clientserver-protocol/replication-protocol,
// to a replica that sets @mariadb_slave_capability; others get stand-ins for them.

// mariaCapability says that the replica knows MariaDB's GTID events.
const mariaCapability = 4

// greetMariaDB tells a MariaDB source what this replica knows.
func (c *Channel) greetMariaDB(st *stream, src *Source) error {
	mode, _ := c.local.GTIDs()
	switch {
	case src.Auto:
		return fmt.Errorf("%w: SOURCE_AUTO_POSITION needs a source with MySQL's GTIDs, and MariaDB has others; name SOURCE_LOG_FILE and SOURCE_LOG_POS", errSetup)
	case mode == "ON" && src.Anonymous == "":
		return mysql.NewError(codeFatal, "The replication receiver thread cannot start because the source has GTID_MODE = OFF and this server has GTID_MODE = ON.")
	}
	_, err := st.c.Execute(fmt.Sprint("SET @mariadb_slave_capability = ", mariaCapability))
	return err
}

// mariaClock is the logical clock of a MariaDB source: transactions that it committed together did
// not conflict.
type mariaClock struct {
	group    uint64 // what they have in common; 0: nothing
	before   int64  // the last transaction before them
	sequence int64  // of the newest transaction
}

// named reads the name of a transaction.
func (c *mariaClock) named(j *job, e *replication.MariadbGTIDEvent) {
	if e.CommitID == 0 || e.CommitID != c.group {
		c.before = c.sequence
	}
	c.group, c.sequence = e.CommitID, c.sequence+1
	j.maria, j.last, j.sequence, j.now.Name = true, c.before, c.sequence, e.GTID.String()
}

// namedByMariaDB begins a transaction of MariaDB's, or a branch. No BEGIN or XA START follows.
func (a *applier) namedByMariaDB(raw []byte, e *replication.MariadbGTIDEvent) error {
	if err := a.unnamed(); err != nil || e.IsStandalone() {
		return err
	}
	if e.Flags&mariaPrepares == 0 {
		return a.begin()
	}
	xid, err := mariaXID(raw[replication.EventHeaderSize:], e.IsGroupCommit())
	if err != nil {
		return err
	}
	return a.xa("XA START " + xid)
}

// mariaPrepares is the flag of a transaction that ends in XA PREPARE.
const mariaPrepares = 1 << 6

// mariaXID reads the name of a branch in the body of its GTID event:
//
//	0 8 sequence number   8 4 domain   12 1 flags   13 8 commit id, if there is one
//	.. 4 format   1 length of gtrid   1 length of bqual   both
func mariaXID(b []byte, committedTogether bool) (string, error) {
	at := 13
	if committedTogether {
		at = 21
	}
	if len(b) < at+6 {
		return "", errUnreadable
	}
	format, n, m := binary.LittleEndian.Uint32(b[at:]), int(b[at+4]), int(b[at+5])
	if b = b[at+6:]; len(b) < n+m {
		return "", errUnreadable
	}
	return xidText(format, b[:n], b[n:n+m]), nil
}

// createsTable tells of a statement in the midst of a transaction whether it makes the table whose
// rows follow: a CREATE TABLE ... SELECT.
func createsTable(text string) bool {
	first, rest, _ := strings.Cut(text, " ")
	second, _, _ := strings.Cut(rest, " ")
	return strings.EqualFold(first, "CREATE") && strings.EqualFold(second, "TABLE")
}

// mariaModes are the bits of sql_mode that mean the same to MySQL.
const mariaModes = 1<<32 - 1

// MariaDB's collations by UCA 14 have numbers from here on: 256 for each character set.
const (
	mariaCollations = 2048
	mariaUTF8MB4    = 2304
	mariaUCS2       = 2560
)

// fromMariaDB turns what MariaDB says into what MySQL means by it: collations that MySQL does not
// have become the default ones of their character set.
func (s *session) fromMariaDB() {
	s.mode &= mariaModes
	for _, c := range []*uint16{&s.client, &s.connection, &s.server} {
		switch {
		case *c >= mariaUTF8MB4 && *c < mariaUCS2:
			*c = defaultUTF8MB4
		case *c >= mariaCollations && *c < mariaUTF8MB4:
			*c = defaultUTF8MB3
		}
	}
}

// Numbers of utf8mb4_0900_ai_ci and utf8mb3_general_ci.
const (
	defaultUTF8MB4 = 255
	defaultUTF8MB3 = 33
)
