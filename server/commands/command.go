package commands

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/sqlerr"
)

// Commands of the protocol.
const (
	ComQuit            = 1
	ComInitDB          = 2
	ComQuery           = 3
	ComFieldList       = 4
	ComCreateDB        = 5
	comDropDB          = 6
	comRefresh         = 7
	comShutdown        = 8
	ComStatistics      = 9
	comProcessInfo     = 10
	comProcessKill     = 12
	ComDebug           = 13
	ComPing            = 14
	ComChangeUser      = 17
	ComBinlogDump      = 18
	ComRegisterReplica = 21
	ComStmtPrepare     = 22
	ComStmtExecute     = 23
	ComStmtLongData    = 24
	ComStmtClose       = 25
	ComStmtReset       = 26
	ComSetOption       = 27
	ComStmtFetch       = 28
	ComBinlogDumpGTID  = 30
	ComResetConnection = 31
)

// Shortest gives the least payload of commands whose parser in the library trusts their length.
var Shortest = map[byte]int{
	comRefresh: 2, comProcessKill: 5, ComStmtExecute: 10, ComStmtLongData: 7, ComStmtClose: 5, ComStmtReset: 5, ComSetOption: 3, ComStmtFetch: 9,
}

// ComCounters are the counters of commands that none of their ways counts.
var ComCounters = [256]int{
	ComPing: Com("admin_commands"), ComDebug: Com("admin_commands"), ComChangeUser: Com("admin_commands"), ComResetConnection: Com("admin_commands"),
	ComRegisterReplica: Com("admin_commands"), ComBinlogDump: Com("admin_commands"), ComBinlogDumpGTID: Com("admin_commands"),
	ComStatistics: Com("show_status"), ComSetOption: Com("set_option"), ComFieldList: Com("show_fields"),
	ComStmtClose: Com("stmt_close"), ComStmtReset: Com("stmt_reset"), ComStmtLongData: Com("stmt_send_long_data"), ComStmtFetch: Com("stmt_fetch"),
}

// Sandboxed are the commands that a client with an expired password may send. What is executed is
// looked at later.
var Sandboxed = [256]bool{ComQuit: true, ComQuery: true, ComPing: true, ComChangeUser: true,
	ComStmtPrepare: true, ComStmtExecute: true, ComStmtClose: true, ComStmtLongData: true}

// MostNameLength is how many characters a name may have.
const MostNameLength = 64

var ErrUnknownCommand = sqlerr.NewError(1047, "Unknown command")

// AsQuery gives the statement that does what an old command did.
func AsQuery(cmd byte, p []byte) (string, bool) {
	quoted := func() string { return "`" + strings.ReplaceAll(string(p), "`", "``") + "`" }
	switch cmd {
	case ComCreateDB:
		return "CREATE DATABASE " + quoted(), true
	case comDropDB:
		return "DROP DATABASE " + quoted(), true
	case comProcessInfo:
		return "SHOW FULL PROCESSLIST", true
	case comProcessKill:
		return fmt.Sprintf("KILL %d", binary.LittleEndian.Uint32(p)), true
	case comShutdown:
		return "SHUTDOWN", true
	case comRefresh:
		for bit, what := range []string{"PRIVILEGES", "LOGS", "TABLES", "HOSTS", "STATUS"} {
			if p[0]&(1<<bit) != 0 {
				return "FLUSH " + what, true
			}
		}
	}
	return "", false
}

func UnknownStatement(id uint32, where string) *mysql.SQLError {
	return sqlerr.NewError(1243, "Unknown prepared statement handler (%d) given to %s", id, where)
}
