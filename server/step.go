package server

// Statements of stored programs that package compiled runs. Their rows are read back from the
// packets in which it writes them, as text.

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/compiled"
	"emberdb/server/resultset"
	"emberdb/server/wire"
	"emberdb/server/wireparam"
	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
)

// compiledStep is a statement of a program of one session.
type compiledStep struct {
	program  *compiled.Program
	exec     compiled.Exec
	out      compiled.Out
	params   []compiled.Param
	schema   sql.Schema
	rows     []sql.Row
	skip     int    // packets that describe the columns
	version  uint64 // of the session's variables when they were looked at
	usable   bool
	logsText bool
}

// newStep makes a step; nil: package compiled does not know the statement.
func (s *Server) newStep(ctx *sql.Context, session *sqllayer.Session, of *programs.StepSource) sqllayer.Step {
	src := &compiled.Source{Session: session, Database: of.Database, Tree: of.Tree}
	if !types.IsOkResultSchema(of.Schema) {
		for _, c := range of.Schema {
			if !stepType(c.Type) {
				return nil
			}
		}
		src.Fields = resultset.Fields(ctx, of.Schema, of.Columns)
	}
	p, _ := compiled.Compile(ctx.Context, src)
	if p == nil {
		return nil
	}
	st := &compiledStep{program: p, schema: of.Schema}
	st.out.DeprecateEOF = true
	st.out.Flush = func(packets []byte) error {
		err := st.read(ctx, packets)
		st.out.Sent = false // the rows are here: the statement may still be undone
		return err
	}
	return st
}

// stepType tells types whose values are read from texts.
func stepType(t sql.Type) bool {
	switch {
	case types.IsYear(t), types.IsBit(t), types.IsTimestampType(t), types.IsEnum(t), types.IsSet(t), types.IsJSON(t), types.IsGeometry(t):
		return false
	}
	return true
}

// Writes implements sqllayer.Step.
func (st *compiledStep) Writes() bool { return st.program.Writes() }

// settled looks at the session's settings; false if they are none that programs know.
func (st *compiledStep) settled(s *sqllayer.Session) bool {
	if v := s.VariablesVersion(); v != st.version {
		st.version = v
		st.usable = s.Flag("ember_compiled_statements") && usualMode(s.Text("sql_mode")) && usualLimits(s)
		for _, name := range []string{"character_set_client", "character_set_connection", "character_set_results"} {
			st.usable = st.usable && asciiCharset(s.Text(name))
		}
		st.logsText = s.LogsText()
	}
	return st.usable && !(st.logsText && st.program.Writes())
}

// Run implements sqllayer.Step.
func (st *compiledStep) Run(ctx *sql.Context, s *sqllayer.Session, values []programs.StepValue) (r programs.StepResult, end programs.StepEnd, err error) {
	p := st.program
	if !st.settled(s) || !st.bind(values) || !sqllayer.MayRun(ctx, p.Privileges()) {
		return r, programs.StepOther, nil
	}
	st.rows, st.skip = nil, 0
	if p.Rows() {
		st.skip = 1 + len(st.schema)
	}
	st.out.Reset()
	why, err := st.exec.Run(s.Patient(ctx.Context), ctx, s, p, st.params, nil, &st.out)
	switch {
	case why == compiled.ByChange:
		return r, programs.StepStale, nil
	case why != compiled.Mine:
		return r, programs.StepOther, nil
	}
	res := &st.exec.Result
	r.Generated = res.GeneratedID
	if err != nil {
		return r, programs.StepDone, err
	}
	if err := st.out.Finish(); err != nil {
		return r, programs.StepDone, err
	}
	r.Rows, r.Affected, st.rows = st.rows, res.Affected, nil
	found := ctx.Client().Capabilities&clientFoundRows != 0
	switch p.Com() {
	case "update":
		if r.Affected = res.Changed; found {
			r.Affected = res.Matched
		}
	case "insert", "replace":
		if found {
			r.Affected += res.Matched
		}
	}
	return r, programs.StepDone, nil
}

const clientFoundRows = 2 // of the capabilities

// bind makes parameters of values; false if one of them has none.
func (st *compiledStep) bind(values []programs.StepValue) bool {
	st.params = st.params[:0]
	for i := range values {
		p, ok := stepParam(&values[i])
		if !ok {
			return false
		}
		st.params = append(st.params, p)
	}
	return true
}

func stepParam(v *programs.StepValue) (p compiled.Param, ok bool) {
	number := func(n int64) (compiled.Param, bool) {
		return compiled.Param{Kind: compiled.KindInt, N: uint64(n)}, true
	}
	switch n := v.Value.(type) {
	case nil:
		return p, true
	case bool:
		if n {
			return number(1)
		}
		return number(0)
	case int8:
		return number(int64(n))
	case int16:
		return number(int64(n))
	case int32:
		return number(int64(n))
	case int64:
		return number(n)
	case uint8:
		return number(int64(n))
	case uint16:
		return number(int64(n))
	case uint32:
		return number(int64(n))
	case uint64:
		if n <= math.MaxInt64 {
			return number(int64(n))
		}
		return compiled.Param{Kind: compiled.KindUint, N: n}, true
	case float64:
		return compiled.Param{Kind: compiled.KindFloat, N: math.Float64bits(n)}, true
	case *apd.Decimal:
		text := n.Text('f')
		return compiled.Param{Kind: compiled.KindDecimal, B: []byte(text)}, text[0] != '-' && len(text) <= wireparam.MaxUsualDecimal
	case string:
		return compiled.Param{Kind: compiled.KindString, B: []byte(n)}, types.IsText(v.Type) && !types.IsBinaryType(v.Type)
	case []byte:
		return compiled.Param{Kind: compiled.KindBytes, B: n}, types.IsBinaryType(v.Type)
	case time.Time:
		return timeParam(v.Type, n)
	}
	return p, false
}

// timeParam is a date, with a time of day where its type has one.
func timeParam(t sql.Type, at time.Time) (p compiled.Param, ok bool) {
	layout := time.DateTime
	switch {
	case types.IsDateType(t):
		layout = time.DateOnly
	case at.Nanosecond() != 0:
		layout += ".000000"
	}
	return compiled.Param{Kind: compiled.KindTime, B: at.AppendFormat(nil, layout)}, types.IsTime(t) && at.Year() >= 1000 && at.Year() <= 9999
}

var errStepPacket = errors.New("a row of a statement in a program cannot be read")

// read takes rows out of packets.
func (st *compiledStep) read(ctx *sql.Context, packets []byte) error {
	for len(packets) > 0 {
		if len(packets) < wire.HeaderSize {
			return errStepPacket
		}
		n := int(binary.LittleEndian.Uint32(packets) & 0xFFFFFF)
		if packets = packets[wire.HeaderSize:]; n > len(packets) {
			return errStepPacket
		}
		if st.skip > 0 {
			st.skip--
		} else {
			row, err := st.row(ctx, packets[:n])
			if err != nil {
				return err
			}
			st.rows = append(st.rows, row)
		}
		packets = packets[n:]
	}
	return nil
}

// row reads the values of a row.
func (st *compiledStep) row(ctx *sql.Context, p []byte) (sql.Row, error) {
	row := make(sql.Row, len(st.schema))
	for i, c := range st.schema {
		text, rest, null, ok := lengthText(p)
		if p = rest; !ok {
			return nil, errStepPacket
		}
		if null {
			continue
		}
		v, err := stepRead(ctx, c.Type, text)
		if err != nil {
			return nil, err
		}
		row[i] = v
	}
	return row, nil
}

// lengthText reads a text behind its length.
func lengthText(p []byte) (text, rest []byte, null, ok bool) {
	if len(p) == 0 {
		return nil, nil, false, false
	}
	n, head := uint64(p[0]), 1
	switch p[0] {
	case 0xFB:
		return nil, p[1:], true, true
	case 0xFC:
		head = 3
	case 0xFD:
		head = 4
	case 0xFE:
		head = 9
	}
	if len(p) < head {
		return nil, nil, false, false
	}
	if head > 1 {
		var b [8]byte
		copy(b[:], p[1:head])
		n = binary.LittleEndian.Uint64(b[:])
	}
	if p = p[head:]; n > uint64(len(p)) {
		return nil, nil, false, false
	}
	return p[:n], p[n:], false, true
}

// stepRead is the value that a text stands for.
func stepRead(ctx *sql.Context, t sql.Type, text []byte) (any, error) {
	switch {
	case types.IsSigned(t):
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return nil, err
		}
		if t.Type() == types.Int64.Type() {
			return n, nil
		}
		v, _, err := t.Convert(ctx, n)
		return v, err
	case types.IsBinaryType(t):
		return append([]byte(nil), text...), nil
	case types.IsText(t):
		return string(text), nil
	}
	v, _, err := t.Convert(ctx, string(text))
	return v, err
}
