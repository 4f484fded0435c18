package wire

import (
	"encoding/binary"
	"fmt"
)

// Types of parameters.
const (
	typeLongLong  = 0x08
	typeVarString = 0xfd
)

// Stmt is a prepared statement. Use: Begin, one of Int and Bytes for each parameter in order, Run.
//
//	COM_STMT_EXECUTE  17 | id 4 | flags 1 | iterations 4 | NULL bits | types follow 1 | [types 2 each] | values
//
// The types travel with the first execution only.
type Stmt struct {
	c      *Conn
	id     uint32
	params int
	types  []byte // of the parameters as bound last
	bound  bool   // the server knows the types
	values []byte
	given  int
}

// Prepare prepares a statement.
func (c *Conn) Prepare(text string) (*Stmt, error) {
	c.begin(comStmtPrepare)
	c.out = append(c.out, text...)
	if err := c.send(); err != nil {
		return nil, err
	}
	p, err := c.packet()
	if err != nil {
		return nil, err
	}
	if len(p) > 0 && p[0] == 0xff {
		return nil, c.serverError(p)
	}
	if len(p) < 9 {
		return nil, c.fail(errShort)
	}
	s := &Stmt{c: c, id: binary.LittleEndian.Uint32(p[1:]), params: int(binary.LittleEndian.Uint16(p[7:]))}
	columns := int(binary.LittleEndian.Uint16(p[5:]))
	s.types = make([]byte, 2*s.params)
	for _, n := range []int{s.params, columns} {
		if err := c.skipColumns(n); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Begin starts an execution.
func (s *Stmt) Begin() { s.values, s.given = s.values[:0], 0 }

// Int gives the next parameter a number.
func (s *Stmt) Int(v int64) {
	s.param(typeLongLong)
	s.values = binary.LittleEndian.AppendUint64(s.values, uint64(v))
}

// Bytes gives the next parameter a string.
func (s *Stmt) Bytes(v []byte) {
	s.param(typeVarString)
	s.values = append(appendLenenc(s.values, len(v)), v...)
}

func (s *Stmt) param(typ byte) {
	if s.given < s.params && s.types[2*s.given] != typ {
		s.types[2*s.given], s.bound = typ, false
	}
	s.given++
}

// Run executes with the parameters given since Begin.
func (s *Stmt) Run() (Result, error) {
	c := s.c
	if s.given != s.params {
		return Result{}, fmt.Errorf("%d parameters given, the statement has %d", s.given, s.params)
	}
	c.begin(comStmtExecute)
	c.out = binary.LittleEndian.AppendUint32(c.out, s.id)
	c.out = append(c.out, 0, 1, 0, 0, 0)
	if s.params > 0 {
		for range (s.params + 7) / 8 {
			c.out = append(c.out, 0)
		}
		if s.bound {
			c.out = append(c.out, 0)
		} else {
			c.out = append(c.out, 1)
			c.out = append(c.out, s.types...)
		}
		c.out = append(c.out, s.values...)
	}
	res, err := c.roundTrip()
	s.bound = s.bound || err == nil
	return res, err
}
