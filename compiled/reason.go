package compiled

// Reason tells why go-mysql-server has to run a statement. Compilation notes what it is looking at
// (compiler.at), and what is not mine is not mine for that.
type Reason uint8

const (
	Mine          Reason = iota
	ByFirst              // the first execution of a statement, which describes its result
	ByKind               // a statement of another kind: SHOW, CALL, definitions
	ByText               // a text that the scanner has doubts about, or too long
	BySettings           // variables of the session or the server
	ByClause             // a clause: WITH, UNION, INTO, window functions
	ByTable              // no plain base table
	BySubquery           // a subquery or derived table
	ByJoin               // tables joined another way than by an index
	ByExpression         // a column of the result, a condition, a value
	ByGroup              // GROUP BY, HAVING
	ByOrder              // ORDER BY
	ByConstraint         // triggers, foreign keys, CHECK, full-text indexes
	ByGenerated          // generated columns
	ByParameter          // a parameter that is no plain value of its column
	ByRow                // a row that was met: a value that does not fit, a key that is missing
	ByTransaction        // the session: temporary tables, LOCK TABLES, a transaction that only reads
	ByChange             // a definition has changed since
	ByReport             // many rows that are grouped, sorted or joined: the executor's
	reasons
)

var reasonNames = [reasons]string{"", "first", "kind", "text", "settings", "clause", "table", "subquery", "join", "expression", "group", "order", "constraint", "generated",
	"parameter", "row", "transaction", "change", "report"}

// String is the reason in a word.
func (r Reason) String() string { return reasonNames[r] }
