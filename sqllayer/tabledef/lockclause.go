package tabledef

import (
	"strings"

	"emberdb/engine/table"
)

// LockClause is what a statement wants of the rows it reads.
type LockClause struct {
	Lock table.LockMode // None: the ids of the rows, see keyless.go
	Wait table.WaitPolicy

	Parts []string // that PARTITION names
	Alone bool     // there are only parts
}

// clausePrefix begins the AS OF of a lock clause: no client can write it, as AS OF of clients is
// refused.
const clausePrefix = "\x00lock "

// partsName is the mode of a clause that only names parts, which stand behind separators.
const (
	partsName      = "p"
	partsSeparator = "\x01"
)

var lockNames = map[table.LockMode]string{table.None: "n", table.Shared: "s", table.Exclusive: "x"}

var waitNames = map[table.WaitPolicy]string{table.Wait: "wait", table.NoWait: "nowait", table.SkipLocked: "skip"}

func (c LockClause) Text() string {
	mode := lockNames[c.Lock]
	if c.Alone {
		mode = partsName
	}
	return strings.Join(append([]string{clausePrefix + mode + " " + waitNames[c.Wait]}, c.Parts...), partsSeparator)
}

// LockClauseOf reads the AS OF value that text wrote.
func LockClauseOf(asOf any) (c LockClause, ok bool) {
	text, ok := asOf.(string)
	if !ok || !strings.HasPrefix(text, clausePrefix) {
		return c, false
	}
	words := strings.Split(text[len(clausePrefix):], partsSeparator)
	mode, wait, _ := strings.Cut(words[0], " ")
	c.Parts, c.Alone = words[1:], mode == partsName
	for lock, name := range lockNames {
		if name == mode {
			c.Lock = lock
		}
	}
	for policy, name := range waitNames {
		if name == wait {
			c.Wait = policy
		}
	}
	return c, true
}
