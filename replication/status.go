package replication

import (
	"path"
	"time"

	"emberdb/replication/relay"
)

// Status is what a channel is doing.
type Status struct {
	Receiving, Applying bool // the threads run
	Connected           bool
	Answers             bool   // the source is told what is safe here: semi-synchronous replication
	ReceiverState       string // as MySQL calls it
	ApplierState        string
	Receiver            Thread
	Coordinator         Thread // of the applier
	IO, SQL             Fault  // why a thread does not go on
	Relay               relay.State
	RelayName           string // of the file that is applied from
	Applied             Mark   // behind the last transaction
	SourceID            uint32
	SourceUUID          string
	Behind              int64         // seconds; -1: not known
	Delayed             time.Duration // until the next transaction may be applied; -1: nothing waits
	Until               *Until
	Skip                int // groups of events that are still to be passed over
	Retries             int64
	Heartbeats          int64
	Heartbeat           time.Time // the last
	Queued              Transaction
	Workers             []WorkerStatus
}

// Thread is a thread in the process list.
type Thread struct {
	ID    uint32
	Since time.Time
}

// WorkerStatus is what a worker of the applier is doing.
type WorkerStatus struct {
	Thread  uint32 // the session's id
	Fault   Fault
	Now     Transaction // the one it applies
	Last    Transaction // the one it has applied
	Retries int64       // of Last
}

// Transaction is one that was received or applied.
type Transaction struct {
	Name                string // GTID or ANONYMOUS; empty: none
	Original, Immediate uint64 // commit timestamps, microseconds
	Begun, Ended        time.Time
}

// Fault is an error with the time it came; the zero value is none.
type Fault struct {
	Code uint16
	Text string
	At   time.Time
}

// States as MySQL calls them.
const (
	stateConnecting = "Connecting to source"
	stateWaiting    = "Waiting for source to send event"
	stateReconnect  = "Waiting to reconnect after a failed source event read"
	stateSpace      = "Waiting for the replica SQL thread to free relay log space"
	stateRead       = "Replica has read all relay log; waiting for more updates"
	stateDelay      = "Waiting until SOURCE_DELAY seconds after source executed event"
	stateApply      = "Waiting for replica workers to process their queues"
)

// Status returns what the channel is doing.
func (c *Channel) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	s.Receiving, s.Applying = c.receiver.running(), c.applier.running()
	if c.relay != nil {
		s.Relay = c.relay.State()
		if n := compareFiles(s.Relay.Read.File, s.Applied.File); n < 0 || n == 0 && s.Relay.Read.Position < s.Applied.Place.Position {
			s.Relay.Read = s.Applied.Place // by GTIDs a source begins further back
		}
		s.RelayName = c.relay.Name(max(s.Applied.Relay, s.Relay.First))
	}
	s.Workers = append([]WorkerStatus(nil), s.Workers...)
	switch {
	case !s.Applying:
		s.Behind, s.Delayed = -1, -1
	case s.ApplierState == stateRead:
		if s.Behind = 0; !s.Connected {
			s.Behind = -1
		}
	}
	return s
}

func indexPath(o *relay.Options) string { return path.Join(o.Dir, o.Index) }
