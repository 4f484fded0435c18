package options

import (
	"sort"
	"strings"
)

// Kind is the type of a setting's value.
type Kind uint8

const (
	Bool   Kind = iota // bool
	Int                // int64 within [Min, Max]; accepts size suffixes
	Float              // float64 within [Min, Max]
	String             // string; one of Values if there are any
	Enum               // one of Values, kept as spelled there
	Set                // comma-separated subset of Values, kept in the order given
)

func (k Kind) String() string {
	return [...]string{"boolean", "integer", "real", "string", "enumeration", "set"}[k]
}

// Effect tells what a setting does in this server.
type Effect uint8

const (
	Active   Effect = iota // does what its help says
	Inert                  // exists with a value, so that clients can read and set it, but changes nothing
	Reserved               // belongs to a part of the server that is not switched on; setting it is accepted with a warning
)

// Def defines one setting.
type Def struct {
	Name    string // underscores, lower case
	Aliases []string
	Kind    Kind
	Default any // bool, int64, float64 or string, as Kind says
	Min     int64
	Max     int64
	Step    int64 // an Int is rounded down to a multiple of it; 0 = any value
	Values  []string
	Null    bool // the default of a String is NULL
	// Unsigned marks an Int that MySQL keeps in 64 bits without a sign. Max is maxInt and stands for
	// no limit: it is shown as 18446744073709551615.
	Unsigned bool
	Signed   bool // MySQL keeps the Int with a sign, though it is never below 0
	Session  bool // has a session value as well as a global one
	Dynamic  bool // may be changed while the server runs
	Option   bool // an option only: not visible as a system variable
	Planner  bool // the SQL layer defines the variable itself; the table adds parsing and help only
	Effect   Effect
	Help     string
}

var (
	all    []*Def
	byName = map[string]*Def{}
)

func init() {
	for _, t := range [][]Def{serverTable, sqlTable, innodbTable, warmTable, replicationTable, keptTable, keptInnodbTable, keptPerfTable} {
		for i := range t {
			register(&t[i])
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
}

func register(d *Def) {
	all = append(all, d)
	for _, n := range append([]string{d.Name}, d.Aliases...) {
		if byName[n] != nil {
			panic("options: " + n + " is defined twice")
		}
		byName[n] = d
	}
}

// All returns every definition, ordered by name. The caller must not change them.
func All() []*Def { return all }

// Lookup finds a definition by name or alias; dashes count as underscores.
func Lookup(name string) (*Def, bool) {
	d, ok := byName[normalize(name)]
	return d, ok
}

func normalize(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "-", "_"))
}

// nearest returns the known name closest to name, or "" when none is close.
func nearest(name string) string {
	best, bestDist := "", len(name)/3+2
	for n := range byName {
		if d := editDistance(name, n, bestDist); d < bestDist || d == bestDist && best != "" && n < best {
			best, bestDist = n, d
		}
	}
	return best
}

// editDistance is the Levenshtein distance of a and b; it gives up with limit+1 once the distance
// exceeds limit.
func editDistance(a, b string, limit int) int {
	if d := len(a) - len(b); d > limit || -d > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
