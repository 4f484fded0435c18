package server

// Threads of replication in the process list: who looks for replication there, as monitors do,
// looks for MySQL's names.

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/replication"
)

// systemUser is who threads of the server's own are.
const systemUser = "system user"

// Roles of the threads of a channel: the names of their instruments below thread/sql.
const (
	roleReceiver    = "replica_io"
	roleCoordinator = "replica_sql"
	roleWorker      = "replica_worker"
)

// stateWorkerWaits is the state of a worker without a transaction.
const stateWorkerWaits = "Waiting for an event from Coordinator"

// ThreadID implements replication.Local.
func (local) ThreadID() uint32 { return 1<<31 + innerIDs.Add(1) }

// processes are the receivers and coordinators that run. Workers have connections.
func (r *replicas) processes() (list []*process) {
	for _, c := range r.all() {
		st := c.Status()
		if st.Receiving {
			list = append(list, ownProcess(st.Receiver, roleReceiver, "connecting host", sql.ProcessCommandConnect, st.ReceiverState))
		}
		if st.Applying {
			list = append(list, ownProcess(st.Coordinator, roleCoordinator, "", sql.ProcessCommandQuery, st.ApplierState))
		}
	}
	return list
}

func ownProcess(t replication.Thread, role, host string, command sql.ProcessCommand, state string) *process {
	p := &process{id: t.ID, role: role, own: true, user: systemUser, host: host, command: command, pid: 1, since: t.Since}
	p.setState(state)
	return p
}

// kill ends the thread of a channel that has a number in the process list; false: there is none.
func (r *replicas) kill(id uint32) bool {
	for _, c := range r.all() {
		st := c.Status()
		switch {
		case st.Receiving && st.Receiver.ID == id:
			go c.Stop(replication.Receiver)
		case st.Applying && st.Coordinator.ID == id:
			go c.Stop(replication.Applier)
		default:
			continue
		}
		return true
	}
	return false
}
