package relay

import (
	"strings"

	"emberdb/binlog"
)

// Group follows the events of a log and finds where transactions end.
type Group struct {
	GTID  binlog.GTID // of the transaction; zero: none, or it is anonymous
	Place Place       // behind the last event
	open  bool        // a transaction has begun
	begun bool        // its BEGIN has come, so a statement is not the whole of it
	// Of the transaction so far.
	First       binlog.EventType // the event it began with
	Events      int
	Definition  bool // it is a statement of its own, or has one besides BEGIN and COMMIT
	Transaction bool // what has ended is one, not an event between transactions
}

// Add takes the next event and tells whether a group ends with it.
func (g *Group) Add(e *binlog.Event) (ends bool) {
	if !g.open {
		g.GTID, g.First, g.Events, g.begun, g.Definition, g.Transaction = binlog.GTID{}, e.Type, 0, false, false, false
	}
	g.Events++
	g.move(e)
	switch e.Type {
	case binlog.EventGTID, binlog.EventGTIDTagged, binlog.EventAnonymousGTID:
		g.GTID, _ = e.GTID()
		g.open, g.begun = true, false
		return false
	case binlog.EventMariaDBGTID:
		g.open, g.begun = true, !e.StandsAlone()
		return false
	case binlog.EventQuery:
		ends = g.statement(e.Statement())
	case binlog.EventMariaDBQuery:
		ends = g.statement("")
	case binlog.EventXid, binlog.EventPayload:
		ends = true
	case binlog.EventXAPrepare:
		ends, g.Definition = true, true
	case binlog.EventFormatDescription, binlog.EventPreviousGTIDs, binlog.EventRotate, binlog.EventStop, binlog.EventIgnorable,
		binlog.EventMariaDBAnnotate, binlog.EventMariaDBCheckpoint, binlog.EventMariaDBGTIDList:
		return !g.open
	default: // rows, table maps, variables of a statement that follows
		g.open = true
		return false
	}
	g.open, g.Transaction = !ends, true
	return ends
}

// statement takes a Query event.
func (g *Group) statement(text string) (ends bool) {
	switch {
	case text == "BEGIN":
		g.begun = true
	case strings.HasPrefix(text, "XA START "):
		g.begun, g.Definition = true, true
	case text == "COMMIT", text == "ROLLBACK":
		return true
	default:
		g.Definition = true
		return !g.begun
	}
	return false
}

// move follows the source's positions.
func (g *Group) move(e *binlog.Event) {
	if file, pos, ok := e.RotatesTo(); ok {
		g.Place = Place{file, pos}
	} else if e.LogPos != 0 && e.Flags&binlog.FlagArtificial == 0 {
		g.Place.Position = e.LogPos
	}
}

// Inside tells whether a transaction has begun and not ended.
func (g *Group) Inside() bool { return g.open }

// cut forgets what has come of a transaction; the log stands at the place again.
func (g *Group) cut(at Place) { *g = Group{Place: at} }
