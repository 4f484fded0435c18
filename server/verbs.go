package server

import "strings"

// A verb is what kind of statement a text is, by its leading words: for the Com_* counters, read_only and max_execution_time.
type verb struct {
	counter int  // index into counters.commands
	writes  bool // refused under read_only
	reads   bool // bounded by max_execution_time
	admin   bool // may be an admin statement: look closer
	named   bool // PREPARE and its like: may be about one
}

// comNames are the Com_* status variables that count; the index is verb.counter.
var comNames = []string{
	"other", "select", "insert", "update", "delete", "replace", "begin", "commit", "rollback", "set_option", "change_db",
	"create_table", "create_index", "create_db", "create_view", "create_trigger", "create_procedure", "create_function", "create_event", "create_user", "create_role",
	"alter_table", "alter_db", "alter_user", "alter_event", "alter_instance", "drop_table", "drop_index", "drop_db", "drop_view", "drop_trigger", "drop_procedure",
	"drop_function", "drop_event", "drop_user", "drop_role", "rename_table", "rename_user", "truncate", "load", "lock_tables", "unlock_tables", "savepoint",
	"release_savepoint", "rollback_to_savepoint", "call_procedure", "grant", "revoke", "kill", "flush", "analyze", "optimize", "check", "checksum", "repair",
	"do", "shutdown", "show_databases", "show_tables", "show_fields", "show_keys", "show_create_table", "show_status", "show_variables",
	"show_processlist", "show_warnings", "show_errors", "show_engine_status", "show_grants", "show_collations", "show_charsets", "show_table_status",
	"stmt_prepare", "stmt_execute", "stmt_close", "explain_other", "prepare_sql", "execute_sql", "dealloc_sql", "set_role", "set_password", "xa_start", "ha_open", "help",
	"xa_end", "xa_prepare", "xa_commit", "xa_rollback", "xa_recover",
}

const numCommands = 96

var comIndex = func() map[string]int {
	m := map[string]int{}
	for i, n := range comNames {
		m[n] = i
	}
	if len(m) > numCommands {
		panic("server: numCommands is too small")
	}
	return m
}()

func com(name string) int { return comIndex[name] }

var (
	verbSelect  = verb{counter: com("select"), reads: true}
	verbInsert  = verb{counter: com("insert"), writes: true}
	verbUpdate  = verb{counter: com("update"), writes: true}
	verbDelete  = verb{counter: com("delete"), writes: true}
	verbReplace = verb{counter: com("replace"), writes: true}
	verbOther   = verb{}

	// firstWord holds verbs told by the first word alone.
	firstWord = map[string]verb{
		"SELECT": verbSelect, "TABLE": verbSelect, "VALUES": verbSelect, "(": verbSelect,
		"INSERT": verbInsert, "UPDATE": verbUpdate, "DELETE": verbDelete, "REPLACE": verbReplace,
		"BEGIN": {counter: com("begin")}, "START": {counter: com("begin"), admin: true}, "STOP": {admin: true}, "COMMIT": {counter: com("commit")},
		"SET": {counter: com("set_option"), admin: true}, "USE": {counter: com("change_db")},
		"LOAD": {counter: com("load"), writes: true}, "TRUNCATE": {counter: com("truncate"), writes: true},
		"SAVEPOINT": {counter: com("savepoint")}, "RELEASE": {counter: com("release_savepoint")},
		"CALL": {counter: com("call_procedure")}, "GRANT": {counter: com("grant"), writes: true, admin: true}, "REVOKE": {counter: com("revoke"), writes: true, admin: true},
		"KILL": {counter: com("kill"), admin: true}, "FLUSH": {counter: com("flush"), admin: true},
		"ANALYZE": {counter: com("analyze"), admin: true}, "OPTIMIZE": {counter: com("optimize"), admin: true},
		"CHECK": {counter: com("check"), admin: true}, "CHECKSUM": {counter: com("checksum"), admin: true},
		"REPAIR": {counter: com("repair"), admin: true}, "DO": {counter: com("do"), admin: true},
		"SHUTDOWN": {counter: com("shutdown"), admin: true}, "RESTART": {counter: com("shutdown"), admin: true},
		"RESET": {admin: true}, "HELP": {counter: com("help"), admin: true}, "HANDLER": {counter: com("ha_open"), admin: true},
		"XA": {counter: com("xa_start"), admin: true}, "INSTALL": {admin: true}, "UNINSTALL": {admin: true}, "CLONE": {admin: true},
		"PURGE": {admin: true}, "CHANGE": {admin: true},
		"EXPLAIN": {counter: com("explain_other"), reads: true, admin: true}, "DESCRIBE": {counter: com("explain_other"), admin: true}, "DESC": {counter: com("explain_other"), admin: true},
		"PREPARE": {counter: com("prepare_sql"), named: true}, "EXECUTE": {counter: com("execute_sql"), named: true}, "DEALLOCATE": {counter: com("dealloc_sql"), named: true},
		"SHOW": {admin: true}, "CREATE": {writes: true, admin: true}, "ALTER": {writes: true, admin: true}, "DROP": {writes: true, admin: true},
		"RENAME": {counter: com("rename_table"), writes: true, admin: true}, "IMPORT": {admin: true},
		"LOCK": {counter: com("lock_tables"), admin: true}, "UNLOCK": {counter: com("unlock_tables"), admin: true},
		"WITH": {counter: com("select"), reads: true}, "ROLLBACK": {counter: com("rollback")},
	}

	// showCounters names the counter of SHOW by its next word.
	showCounters = map[string]string{
		"DATABASES": "show_databases", "SCHEMAS": "show_databases", "TABLES": "show_tables", "COLUMNS": "show_fields", "FIELDS": "show_fields",
		"INDEX": "show_keys", "INDEXES": "show_keys", "KEYS": "show_keys", "STATUS": "show_status", "VARIABLES": "show_variables",
		"PROCESSLIST": "show_processlist", "WARNINGS": "show_warnings", "ERRORS": "show_errors", "ENGINE": "show_engine_status",
		"GRANTS": "show_grants", "COLLATION": "show_collations", "CHARSET": "show_charsets", "CHARACTER": "show_charsets", "CREATE": "show_create_table", "TABLE": "show_table_status",
	}
)

// classify finds the verb of a statement. The common verbs cost no allocation.
func classify(query string) verb {
	q := query
	if len(q) == 0 || !isWordByte(q[0]) {
		q = skipBlank(q)
	}
	var up [12]byte
	n := 0
	for n < len(q) && n < len(up) && isWordByte(q[n]) {
		up[n] = q[n]
		if c := q[n]; c >= 'a' && c <= 'z' {
			up[n] = c - 'a' + 'A'
		}
		n++
	}
	if n == 0 && len(q) > 0 {
		up[0], n = q[0], 1
	}
	switch string(up[:n]) {
	case "SELECT":
		return verbSelect
	case "INSERT":
		return verbInsert
	case "UPDATE":
		return verbUpdate
	case "DELETE":
		return verbDelete
	}
	v, ok := firstWord[string(up[:n])]
	if !ok {
		return verbOther
	}
	return refine(v, string(up[:n]), q)
}

// refine looks at the second word where the first does not tell.
func refine(v verb, first, q string) verb {
	switch first {
	case "SHOW", "CREATE", "ALTER", "DROP", "WITH", "ROLLBACK", "XA", "SET":
	default:
		return v
	}
	w := leadingWords(q, 5)
	switch first {
	case "SET": // accounts are changed by two of them
		v.writes = len(w) > 1 && w[1] == "PASSWORD" || len(w) > 2 && w[1] == "DEFAULT" && w[2] == "ROLE"
	case "SHOW":
		for _, word := range w[1:] {
			if name, ok := showCounters[word]; ok {
				v.counter = com(name)
				break
			}
		}
	case "ROLLBACK":
		for _, word := range w[1:] {
			if word == "TO" {
				v.counter = com("rollback_to_savepoint")
			}
		}
	case "XA":
		if len(w) > 1 {
			if i, ok := comIndex["xa_"+strings.ToLower(w[1])]; ok {
				v.counter = i
			}
		}
	case "WITH":
		v.writes = withWrites(q)
		v.reads = !v.writes
	default:
		v.counter, v.writes = ddlCounter(strings.ToLower(first), w)
	}
	return v
}

// ddlCounter names the counter of CREATE, ALTER and DROP. Temporary tables may be made and dropped under read_only.
func ddlCounter(first string, w []string) (counter int, writes bool) {
	for _, word := range w[1:] {
		switch word {
		case "TEMPORARY":
			return com(first + "_table"), false
		case "DATABASE", "SCHEMA":
			return com(first + "_db"), true
		case "UNIQUE", "FULLTEXT", "SPATIAL":
			return com(first + "_index"), true
		case "OR", "REPLACE", "ALGORITHM", "DEFINER", "SQL", "=":
			continue
		}
		if i, ok := comIndex[first+"_"+strings.ToLower(word)]; ok {
			return i, true
		}
	}
	return 0, true
}

// withWrites reports whether WITH introduces an UPDATE or DELETE: the first verb outside parentheses after the expressions.
func withWrites(q string) bool {
	depth := 0
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case c == '(':
			depth++
			i++
		case c == ')':
			depth--
			i++
		case c == '\'' || c == '"' || c == '`':
			end := strings.IndexByte(q[i+1:], c)
			if end < 0 {
				return false
			}
			i += end + 2
		case isWordByte(c):
			j := i
			for j < len(q) && isWordByte(q[j]) {
				j++
			}
			if depth == 0 {
				switch strings.ToUpper(q[i:j]) {
				case "UPDATE", "DELETE", "INSERT", "REPLACE":
					return true
				case "SELECT":
					return false
				}
			}
			i = j
		default:
			i++
		}
	}
	return false
}
