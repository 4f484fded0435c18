package run

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// loadFormat is how a file of LOAD DATA is divided. Empty: nothing does that.
type loadFormat struct {
	fields   string // FIELDS TERMINATED BY
	enclosed string // FIELDS ENCLOSED BY, a byte
	escaped  string // FIELDS ESCAPED BY, a byte
	starting string // LINES STARTING BY
	lines    string // LINES TERMINATED BY; if empty, the end of a field ends the line too
}

// loadField is a value of a line. The text is valid until the next line is read.
type loadField struct {
	text []byte
	null bool
}

// loadReader reads the lines of a file of LOAD DATA, a field at a time: a field that is enclosed
// may hold the ends of fields and lines. It holds one line, which is bounded.
type loadReader struct {
	loadFormat
	in   *bufio.Reader
	most int64 // bytes of a line
	size int64 // bytes of the line so far

	line  []loadField // of the line
	arena []byte      // their texts
	marks [256]bool   // bytes that may end a field, enclose it or escape
}

func newLoadReader(in io.Reader, format loadFormat, most int64) *loadReader {
	if format.lines == "" {
		format.lines = format.fields
	}
	r := &loadReader{loadFormat: format, in: bufio.NewReaderSize(in, 64<<10), most: most}
	for _, mark := range []string{format.fields, format.enclosed, format.escaped, format.lines} {
		if mark != "" {
			r.marks[mark[0]] = true
		}
	}
	return r
}

// at passes over a text if it is next.
func (r *loadReader) at(text string) bool {
	if text == "" {
		return false
	}
	next, _ := r.in.Peek(len(text))
	if string(next) != text {
		return false
	}
	_, _ = r.in.Discard(len(text))
	return true
}

// skipLine passes over the rest of a line; false: nothing is left.
func (r *loadReader) skipLine() (bool, error) {
	for skipped := false; ; skipped = true {
		if r.at(r.lines) {
			return true, nil
		}
		if _, err := r.in.ReadByte(); err != nil {
			return skipped, endOfFile(err)
		}
	}
}

// next is the next line; io.EOF behind the last.
func (r *loadReader) next() (fields []loadField, err error) {
	r.size, r.line, r.arena = 0, r.line[:0], r.arena[:0]
	for r.starting != "" && !r.at(r.starting) {
		if _, err := r.in.ReadByte(); err != nil {
			return nil, err
		}
	}
	if _, err := r.in.Peek(1); err != nil {
		return nil, err
	}
	for {
		field, last, err := r.field()
		if err != nil {
			return nil, err
		}
		if r.line = append(r.line, field); last {
			return r.line, nil
		}
	}
}

// loadFieldCost is what a field takes besides its bytes.
const loadFieldCost = 32

// field reads a field; last tells that the line ends with it.
func (r *loadReader) field() (f loadField, last bool, err error) {
	f, last, err = r.read(r.arena[len(r.arena):])
	r.arena = append(r.arena, f.text...) // where there was room it stands there already
	return f, last, err
}

// read reads a field into text, which is empty.
func (r *loadReader) read(text []byte) (f loadField, last bool, err error) {
	r.size += loadFieldCost
	enclosed := r.at(r.enclosed)
	escapes := 0 // of which the field has nothing but what they stand for
	for {
		if r.size++; r.size > r.most {
			return f, false, sqlerr.NewError(1153, "Got a packet bigger than 'max_allowed_packet' bytes")
		}
		if !enclosed {
			if last = r.at(r.lines); last || r.at(r.fields) {
				return r.whole(text, escapes), last, nil
			}
		}
		if plain := r.plain(); len(plain) > 0 {
			text = append(text, plain...)
			r.size += int64(len(plain))
			_, _ = r.in.Discard(len(plain))
			continue
		}
		b, err := r.in.ReadByte()
		if err != nil {
			if enclosed {
				text = append([]byte(r.enclosed), text...)
			}
			return r.whole(text, escapes), true, endOfFile(err)
		}
		switch {
		case enclosed && b == r.enclosed[0]:
			if r.at(r.enclosed) {
				text = append(text, b)
			} else if ends, last := r.ends(); ends {
				return loadField{text: text, null: escapes == 1 && string(text) == "N"}, last, nil
			} else {
				text = append(text, b)
			}
		case r.escaped != "" && b == r.escaped[0]:
			c, err := r.in.ReadByte()
			if err != nil {
				text = append(text, b)
				continue
			}
			if len(text) == 0 && c == 'N' {
				escapes = 1
			}
			text = append(text, unescaped(c))
		default:
			text = append(text, b)
		}
	}
}

// ends passes over the end of a field, of a line, or of the file. At the end of the file a byte
// that encloses and escapes is no end, as it escapes nothing.
func (r *loadReader) ends() (ends, last bool) {
	if r.at(r.lines) {
		return true, true
	}
	if r.at(r.fields) {
		return true, false
	}
	_, err := r.in.Peek(1)
	return err != nil && r.enclosed != r.escaped, true
}

// whole is a field that is not enclosed: \N is NULL, and so is the word where fields may be
// enclosed.
func (r *loadReader) whole(text []byte, escapes int) loadField {
	null := escapes == 1 && string(text) == "N" || (r.enclosed != "" || r.escaped == "") && bytes.Equal(text, []byte("NULL"))
	return loadField{text: text, null: null}
}

// plain is what is read already up to the next mark.
func (r *loadReader) plain() []byte {
	if r.in.Buffered() == 0 {
		_, _ = r.in.Peek(1)
	}
	ahead, _ := r.in.Peek(r.in.Buffered())
	for i, b := range ahead {
		if r.marks[b] {
			return ahead[:i]
		}
	}
	return ahead
}

// unescaped is what a byte behind the escape stands for.
func unescaped(c byte) byte {
	if i := strings.IndexByte("0bnrtZ", c); i >= 0 {
		return "\x00\b\n\r\t\x1a"[i]
	}
	return c
}

func endOfFile(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
