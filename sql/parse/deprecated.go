package parse

import (
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// Warning is one that a text gets for how it is written, whatever comes of the statement.
type Warning struct {
	Code int
	Text string
}

const gone = " is deprecated and will be removed in a future release."

// warn notes a warning. The order is that in which MySQL's grammar gets to know of them.
func (p *parser) warn(code int, text string) { p.warnings = append(p.warnings, Warning{code, text}) }

// useInstead warns of a form that has a better one.
func (p *parser) useInstead(form, better string) {
	p.warn(1287, "'"+form+"'"+gone+" Please use "+better+" instead")
}

// warnOfCall warns of functions that are named by identifiers.
func (p *parser) warnOfCall(name string) {
	switch {
	case len(name) == len("FOUND_ROWS") && strings.EqualFold(name, "FOUND_ROWS"):
		p.warn(1287, "FOUND_ROWS()"+gone+" Consider using COUNT(*) instead.")
	case len(name) == len("JSON_MERGE") && strings.EqualFold(name, "JSON_MERGE"):
		p.useInstead("JSON_MERGE", "JSON_MERGE_PRESERVE/JSON_MERGE_PATCH")
	}
}

// warnOfValues warns of VALUES(column), which MySQL does in programs only when they run.
func (p *parser) warnOfValues() {
	if p.body {
		return
	}
	if !p.conflict {
		p.warn(1681, "'VALUES function'"+gone)
		return
	}
	p.warn(1287, "'VALUES function'"+gone+" Please use an alias (INSERT INTO ... VALUES (...) AS alias) and replace VALUES(col) "+
		"in the ON DUPLICATE KEY UPDATE clause with alias.col instead")
}

// warnOfOption warns of words between SELECT and the select list.
func (p *parser) warnOfOption(o ast.SelectOption) {
	switch o {
	case ast.CalcFoundRows:
		p.warn(1287, "SQL_CALC_FOUND_ROWS"+gone+" Consider using two separate queries instead.")
	case ast.NoCache:
		p.warn(1681, "'SQL_NO_CACHE'"+gone)
	}
}

// warnOfShow warns of lists that the Performance Schema has, too.
func (p *parser) warnOfShow(kind ast.ShowKind) {
	switch kind {
	case ast.ShowProcesslist:
		p.useInstead("INFORMATION_SCHEMA.PROCESSLIST", "performance_schema.processlist")
	case ast.ShowProfiles:
		p.useInstead("SHOW PROFILES", "Performance Schema")
	}
}

// warnOfNumber warns of what follows the name of a type of numbers.
func (p *parser) warnOfNumber(t *ast.DataType) {
	if t.Zerofill {
		p.warn(1681, "The ZEROFILL attribute"+gone+" Use the LPAD function to zero-pad numbers, or store the formatted numbers in a CHAR column.")
	}
	broken := false
	switch t.Kind {
	case ast.TypeYear:
		switch t.Length {
		case "":
		case "4":
			p.useInstead("YEAR(4)", "YEAR")
		default:
			p.raise(1818, "HY000", "Invalid display width. Use YEAR instead.")
		}
		return
	case ast.TypeFloat, ast.TypeReal, ast.TypeDouble:
		if broken = true; t.Scale != "" {
			p.warn(1681, "Specifying number of digits for floating point data types"+gone)
		}
	case ast.TypeDecimal:
		broken = true
	default:
		if t.Length != "" {
			p.warn(1681, "Integer display width"+gone)
		}
	}
	if broken && t.Unsigned {
		p.warn(1681, "UNSIGNED for decimal and floating point data types is deprecated and support for it will be removed in a future release.")
	}
}

// acceptBinary consumes BINARY behind a type of characters.
func (p *parser) acceptBinary() bool {
	if !p.accept(token.BINARY) {
		return false
	}
	p.useInstead("BINARY as attribute of a type", "a CHARACTER SET clause with _bin collation")
	return true
}

// warnOfNational warns of types and texts that have the national character set.
func (p *parser) warnOfNational() {
	p.warn(3720, "NATIONAL/NCHAR/NVARCHAR implies the character set UTF8MB3, which will be replaced by UTF8MB4 in a future release. "+
		"Please consider using CHAR(x) CHARACTER SET UTF8MB4 in order to be unambiguous.")
}

// CharsetWarning is what a client is told that names a character set; ok is false if nothing.
func CharsetWarning(name string) (w Warning, ok bool) {
	switch name = strings.ToLower(name); name {
	case "utf8":
		return Warning{3719, "'utf8' is currently an alias for the character set UTF8MB3, but will be an alias for UTF8MB4 in a future release. " +
			"Please consider using UTF8MB4 in order to be unambiguous."}, true
	case "utf8mb3", "ucs2", "macroman", "macce", "hp8", "dec8":
		return Warning{1287, "'" + name + "'" + gone + " Please use utf8mb4 instead"}, true
	}
	return Warning{}, false
}

// CollationWarning is CharsetWarning of a collation.
func CollationWarning(name string) (w Warning, ok bool) {
	name = strings.ToLower(name)
	set, rest, _ := strings.Cut(name, "_")
	switch set {
	case "utf8", "utf8mb3":
		return Warning{3778, "'utf8mb3_" + rest + "' is a collation of the deprecated character set UTF8MB3. " +
			"Please consider using UTF8MB4 with an appropriate collation instead."}, true
	case "ucs2", "macroman", "macce", "hp8", "dec8":
		return Warning{4079, "'" + name + "' is a collation of the deprecated character set " + set + ". " +
			"Please consider using utf8mb4 with an appropriate collation instead."}, true
	}
	return Warning{}, false
}

// warnOfCharset warns of the name of a character set.
func (p *parser) warnOfCharset(name string) {
	if w, ok := CharsetWarning(name); ok {
		p.warnings = append(p.warnings, w)
	}
}

// warnOfVersion warns when the comment at hand has code right behind its version.
func (p *parser) warnOfVersion() {
	for ; p.glued < p.lex.Glued(); p.glued++ {
		p.warn(4164, "Immediately starting the version comment after the version number is deprecated and may change behavior in a future release. "+
			"Please insert a white-space character after the version number.")
	}
}
