package binlog

// The event that begins the transactions of a session. It is made once for all of them, and
// sessions that differ in nothing but their number share the memory: of many sessions it stays in
// the processor's caches.

import (
	"encoding/binary"
	"sync"
)

// Start is the event of a session.
type Start struct {
	session *Query
	thread  uint32
	event   string // without time, server and thread
}

// put enters in event what it does not share with others.
func (s *Start) put(event []byte, h Head) {
	h.put(event)
	binary.LittleEndian.PutUint32(event[headerSize:], s.thread)
}

// starts are the events of all sessions.
type starts struct {
	mu    sync.Mutex
	known map[string]string
}

const mostStarts = 1000 // sessions with settings beyond have their own

// find makes s the event of a session.
func (l *starts) find(s *Start, session *Query) {
	q := *session
	q.SQL, q.SuppressUse, q.ThreadID = "BEGIN", true, 0
	event := string(AppendQuery(nil, Head{}, &q))
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.known[event]; ok {
		event = known
	} else if len(l.known) < mostStarts {
		if l.known == nil {
			l.known = map[string]string{}
		}
		l.known[event] = event
	}
	s.session, s.thread, s.event = session, session.ThreadID, event
}
