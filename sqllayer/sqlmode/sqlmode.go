package sqlmode

// SET sql_mode: numbers are sets of bits, ANSI and TRADITIONAL bring the modes they stand for.

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/sqlerr"
)

// SqlModes are the bits of sql_mode.
var SqlModes = map[string]uint64{
	"REAL_AS_FLOAT": 1, "PIPES_AS_CONCAT": 2, "ANSI_QUOTES": 4, "IGNORE_SPACE": 8, "ONLY_FULL_GROUP_BY": 1 << 5, "NO_UNSIGNED_SUBTRACTION": 1 << 6,
	"NO_DIR_IN_CREATE": 1 << 7, "ANSI": 1 << 18, "NO_AUTO_VALUE_ON_ZERO": 1 << 19, "NO_BACKSLASH_ESCAPES": 1 << 20, "STRICT_TRANS_TABLES": 1 << 21,
	"STRICT_ALL_TABLES": 1 << 22, "NO_ZERO_IN_DATE": 1 << 23, "NO_ZERO_DATE": 1 << 24, "ALLOW_INVALID_DATES": 1 << 25,
	"ERROR_FOR_DIVISION_BY_ZERO": 1 << 26, "TRADITIONAL": 1 << 27, "HIGH_NOT_PRECEDENCE": 1 << 29, "NO_ENGINE_SUBSTITUTION": 1 << 30,
	"PAD_CHAR_TO_FULL_LENGTH": 1 << 31, "TIME_TRUNCATE_FRACTIONAL": 1 << 32,
}

// modeNames are the names of the bits.
var modeNames = func() (names [33]string) {
	for name, bit := range SqlModes {
		names[bits.TrailingZeros64(bit)] = name
	}
	return names
}()

// The bits of older versions' modes.
const goneModes = 0x1003ff00

// compoundModes are the modes that others bring.
var compoundModes = map[string]string{
	"ANSI": "REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ONLY_FULL_GROUP_BY",
	"TRADITIONAL": "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO," +
		"NO_ENGINE_SUBSTITUTION",
}

// NewMode is the sql_mode that SET means by a text.
func NewMode(text string) (string, error) {
	set := uint64(0)
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		if n >= 1<<34 {
			return "", badMode(text)
		}
		if n&goneModes != 0 {
			return "", sqlerr.NewError(3899, "sql_mode=0x%08x is not supported.", n&goneModes)
		}
		set = n
	} else {
		for _, name := range strings.Split(text, ",") {
			bit, known := SqlModes[strings.ToUpper(name)]
			if !known && name != "" {
				return "", badMode(name)
			}
			set |= bit
		}
	}
	for name, parts := range compoundModes {
		if set&SqlModes[name] == 0 {
			continue
		}
		for _, part := range strings.Split(parts, ",") {
			set |= SqlModes[part]
		}
	}
	return ModesOf(set), nil
}

// ModesOf names the bits of a set, in their order.
func ModesOf(set uint64) string {
	var names []string
	for bit, name := range modeNames {
		if name != "" && set&(1<<bit) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ModeType is the SET of the modes in MySQL's order.
var ModeType = types.MustCreateSetType(slices.DeleteFunc(slices.Clone(modeNames[:]), func(name string) bool { return name == "" }), sql.Collation_Information_Schema_Default)

func badMode(what string) error {
	return sqlerr.NewError(1231, "Variable 'sql_mode' can't be set to the value of '%s'", what)
}
