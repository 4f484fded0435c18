package expr

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/numbers"
	"emberdb/sqllayer/expr/operand"
)

// A function may look at a value of many megabytes in one call, which knows no statement that ends:
// it reads a JSON document, hashes a text, intersects polygons. Such a call runs on a goroutine of
// its own while its statement waits for it, so that the statement can end at once. The call then
// goes on until it is through, and its result is dropped.
//
// Invariants:
//
//	(1) A call that was left behind does not touch the session: the session it sees is lent, and
//	    was taken back.
//	(2) At most mostLeft calls of a server go on behind their statements. Who finds so many waits
//	    for its own call, also when it is killed.
//	(3) Only functions of their operands run aside, with operands that were evaluated before.

// mostLeft is how many calls may go on whose statements have ended.
const mostLeft = 8

// NewAside makes the count of a server.
func NewAside() *operand.Aside { return &operand.Aside{Left: make(chan struct{}, mostLeft)} }

// operatorAside lets an operator of texts or documents run aside that has no name; nil: its operands
// are small.
func operatorAside(ctx *sql.Context, e sql.Expression) (sql.Expression, error) {
	switch e.(type) {
	case *expression.Like, *compare.Like, *expression.Convert, *function.Trim, *numbers.Arithmetic, *numbers.Bitwise:
	default:
		return nil, nil
	}
	b, err := newBounded(ctx, operator, sql.FunctionN{Name: operator, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return e.WithChildren(ctx, args...)
	}}, e.Children())
	if err != nil || b.(*Bounded).small || !b.Resolved() {
		return nil, err
	}
	return b, nil
}

// operator is the name of what has none.
const operator = "operator"

// asideFunctions are those of the table that look at whole values, beside the functions of
// documents, geometries and regular expressions. They are functions of their operands alone.
var asideFunctions = map[string]bool{
	"aes_decrypt": true, "aes_encrypt": true, "bit_count": true, "bit_length": true, "char_length": true, "character_length": true, "compress": true,
	"concat": true, "concat_ws": true, "crc32": true, "export_set": true, "find_in_set": true, "from_base64": true, "gtid_subset": true, "gtid_subtract": true, "hex": true, "insert": true,
	"instr": true, "lcase": true, "left": true, "length": true, "locate": true, "lower": true, "lpad": true, "ltrim": true, "make_set": true,
	"md5": true, "mid": true, "octet_length": true, "quote": true, "repeat": true, "replace": true, "reverse": true, "right": true, "rpad": true,
	"rtrim": true, "sha": true, "sha1": true, "sha2": true, "soundex": true, "statement_digest": true, "statement_digest_text": true, "strcmp": true,
	"substr": true, "substring": true, "substring_index": true, "to_base64": true, "ucase": true, "uncompress": true, "unhex": true, "upper": true,
	operator: true, "trim": true, "extractvalue": true, "updatexml": true, "geometrycollection": true, "geomcollection": true, "linestring": true, "multilinestring": true,
	"multipoint": true, "multipolygon": true, "polygon": true,
}

// notAside are functions of those prefixes that see more than one row, or rows of their own.
var notAside = map[string]bool{"json_arrayagg": true, "json_objectagg": true, "json_table": true, "st_collect": true}

// runsAside tells whether a function looks at whole values.
func runsAside(name string) bool {
	if asideFunctions[name] {
		return true
	}
	for _, prefix := range []string{"json_", "st_", "mbr", "regexp_"} {
		if strings.HasPrefix(name, prefix) {
			return !notAside[name]
		}
	}
	return false
}
