package perftables

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// Names of memory. The Go runtime's heap has no name in MySQL.
const (
	MemoryPool       = "memory/innodb/buf_buf_pool"
	MemoryLog        = "memory/innodb/log_buffer_memory"
	MemoryStatements = "memory/sql/statements"
	MemoryHeap       = "memory/go/heap"
	MemoryRuntime    = "memory/go/runtime"
)

// MemoryPart is memory of one name: in use now, and at most so far.
type MemoryPart struct {
	Name      string
	Now, Most int64
}

const MemoryColumns = "EVENT_NAME, COUNT_ALLOC, SUM_NUMBER_OF_BYTES_ALLOC, CURRENT_COUNT_USED, HIGH_COUNT_USED, CURRENT_NUMBER_OF_BYTES_USED, HIGH_NUMBER_OF_BYTES_USED"

func (p MemoryPart) Row(row sql.Row) sql.Row {
	return append(row, p.Name, uint64(1), uint64(p.Most), int64(1), int64(1), p.Now, p.Most)
}
