package sqlerr

import (
	"regexp"

	"github.com/dolthub/vitess/go/mysql"
)

// worded are errors that GMS tells apart by their words alone.
var worded = []struct {
	words *regexp.Regexp
	code  int
	text  string
}{
	{regexp.MustCompile(`^null value in column "(.*)" violates not-null constraint`), mysql.ERBadNullError, "Column '$1' cannot be null"},
	{regexp.MustCompile(`^Too-big precision (\d+) for '(\w+)'\. Maximum is 6\.`), 1426, "Too-big precision $1 specified for '$2'. Maximum is 6."},
	{regexp.MustCompile(`^illegal non geometric '<nil>' value found`), 1367, "Illegal non geometric 'NULL' value found during parsing"},
	{regexp.MustCompile(`^invalid interval unit: (\w+)`), 1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '$1'"},
	{regexp.MustCompile(`^column ordinal out of range: (\d+)`), 1054, "Unknown column '$1' in 'group statement'"},
	{regexp.MustCompile(`^limit expression expected to be numeric or procedure parameter, found invalid column: (.*)`), 1327, "Undeclared variable: $1"},
	{regexp.MustCompile(`^(Table '.*' from one of the SELECTs cannot be used in global ORDER clause)`), 1250, "$1"},
	{regexp.MustCompile(`^(Recursive Common Table Expression '.*' should contain a UNION)`), 3573, "$1"},
	{regexp.MustCompile(`^only datetime/timestamp may declare default values of now`), mysql.ERInvalidDefault, "Invalid default value"},
	{regexp.MustCompile(`(?s)^(Expression #\d+ of ORDER BY clause is not in GROUP BY clause.*)`), mysql.ERWrongFieldWithGroup, "$1"},
	{regexp.MustCompile("^invalid identifier: `(.*)`"), mysql.ERTooLongIdent, "Identifier name '$1' is too long"},
	{regexp.MustCompile(`^(?:bind variable not provided|invalid arguments\. expected: )`), 1210, "Incorrect arguments to EXECUTE"},
	{regexp.MustCompile(`^invalid column name: (.*)$`), ErWrongColumnName, "Incorrect column name '$1'"},
	{regexp.MustCompile(`^a SPATIAL index may only contain`), 1687, "A SPATIAL index may only contain a geometrical type column"},
	{regexp.MustCompile(`^(\w+) is not a valid character set for (\w+)`), 1253, "COLLATION '$2' is not valid for CHARACTER SET '$1'"},
	{regexp.MustCompile(`^Invalid argument to NTILE`), 1210, "Incorrect arguments to ntile"},
	{regexp.MustCompile(`^Invalid argument to ESCAPE`), 1210, "Incorrect arguments to ESCAPE"},
	{regexp.MustCompile(`^offset must be a non-negative integer; found: (.*)`), 1064, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '$1'"},
	{regexp.MustCompile(`^tuple should contain \d+ column\(s\), but has \d+`), 1353, "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts"},
	{regexp.MustCompile(`^invalid GIS data provided to function (\w+)`), 3037, "Invalid GIS data provided to function $1."},
	{regexp.MustCompile(`^unable to parse '(.*)' to UUID`), 1411, "Incorrect string value: '$1' for function bin_to_uuid"},
	{regexp.MustCompile(`^match columns must (?:refer to the same table|be column names)`), 1210, "Incorrect arguments to MATCH"},
	{regexp.MustCompile(`^no matching Full-Text index found on table`), 1191, "Can't find FULLTEXT index matching the column list"},
	{regexp.MustCompile(`^unsupported JSON function: (\w+)`), 1235, notYet},
	{regexp.MustCompile(`Invalid JSON path expression`), 3143, "Invalid JSON path expression. The error is around character position 1."},
	{regexp.MustCompile(`^failed to extract from expression .* parsing "(last.*|.* to .*)": invalid syntax`), 1235, notYet},
	{regexp.MustCompile(`^(TIME length) not yet supported`), 1235, notYet},
	{regexp.MustCompile(`^GRANT has not yet implemented (.*)`), 1235, notYet},
	{regexp.MustCompile(`^\*plan\.(\w+) has no execution iterator`), 1235, notYet},
}

const notYet = "This version of Ember doesn't yet support '$1'"

// wordedError is MySQL's error for one of them; nil if it is none.
func wordedError(message string) *mysql.SQLError {
	for _, w := range worded {
		if m := w.words.FindStringSubmatchIndex(message); m != nil {
			return NewError(w.code, "%s", w.words.ExpandString(nil, w.text, message, m))
		}
	}
	return nil
}
