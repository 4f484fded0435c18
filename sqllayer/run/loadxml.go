package run

import (
	"bufio"
	"io"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// xmlReader reads the rows of a file of LOAD XML. A row is what an element of a name holds: the
// values of its attributes, of the elements in it, and of elements <field name="column">. What
// stands in the elements around is in each of their rows, too. It holds one row, which is bounded.
type xmlReader struct {
	in    *bufio.Reader
	tag   string   // of a row, without its brackets
	names []string // of the fields, in their order
	most  int64    // bytes of a row

	level  int
	size   int64
	values []xmlValue // in the elements that are open
	field  string     // the name that the last <field name> gives
	text   []byte     // since the last tag
	line   []loadField
}

// xmlValue is a value in an element of a level.
type xmlValue struct {
	level int
	name  string
	text  string
}

func newXMLReader(in io.Reader, tag string, names []string, most int64) *xmlReader {
	bare, opens := strings.CutPrefix(tag, "<")
	bare, closes := strings.CutSuffix(bare, ">")
	if !opens || !closes { // of no element
		bare = ""
	}
	return &xmlReader{in: bufio.NewReaderSize(in, 64<<10), tag: bare, names: names, most: most}
}

// next is the next row; io.EOF behind the last.
func (r *xmlReader) next() ([]loadField, error) {
	for {
		if err := r.readText(); err != nil {
			return nil, err
		}
		row, err := r.markup()
		if err != nil {
			return nil, err
		}
		if row {
			return r.fields(), nil
		}
	}
}

// skipLine passes over a row; false: nothing is left.
func (r *xmlReader) skipLine() (bool, error) {
	_, err := r.next()
	return err == nil, endOfFile(err)
}

// fields are the values of the row; one that is not there is NULL.
func (r *xmlReader) fields() []loadField {
	r.line = r.line[:0]
	for _, name := range r.names {
		f := loadField{null: true}
		for i := len(r.values) - 1; i >= 0 && f.null; i-- {
			if r.values[i].name == name {
				f = loadField{text: []byte(r.values[i].text)}
			}
		}
		r.line = append(r.line, f)
	}
	return r.line
}

// byte reads a byte of the row.
func (r *xmlReader) byte() (byte, error) {
	if r.size++; r.size > r.most {
		return 0, sqlerr.NewError(1153, "Got a packet bigger than 'max_allowed_packet' bytes")
	}
	return r.in.ReadByte()
}

// readText reads up to the next tag, and past its bracket. White space before the text is none of
// it.
func (r *xmlReader) readText() error {
	r.text = r.text[:0]
	for {
		b, err := r.byte()
		switch {
		case err != nil:
			return err
		case b == '<':
			return nil
		case b == '&':
			if r.text, err = r.entity(r.text); err != nil {
				return err
			}
		case len(r.text) > 0 || !isXMLSpace(b):
			r.text = append(r.text, b)
		}
	}
}

func isXMLSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// xmlEntities are the characters that have names.
var xmlEntities = map[string]byte{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

// longestEntity is how long the name of one is.
const longestEntity = 4

// entity adds the character that is named behind &, or what stands there.
func (r *xmlReader) entity(to []byte) ([]byte, error) {
	ahead, err := r.in.Peek(longestEntity + 1)
	if len(ahead) == 0 && err != io.EOF && err != nil {
		return to, err
	}
	name, _, ends := strings.Cut(string(ahead), ";")
	if c := xmlEntities[name]; ends && c != 0 {
		_, _ = r.in.Discard(len(name) + 1)
		return append(to, c), nil
	}
	return append(to, '&'), nil
}

// markup reads what follows a bracket; row tells that a row ends with it.
func (r *xmlReader) markup() (row bool, err error) {
	ahead, _ := r.in.Peek(len("![CDATA["))
	switch next := string(ahead); {
	case next == "![CDATA[":
		return r.bytesTo("![CDATA[", "]]>")
	case strings.HasPrefix(next, "!--"):
		return false, r.skipTo("-->")
	case strings.HasPrefix(next, "!"), strings.HasPrefix(next, "?"):
		return false, r.skipTo(">")
	case strings.HasPrefix(next, "/"):
		_, _ = r.byte()
		name, err := r.nameTo(">")
		if err != nil {
			return false, err
		}
		return r.close(name), nil
	}
	return r.open()
}

// open reads an element's name and attributes.
func (r *xmlReader) open() (row bool, err error) {
	name, err := r.nameTo(" \t\r\n/>")
	if err != nil {
		return false, err
	}
	r.level++
	r.field = ""
	r.forget(r.level)
	for {
		b, err := r.byte()
		switch {
		case err != nil:
			return false, err
		case b == '>':
			return false, nil
		case b == '/':
			r.text = r.text[:0]
			if err := r.skipTo(">"); err != nil {
				return false, err
			}
			return r.close(name), nil
		case isXMLSpace(b):
			continue
		}
		if err := r.in.UnreadByte(); err != nil {
			return false, err
		}
		if err := r.attribute(name); err != nil {
			return false, err
		}
	}
}

// attribute reads one of an element.
func (r *xmlReader) attribute(of string) error {
	name, err := r.nameTo("=> \t\r\n")
	if err != nil {
		return err
	}
	quote := byte(0)
	for quote == 0 {
		b, err := r.byte()
		switch {
		case err != nil:
			return err
		case b == '"' || b == '\'':
			quote = b
		case b == '>' || b == '/': // it has no value
			return r.in.UnreadByte()
		}
	}
	var value []byte
	for {
		b, err := r.byte()
		switch {
		case err != nil:
			return err
		case b == quote:
			if of == "field" && name == "name" {
				r.field = string(value)
			} else {
				r.values = append(r.values, xmlValue{r.level + 1, name, string(value)})
			}
			return nil
		case b == '&':
			if value, err = r.entity(value); err != nil {
				return err
			}
		default:
			value = append(value, b)
		}
	}
}

// close ends an element; row tells that it was a row.
func (r *xmlReader) close(name string) (row bool) {
	of := name
	if name == "field" && r.field != "" {
		of = r.field
	}
	if len(r.text) > 0 {
		r.values = append(r.values, xmlValue{r.level, of, string(r.text)})
	}
	r.level, r.field = r.level-1, ""
	if row = name == r.tag && r.tag != ""; row {
		r.size = 0
	}
	return row
}

// forget drops the values in elements that are closed: those above a level.
func (r *xmlReader) forget(level int) {
	kept := r.values[:0]
	for _, v := range r.values {
		if v.level <= level {
			kept = append(kept, v)
		}
	}
	r.values = kept
}

// nameTo reads a name that ends before one of some bytes; of those, brackets are passed over.
func (r *xmlReader) nameTo(ends string) (string, error) {
	var name []byte
	for {
		b, err := r.byte()
		if err != nil {
			return "", err
		}
		if strings.IndexByte(ends, b) >= 0 {
			if len(ends) > 1 {
				err = r.in.UnreadByte()
			}
			return strings.TrimSpace(string(name)), err
		}
		name = append(name, b)
	}
}

// skipTo passes over a text, and what is before it.
func (r *xmlReader) skipTo(end string) error {
	_, err := r.upTo(end, false)
	return err
}

// upTo reads a text that ends with another, which is passed over.
func (r *xmlReader) upTo(end string, keep bool) (text []byte, err error) {
	for last := ""; last != end; {
		b, err := r.byte()
		if err != nil {
			return nil, err
		}
		if last += string([]byte{b}); len(last) > len(end) {
			last = last[1:]
		}
		if text = append(text, b); !keep {
			r.size--
			text = text[:0]
		}
	}
	return text[:max(0, len(text)-len(end))], nil
}

// bytesTo reads the text of a section whose bytes stand for themselves, and the tag behind it.
func (r *xmlReader) bytesTo(begin, end string) (row bool, err error) {
	_, _ = r.in.Discard(len(begin))
	text, err := r.upTo(end, true)
	if err != nil {
		return false, err
	}
	before := append([]byte(nil), r.text...)
	if err := r.readText(); err != nil {
		return false, err
	}
	r.text = append(append(before, text...), r.text...)
	return r.markup()
}
