package sources

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"emberdb/internal/base"
	"emberdb/replication"
	"emberdb/replication/relay"
	"emberdb/sqllayer/sqlerr"
)

type ReplicaField struct {
	Name  string
	Value any
}

func CapitalYes(on bool) string {
	if on {
		return "Yes"
	}
	return "No"
}

func Bit(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

func StampOf(f replication.Fault) string {
	if f.At.IsZero() {
		return ""
	}
	return f.At.Format("060102 15:04:05")
}

// ReceiverState is Replica_IO_Running.
func ReceiverState(st *replication.Status) string {
	switch {
	case st.Receiving && st.Connected:
		return "Yes"
	case st.Receiving:
		return "Connecting"
	}
	return "No"
}

// ApplierState is Replica_SQL_Running_State.
func ApplierState(st *replication.Status) any {
	if st.Applying {
		return st.ApplierState
	}
	return ""
}

func UntilFields(u *replication.Until) []ReplicaField {
	file, pos := "", uint64(0)
	if u != nil {
		file, pos = u.File, u.Position
	}
	return []ReplicaField{{"Until_Condition", u.String()}, {"Until_Log_File", file}, {"Until_Log_Pos", pos}}
}

func IdList(ids []uint32) string {
	var all []string
	for _, id := range ids {
		all = append(all, strconv.FormatUint(uint64(id), 10))
	}
	return strings.Join(all, ", ")
}

func Rewrites(pairs [][2]string) string {
	var all []string
	for _, p := range pairs {
		all = append(all, "("+p[0]+","+p[1]+")")
	}
	return strings.Join(all, ",")
}

// RelayRows lists the events of one file of a relay log.
func RelayRows(l *relay.Log, want ShownEvents) (rows [][]any, err error) {
	failed := func(why string) error {
		return sqlerr.NewError(1220, "Error when executing command SHOW RELAYLOG EVENTS: %s", why)
	}
	st := l.State()
	file := st.First
	if want.Named {
		n, err := strconv.ParseUint(relay.Extension(want.In), 10, 32)
		if file = uint32(n); err != nil || l.Name(file) != want.In || file < st.First || file > st.End.Relay {
			return nil, failed("Could not find target log")
		}
	}
	if file == 0 {
		return nil, nil
	}
	if want.From > math.MaxInt64 {
		return nil, failed("Wrong offset or I/O error")
	}
	r := l.NewReader(file)
	defer r.Close()
	for uint64(len(rows)) < want.Count {
		e, ok, _, err := r.TryNext()
		if damage := (*base.CorruptError)(nil); errors.As(err, &damage) {
			return nil, failed(fmt.Sprintf("Error reading Log_event at position %d", damage.Offset))
		} else if err != nil {
			return nil, err
		}
		if !ok || r.File() != file {
			break
		}
		switch {
		case uint64(e.Pos) < want.From:
		case want.Skip > 0:
			want.Skip--
		default:
			rows = append(rows, []any{l.Name(file), e.Pos, e.Type, e.ServerID, e.LogPos, e.Info()})
		}
	}
	return rows, nil
}
