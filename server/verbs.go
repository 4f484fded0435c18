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

var (
	verbSelect  = verb{counter: com("select"), reads: true}
	verbInsert  = verb{counter: com("insert"), writes: true}
	verbUpdate  = verb{counter: com("update"), writes: true}
	verbDelete  = verb{counter: com("delete"), writes: true}
	verbReplace = verb{counter: com("replace"), writes: true}
	verbOther   = verb{}

	// firstWord holds verbs told by the first word alone, and those that refine looks at more closely.
	firstWord = map[string]verb{
		"SELECT": verbSelect, "TABLE": verbSelect, "VALUES": verbSelect, "(": verbSelect, "": {counter: com("empty_query")},
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
		"SHUTDOWN": {counter: com("shutdown"), admin: true}, "RESTART": {counter: com("restart"), admin: true},
		"RESET": {counter: com("reset"), admin: true}, "HELP": {counter: com("help"), admin: true}, "HANDLER": {counter: com("ha_open"), admin: true},
		"XA": {admin: true}, "BACKUP": {admin: true}, "INSTALL": {admin: true}, "UNINSTALL": {admin: true}, "CLONE": {counter: com("clone"), admin: true},
		"PURGE": {counter: com("purge"), admin: true}, "CHANGE": {admin: true}, "BINLOG": {counter: com("binlog"), writes: true, admin: true}, "CACHE": {}, "GET": {},
		"SIGNAL": {counter: com("signal")}, "RESIGNAL": {counter: com("resignal")},
		"EXPLAIN": {reads: true, admin: true}, "DESCRIBE": {admin: true}, "DESC": {admin: true},
		"PREPARE": {counter: com("prepare_sql"), named: true}, "EXECUTE": {counter: com("execute_sql"), named: true}, "DEALLOCATE": {counter: com("dealloc_sql"), named: true},
		"SHOW": {admin: true}, "CREATE": {writes: true, admin: true}, "ALTER": {writes: true, admin: true}, "DROP": {writes: true, admin: true},
		"RENAME": {counter: com("rename_table"), writes: true, admin: true}, "IMPORT": {admin: true},
		"LOCK": {counter: com("lock_tables"), admin: true}, "UNLOCK": {counter: com("unlock_tables"), admin: true},
		"WITH": {counter: com("select"), reads: true}, "ROLLBACK": {counter: com("rollback")},
	}

	// settled are the first words of verbs that no second word changes.
	settled = wordSet("SELECT TABLE VALUES BEGIN COMMIT USE TRUNCATE SAVEPOINT RELEASE CALL KILL FLUSH ANALYZE OPTIMIZE CHECK CHECKSUM REPAIR DO SHUTDOWN RESTART " +
		"RESET HELP CLONE BACKUP BINLOG SIGNAL RESIGNAL PREPARE EXECUTE DEALLOCATE")
	// passing are words that leave open what a statement is.
	passing = wordSet("FULL EXTENDED GLOBAL SESSION LOCAL STORAGE OR REPLACE")
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

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
	if string(up[:n]) == "SELECT" {
		return verbSelect
	}
	first := string(up[:n])
	v, ok := firstWord[first]
	switch {
	case !ok:
		return verbOther
	case settled[first]:
		return v
	}
	return refine(v, first, q)
}

// refine looks further where the first word does not tell.
func refine(v verb, first, q string) verb {
	switch first {
	case "(":
		return v
	case "INSERT", "REPLACE", "UPDATE", "DELETE":
		if several(first, q) {
			v.counter = com(strings.ToLower(first) + suffixes[first])
		}
		return v
	case "WITH":
		if main := mainVerb(q); !main.reads {
			return main
		}
		return v
	case "EXPLAIN", "DESCRIBE", "DESC":
		v.counter = explained(q)
		return v
	}
	w := significant(q)
	if counter, ok := phraseOf(w); ok {
		v.counter = counter
	}
	for _, l := range laterWords {
		if v.counter == l.counter && contains(q, l.word) {
			v.counter = l.becomes
			break
		}
	}
	switch {
	case first == "GRANT" && !contains(q, "ON"):
		v.counter = com("grant_roles")
	case v.counter == com("revoke") && !contains(q, "ON"):
		v.counter = com("revoke_roles")
	case first == "SET": // accounts are changed by two of them
		v.writes = v.counter == com("set_password") || v.counter == com("alter_user_default_role")
	case len(w) > 1 && is(w[1], "TEMPORARY", "PREPARE"): // may be made and dropped under read_only
		v.writes = false
	}
	return v
}

// suffixes are those of the counters of statements that read other tables, or change several.
var suffixes = map[string]string{"INSERT": "_select", "REPLACE": "_select", "UPDATE": "_multi", "DELETE": "_multi"}

// several tells INSERT and REPLACE of rows that are selected, UPDATE and DELETE of several tables.
func several(first, q string) bool {
	s := words{q: q}
	for n := 0; ; n++ {
		w, top := s.next(), s.depth == 0
		switch {
		case w == "":
			return false
		case first == "UPDATE" && is(w, "SET"):
			return false
		case first == "DELETE" && n == 1 && !is(w, "FROM", "LOW_PRIORITY", "QUICK", "IGNORE"):
			return w != "/" // a hint's
		case first == "DELETE" && top && is(w, "WHERE", "ORDER", "LIMIT", "PARTITION"):
			return false
		case first == "UPDATE" || first == "DELETE":
			if top && is(w, ",", "JOIN", "STRAIGHT_JOIN", "USING") {
				return true
			}
		case is(w, "SELECT", "TABLE", "WITH"):
			return true
		case is(w, "VALUES", "SET"), top && is(w, "VALUE"):
			return false
		}
	}
}

// mainVerb is that of a statement with WITH: what follows the expressions.
func mainVerb(q string) verb {
	s := words{q: q}
	for w := s.next(); w != ""; w = s.next() {
		if s.depth == 0 && is(w, "SELECT", "UPDATE", "DELETE", "INSERT", "REPLACE") {
			return classify(q[len(q)-len(s.q)-len(w):])
		}
	}
	return verbSelect
}

// explained is the counter of EXPLAIN: that of the statement, or of SHOW COLUMNS.
func explained(q string) int {
	s := words{q: q}
	s.next()
	for w := s.next(); w != ""; w = s.next() {
		switch {
		case is(w, "SELECT", "UPDATE", "DELETE", "INSERT", "REPLACE", "WITH", "TABLE", "VALUES", "("):
			return classify(q[len(q)-len(s.q)-len(w):]).counter
		case is(w, "CONNECTION"):
			return com("explain_other")
		}
	}
	return com("show_fields")
}

// significant gives the first words, in upper case, without those that leave open what the statement is.
func significant(q string) []string {
	s := words{q: q}
	var out []string
	for len(out) < longestPhrase {
		w := strings.ToUpper(s.next())
		switch {
		case w == "":
			return out
		case passing[w] && len(out) > 0:
		case is(w, "DEFINER", "ALGORITHM", "SQL") && len(out) == 1: // up to what is created
			s.skipTo("VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT")
		default:
			out = append(out, w)
		}
	}
	return out
}

// contains tells whether a word stands in the statement, outside of names in quotes.
func contains(q, word string) bool {
	s := words{q: q}
	for w := s.next(); w != ""; w = s.next() {
		if is(w, word) {
			return true
		}
	}
	return false
}

// is compares a word with words in upper case.
func is(w string, among ...string) bool {
	for _, a := range among {
		if strings.EqualFold(w, a) {
			return true
		}
	}
	return false
}

// words walks over the words of a statement. A character of punctuation is a word, and a text in quotes, with them.
type words struct {
	q     string // what is left
	depth int    // of parentheses, behind the last word
}

// next gives the next word, "" at the end.
func (s *words) next() string {
	before := skipBlank(s.q)
	word, rest := cutWord(before)
	switch word {
	case "(":
		s.depth++
	case ")":
		s.depth--
	case "'", `"`, "`":
		end := strings.Index(rest, word)
		if end < 0 {
			end = len(rest) - 1
		}
		word, rest = before[:end+2], rest[end+1:]
	}
	s.q = rest
	return word
}

// skipTo goes on until one of these words is next.
func (s *words) skipTo(among ...string) {
	for {
		before := *s
		if w := s.next(); w == "" || is(w, among...) {
			*s = before
			return
		}
	}
}
