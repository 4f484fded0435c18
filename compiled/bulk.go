package compiled

import (
	"bytes"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"sync"

	"emberdb/engine/row"
)

// INSERT and REPLACE of many rows.
//
//	INSERT INTO t (a, b) VALUES (1, 'x'), (-2.5, NULL), (DEFAULT, 0x41) ON DUPLICATE KEY UPDATE a
//	= a + 1
//	|        head              |  rows                                 |  tail                           |
//
// Where all values are literals, the rows stand in the key as one: (?,?). Its kinds are bulkKind,
// as kinds and number of rows are not the key's. Such a program has no values for the row: it reads
// them from the text, bulkValues at a time, so a statement needs no more memory than a part of it.
//
// A row is "(" value {"," value} ")" with white space between, and nothing else:
//
//	value   string | ["-"] integer | ["-"] decimal | NULL | DEFAULT | 0x hexadecimal digits, an even number | _binary string
//
// Everything else, comments too, is doubt.

// Bulk are the rows of such a statement.
type Bulk struct {
	Rows    int
	rows    []byte // of the text: from the first "(" on, to the end of the last row
	columns int
	head    []byte
	tail    []byte
}

const (
	// bulkKind is the kind, in a key, of a value of the rows.
	bulkKind = '*'
	// bulkValues is how many values are read before the rows they make are inserted.
	bulkValues = 1 << 15
)

// Sample is a text of the same key with one row, of zeros.
func (b *Bulk) Sample() string {
	return string(b.head) + "(0" + strings.Repeat(",0", b.columns-1) + ")" + string(b.tail)
}

// bulk looks for rows of literals behind VALUES, which ends at text[at], and returns where they
// end. 0: there are none, or only one of a short text.
func (s *Scanner) bulk(text []byte, at int) (end int) {
	start := skipSpace(text, at)
	r := literals{text: text, at: start}
	columns, rows := r.row(), 1
	if columns == 0 || columns > maxParams {
		return 0
	}
	for end = r.at; ; end = r.at {
		r.at = skipSpace(text, end)
		if r.at == len(text) || text[r.at] != ',' {
			break
		}
		r.at = skipSpace(text, r.at+1)
		if r.row() != columns || s.endedAt(rows) {
			return 0
		}
		rows++
	}
	if rows == 1 && len(text) <= MaxText || bytes.IndexByte(text[start:end], 0) >= 0 {
		return 0
	}
	s.rows = Bulk{Rows: rows, rows: text[start:end], columns: columns, head: text[:start], tail: text[end:]}
	s.key = append(s.key, '(')
	for i := range columns {
		if i > 0 {
			s.key = append(s.key, ',')
		}
		s.key = append(s.key, '?')
		s.kinds = append(s.kinds, bulkKind)
		s.params = append(s.params, Param{})
	}
	s.key = append(s.key, ')')
	return end
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// literals reads rows of literals.
type literals struct {
	text  []byte
	at    int
	keep  bool // values are wanted, not only where they end
	arena []byte
}

// row passes over the row at r.at and returns the number of its values, 0 if it is none.
func (r *literals) row() (n int) {
	if r.at >= len(r.text) || r.text[r.at] != '(' {
		return 0
	}
	var p Param
	for r.at++; ; r.at++ {
		r.at = skipSpace(r.text, r.at)
		if !r.value(&p) {
			return 0
		}
		n++
		r.at = skipSpace(r.text, r.at)
		if r.at == len(r.text) {
			return 0
		}
		if c := r.text[r.at]; c == ')' {
			r.at++
			return n
		} else if c != ',' {
			return 0
		}
	}
}

// values reads the next row into params. REQUIRES: row has passed over it.
func (r *literals) values(params []Param) bool {
	for i := range params {
		r.at = skipSpace(r.text, r.at+1) // behind "(" or ","
		if !r.value(&params[i]) {
			return false
		}
		r.at = skipSpace(r.text, r.at)
	}
	r.at = skipSpace(r.text, r.at+1)
	return true
}

// next moves to the next row.
func (r *literals) next() bool {
	if r.at == len(r.text) {
		return false
	}
	r.at = skipSpace(r.text, r.at+1)
	return true
}

// value reads a literal.
func (r *literals) value(p *Param) bool {
	if r.at == len(r.text) {
		return false
	}
	switch c := r.text[r.at]; {
	case c == '\'' || c == '"':
		return r.str(p, KindString)
	case c == '0' && r.at+1 < len(r.text) && r.text[r.at+1] == 'x':
		return r.hex(p)
	case isDigit(c), c == '-':
		return r.number(p)
	case c|0x20 == 'n':
		*p = Param{}
		return r.word("null")
	case c|0x20 == 'd':
		*p = Param{Kind: KindDefault}
		return r.word("default")
	case c == '_':
		if !r.word("_binary") {
			return false
		}
		r.at = skipSpace(r.text, r.at)
		return r.at < len(r.text) && (r.text[r.at] == '\'' || r.text[r.at] == '"') && r.str(p, KindBytes)
	}
	return false
}

func (r *literals) word(want string) bool {
	n := wordLen(r.text[r.at:min(len(r.text), r.at+len(want)+1)])
	if n != len(want) || !strings.EqualFold(string(r.text[r.at:r.at+n]), want) {
		return false
	}
	r.at += n
	return true
}

func (r *literals) hex(p *Param) bool {
	digits := r.text[r.at+2:]
	n := wordLen(digits)
	if n == 0 || n%2 == 1 {
		return false
	}
	for _, c := range digits[:n] {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	if r.at += 2 + n; r.keep {
		from := len(r.arena)
		var err error
		if r.arena, err = hex.AppendDecode(r.arena, digits[:n]); err != nil {
			return false
		}
		*p = Param{Kind: KindBytes, B: r.arena[from:len(r.arena):len(r.arena)]}
	}
	return true
}

// number reads an integer or a decimal, both perhaps negative.
func (r *literals) number(p *Param) bool {
	start, i := r.at, r.at
	if r.text[i] == '-' {
		i++
	}
	whole := i
	n := uint64(0)
	for ; i < len(r.text) && isDigit(r.text[i]); i++ {
		n = n*10 + uint64(r.text[i]-'0')
	}
	digits := i - whole
	if digits == 0 || digits > 1 && r.text[whole] == '0' {
		return false
	}
	if i < len(r.text) && r.text[i] == '.' {
		for i++; i < len(r.text) && isDigit(r.text[i]); i++ {
		}
		if i-whole == digits+1 || i-start > 60 || i < len(r.text) && (isWord(r.text[i]) || r.text[i] == '.') {
			return false
		}
		r.at = i
		*p = Param{Kind: KindDecimal, B: r.text[start:i:i]}
		return true
	}
	if i < len(r.text) && isWord(r.text[i]) {
		return false
	}
	if digits > 18 {
		var err error
		if n, err = strconv.ParseUint(string(r.text[whole:i]), 10, 64); err != nil || n > math.MaxInt64 && whole > start {
			return false
		}
	}
	r.at = i
	*p = Param{Kind: KindInt, N: n}
	switch {
	case whole > start:
		p.N = -n
	case n > math.MaxInt64:
		p.Kind = KindUint
	}
	return true
}

// str reads a string as Scanner.quoted does. The next quote and the next backslash are looked for
// once, so that many of one kind are not passed again and again in search of the other.
func (r *literals) str(p *Param, kind Kind) bool {
	delim := r.text[r.at]
	from := len(r.arena)
	start := r.at + 1 // of what is not in the arena yet
	quote, slash := -1, -1
	copied := false
	for i := start; ; {
		if quote < i {
			n := bytes.IndexByte(r.text[i:], delim)
			if n < 0 {
				return false
			}
			quote = i + n
		}
		if slash < i {
			if n := bytes.IndexByte(r.text[i:quote], '\\'); n >= 0 {
				slash = i + n
			} else {
				slash = quote // none before the quote
			}
		}
		if slash < quote {
			if slash+1 == len(r.text) || r.text[slash+1] >= 0x80 {
				return false
			}
			if i = slash + 2; r.keep {
				r.arena = appendUnescaped(append(r.arena, r.text[start:slash]...), r.text[slash+1])
				copied, start = true, i
			}
			continue
		}
		if quote+1 < len(r.text) && r.text[quote+1] == delim {
			if i = quote + 2; r.keep {
				r.arena = append(r.arena, r.text[start:quote+1]...)
				copied, start = true, i
			}
			continue
		}
		r.at = quote + 1
		if !r.keep {
			return true
		}
		value := r.text[start:quote:quote]
		if copied {
			r.arena = append(r.arena, value...)
			value = r.arena[from:len(r.arena):len(r.arena)]
		}
		*p = Param{Kind: kind, B: value}
		return true
	}
}

// insertBulk runs an INSERT or REPLACE of many rows. The first bulkValues values have been read
// already: a statement that is not mine is found before anything happens, if it is no longer than
// that.
func (x *Exec) insertBulk() error {
	for {
		if err := x.insertRows(); err != nil {
			return err
		}
		if x.reader.at == len(x.reader.text) {
			return nil
		}
		if !x.readRows() {
			return errNotMine
		}
	}
}

// bulkMemory is what reading rows takes; sessions lend it to each other.
type bulkMemory struct {
	given        []row.Value
	arena, bytes []byte
}

var bulkMemories = sync.Pool{New: func() any { return new(bulkMemory) }}

// lendMemory lets x read rows; the memory is given back by returnMemory.
func (x *Exec) lendMemory() {
	m := bulkMemories.Get().(*bulkMemory)
	x.own, x.lent = bulkMemory{x.given, x.arena, nil}, m
	x.given, x.arena, x.reader.arena = m.given[:0], m.arena[:0], m.bytes[:0]
}

func (x *Exec) returnMemory() {
	x.bulk = nil
	if m := x.lent; m != nil {
		*m = bulkMemory{x.given, x.arena, x.reader.arena}
		x.given, x.arena, x.reader = x.own.given, x.own.arena, literals{}
		x.own, x.lent = bulkMemory{}, nil
		bulkMemories.Put(m)
	}
}

// beginBulk reads the first rows. What is no value of the rows is known already.
func (x *Exec) beginBulk() bool {
	x.lendMemory()
	if !x.resolveFixed() {
		return false
	}
	x.kept = len(x.arena)
	x.reader = literals{text: x.bulk.rows, keep: true, arena: x.reader.arena}
	return x.readRows()
}

// readRows makes x.given the next rows.
func (x *Exec) readRows() bool {
	p, r := x.p, &x.reader
	x.arena, r.arena, x.given = x.arena[:x.kept], r.arena[:0], x.given[:0]
	given := x.params[:len(p.bulk)]
	for len(x.given) < bulkValues {
		if !r.values(given) {
			return false
		}
		from := len(x.given)
		x.given = append(x.given, x.fixed...)
		for i, col := range p.bulk {
			v, f, arena := p.cols[col].convert(&given[i], true, x.arena)
			x.arena = arena
			if f != fitValue {
				var ok bool
				if v, ok = x.unusual(col, given[i].Kind); !ok {
					return false
				}
			}
			x.given[from+col] = v
		}
		if !r.next() {
			break
		}
	}
	return true
}

// unusual is a value of the rows that is not simply its column's.
func (x *Exec) unusual(col int, k Kind) (row.Value, bool) {
	v := &x.p.rows[0][col]
	if k == KindDefault {
		if v = &x.p.defaults[col]; v.none {
			return row.NullValue, false
		}
	}
	return x.rowValue(col, v)
}
