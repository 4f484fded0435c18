package wire

import (
	"fmt"
	"strconv"
	"strings"
)

// Statement is a statement with parameters, prepared or not. Use: Begin, one of Int and Bytes for
// each parameter in order, Run.
type Statement interface {
	Begin()
	Int(v int64)
	Bytes(v []byte)
	Run() (Result, error)
}

// Text is a statement whose parameters are put into its text.
type Text struct {
	c      *Conn
	pieces []string // around the parameters
	buf    []byte
	given  int
}

// Text cuts the text at its question marks.
func (c *Conn) Text(text string) *Text { return &Text{c: c, pieces: strings.Split(text, "?")} }

// Begin starts an execution.
func (t *Text) Begin() { t.buf, t.given = append(t.buf[:0], t.pieces[0]...), 0 }

// Int writes a number.
func (t *Text) Int(v int64) {
	t.buf = strconv.AppendInt(t.buf, v, 10)
	t.next()
}

// Bytes writes a string literal.
func (t *Text) Bytes(v []byte) {
	t.buf = append(t.buf, '\'')
	for _, b := range v {
		if b == '\'' || b == '\\' {
			t.buf = append(t.buf, b) // doubled; the drivers' strings hold nothing else that needs care
		}
		t.buf = append(t.buf, b)
	}
	t.buf = append(t.buf, '\'')
	t.next()
}

func (t *Text) next() {
	if t.given++; t.given < len(t.pieces) {
		t.buf = append(t.buf, t.pieces[t.given]...)
	}
}

// Run sends the text.
func (t *Text) Run() (Result, error) {
	if t.given != len(t.pieces)-1 {
		return Result{}, fmt.Errorf("%d parameters given, the statement has %d", t.given, len(t.pieces)-1)
	}
	return t.c.Query(t.buf)
}
