package replication

import (
	"encoding/binary"
	"errors"
	"fmt"
	mathbits "math/bits"
	"strings"

	"emberdb/sql/charset"
)

// The status variables of a Query event: what the statement needs of its session. Code, then a
// value of the code's own length.
const (
	varFlags2           = 0
	varSQLMode          = 1
	varCatalog          = 2
	varAutoIncrement    = 3
	varCharset          = 4
	varTimeZone         = 5
	varCatalogNZ        = 6
	varLCTimeNames      = 7
	varCharsetDatabase  = 8
	varTableMap         = 9
	varMasterData       = 10
	varInvoker          = 11
	varUpdatedDatabases = 12
	varMicroseconds     = 13
	varExplicitDefaults = 16
	varDDLXid           = 17
	varDefaultCollation = 18
	varRequirePrimary   = 19
	varEncryption       = 20
	varMariaMicrosecond = 128
	varMariaXid         = 129

	flagNoForeignKeys = 1 << 26
	flagRelaxedUnique = 1 << 27
	noDatabaseNames   = 254
)

// session is what those variables say.
type session struct {
	flags       uint32
	mode        uint64
	client      uint16 // collation of the statement's text
	connection  uint16
	server      uint16
	step        uint16 // auto_increment_increment, auto_increment_offset: 1 where the log tells nothing
	offset      uint16
	zone        string
	microsecond uint32
}

// sqlModes are the names of sql_mode's bits.
var sqlModes = map[int]string{0: "REAL_AS_FLOAT", 1: "PIPES_AS_CONCAT", 2: "ANSI_QUOTES", 3: "IGNORE_SPACE", 5: "ONLY_FULL_GROUP_BY", 6: "NO_UNSIGNED_SUBTRACTION",
	7: "NO_DIR_IN_CREATE", 18: "ANSI", 19: "NO_AUTO_VALUE_ON_ZERO", 20: "NO_BACKSLASH_ESCAPES", 21: "STRICT_TRANS_TABLES", 22: "STRICT_ALL_TABLES",
	23: "NO_ZERO_IN_DATE", 24: "NO_ZERO_DATE", 25: "ALLOW_INVALID_DATES", 26: "ERROR_FOR_DIVISION_BY_ZERO", 27: "TRADITIONAL", 29: "HIGH_NOT_PRECEDENCE",
	30: "NO_ENGINE_SUBSTITUTION", 31: "PAD_CHAR_TO_FULL_LENGTH", 32: "TIME_TRUNCATE_FRACTIONAL"}

func modeNames(bits uint64) string {
	var names []string
	for ; bits != 0; bits &= bits - 1 {
		if name := sqlModes[mathbits.TrailingZeros64(bits)]; name != "" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

var errBadVariables = errors.New("a Query event's status variables cannot be read")

// fixedSizes are the lengths of the values that are not read.
var fixedSizes = map[byte]int{varLCTimeNames: 2, varCharsetDatabase: 2, varTableMap: 8, varMasterData: 4, varExplicitDefaults: 1,
	varDDLXid: 8, varDefaultCollation: 2, varRequirePrimary: 1, varEncryption: 1, varMariaXid: 8}

// parseSession reads the status variables. What comes behind a code that is not known cannot be
// read and does not matter to a statement that is.
func parseSession(b []byte) (s session, err error) {
	s.step, s.offset = 1, 1
	take := func(n int) []byte {
		if n > len(b) {
			err = errBadVariables
			return make([]byte, n)
		}
		v := b[:n]
		b = b[n:]
		return v
	}
	text := func() string { return string(take(int(take(1)[0]))) }
	for err == nil && len(b) > 0 {
		switch code := take(1)[0]; code {
		case varFlags2:
			s.flags = binary.LittleEndian.Uint32(take(4))
		case varSQLMode:
			s.mode = binary.LittleEndian.Uint64(take(8))
		case varCharset:
			v := take(6)
			s.client, s.connection, s.server = binary.LittleEndian.Uint16(v), binary.LittleEndian.Uint16(v[2:]), binary.LittleEndian.Uint16(v[4:])
		case varAutoIncrement:
			v := take(4)
			s.step, s.offset = binary.LittleEndian.Uint16(v), binary.LittleEndian.Uint16(v[2:])
		case varTimeZone:
			s.zone = text()
		case varMicroseconds, varMariaMicrosecond:
			v := take(3)
			s.microsecond = uint32(v[0]) | uint32(v[1])<<8 | uint32(v[2])<<16
		case varCatalog:
			text()
			take(1)
		case varCatalogNZ:
			text()
		case varInvoker:
			text()
			text()
		case varUpdatedDatabases:
			n := int(take(1)[0])
			for ; n != noDatabaseNames && n > 0 && err == nil; n-- {
				at := strings.IndexByte(string(b), 0)
				take(at + 1)
			}
		default:
			n, ok := fixedSizes[code]
			if !ok {
				return s, err
			}
			take(n)
		}
	}
	return s, err
}

// set is the SET statement that makes a session like it. collations are the names of their numbers.
func (s *session) set(at uint32, collations map[uint16]string) (string, error) {
	parts := []string{fmt.Sprintf("timestamp = %d.%06d", at, s.microsecond), fmt.Sprintf("sql_mode = '%s'", modeNames(s.mode)), "character_set_client = utf8mb4",
		fmt.Sprintf("auto_increment_increment = %d, auto_increment_offset = %d", s.step, s.offset),
		fmt.Sprintf("foreign_key_checks = %d", zeroIf(s.flags&flagNoForeignKeys)), fmt.Sprintf("unique_checks = %d", zeroIf(s.flags&flagRelaxedUnique))}
	for _, x := range []struct {
		variable string
		id       uint16
	}{{"collation_connection", s.connection}, {"collation_server", s.server}} {
		if x.id == 0 {
			continue
		}
		name := collations[x.id]
		if name == "" {
			return "", fmt.Errorf("collation %d is unknown here", x.id)
		}
		parts = append(parts, x.variable+" = "+name)
	}
	zone := s.zone
	if zone == "" {
		zone = "SYSTEM"
	}
	parts = append(parts, "time_zone = "+string(appendQuoted(nil, []byte(zone))))
	return "SET " + strings.Join(parts, ", "), nil
}

func zeroIf(bit uint32) int {
	if bit != 0 {
		return 0
	}
	return 1
}

// text is the statement in UTF-8.
func (s *session) text(query []byte, collations map[uint16]string) (string, error) {
	name, _, _ := strings.Cut(collations[s.client], "_")
	switch name {
	case "", "utf8mb4", "utf8mb3", "utf8", "binary", "ascii":
		return string(query), nil
	}
	set := charset.Find(name)
	if set == nil {
		return "", fmt.Errorf("a statement in character set %s", name)
	}
	text, read := set.Decode(nil, query)
	if read < len(query) {
		return "", fmt.Errorf("a statement in character set %s has a byte that is no character", name)
	}
	return string(text), nil
}
