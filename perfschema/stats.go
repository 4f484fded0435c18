package perfschema

// Count is what a statement counts, beside its time.
type Count int

// The counts of performance_schema's statement tables, in their order.
const (
	Errors Count = iota
	Warnings
	RowsAffected
	RowsSent
	RowsExamined
	CreatedTmpDiskTables
	CreatedTmpTables
	SelectFullJoin
	SelectFullRangeJoin
	SelectRange
	SelectRangeCheck
	SelectScan
	SortMergePasses
	SortRange
	SortRows
	SortScan
	NoIndexUsed
	NoGoodIndexUsed

	counts
)

// CountNames are the columns of the counts in the tables of single statements; those of summaries
// have SUM_ before.
var CountNames = [counts]string{"ERRORS", "WARNINGS", "ROWS_AFFECTED", "ROWS_SENT", "ROWS_EXAMINED", "CREATED_TMP_DISK_TABLES", "CREATED_TMP_TABLES",
	"SELECT_FULL_JOIN", "SELECT_FULL_RANGE_JOIN", "SELECT_RANGE", "SELECT_RANGE_CHECK", "SELECT_SCAN", "SORT_MERGE_PASSES", "SORT_RANGE", "SORT_ROWS",
	"SORT_SCAN", "NO_INDEX_USED", "NO_GOOD_INDEX_USED"}

// Counts are the counts of a statement, or their sums.
type Counts [counts]uint64

// Stats are the sums of events. Times are in nanoseconds.
type Stats struct {
	Events        uint64
	Sum, Min, Max uint64
	Lock          uint64 // waited for locks
	Counts        Counts
}

// add adds an event.
func (s *Stats) add(e *Event) {
	wait := uint64(e.Wait)
	if s.Events == 0 || wait < s.Min {
		s.Min = wait
	}
	s.Max = max(s.Max, wait)
	s.Events++
	s.Sum += wait
	s.Lock += uint64(e.Lock)
	for i, n := range &e.Counts {
		s.Counts[i] += n
	}
}

// merge adds other sums.
func (s *Stats) merge(o *Stats) {
	if o.Events == 0 {
		return
	}
	if s.Events == 0 || o.Min < s.Min {
		s.Min = o.Min
	}
	s.Max = max(s.Max, o.Max)
	s.Events += o.Events
	s.Sum += o.Sum
	s.Lock += o.Lock
	for i, n := range &o.Counts {
		s.Counts[i] += n
	}
}

// Average is the mean time of an event.
func (s *Stats) Average() uint64 { return s.Sum / max(s.Events, 1) }

// named is a small map from the number of a name to its sums.
type named []struct {
	name  int
	stats *Stats
}

func (n *named) at(name int) *Stats {
	for i := range *n {
		if (*n)[i].name == name {
			return (*n)[i].stats
		}
	}
	s := new(Stats)
	*n = append(*n, struct {
		name  int
		stats *Stats
	}{name, s})
	return s
}

func (n *named) merge(o named) {
	for _, x := range o {
		n.at(x.name).merge(x.stats)
	}
}

// ErrorStats are the sums of one error. Times are in microseconds of Unix.
type ErrorStats struct {
	Raised, Handled uint64
	First, Last     int64
}

func (e *ErrorStats) merge(o *ErrorStats) {
	if e.First == 0 || o.First != 0 && o.First < e.First {
		e.First = o.First
	}
	e.Last = max(e.Last, o.Last)
	e.Raised += o.Raised
	e.Handled += o.Handled
}

// errorMap holds errors by their numbers.
type errorMap map[int]*ErrorStats

func (m *errorMap) at(code int) *ErrorStats {
	if *m == nil {
		*m = errorMap{}
	}
	e := (*m)[code]
	if e == nil {
		e = new(ErrorStats)
		(*m)[code] = e
	}
	return e
}

func (m *errorMap) merge(o errorMap) {
	for code, e := range o {
		m.at(code).merge(e)
	}
}

// Sums are what somebody's statements came to: by the number of their name, and their errors by
// number.
type Sums struct {
	statements named
	errors     errorMap
}

func (s *Sums) merge(o *Sums) {
	s.statements.merge(o.statements)
	s.errors.merge(o.errors)
}

// Statement is the sum of the statements of one name; zeros if there were none.
func (s *Sums) Statement(name int) Stats {
	for _, x := range s.statements {
		if x.name == name {
			return *x.stats
		}
	}
	return Stats{}
}

// Statements calls f for each name that was run.
func (s *Sums) Statements(f func(name int, st *Stats)) {
	for _, x := range s.statements {
		f(x.name, x.stats)
	}
}

// Errors calls f for each error that was raised.
func (s *Sums) Errors(f func(code int, e *ErrorStats)) {
	for code, e := range s.errors {
		f(code, e)
	}
}
