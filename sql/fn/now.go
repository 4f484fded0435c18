package fn

import (
	"time"

	"emberdb/sql/types"
)

// clock is what a function tells of the statement's time.
type clock struct {
	kind types.Kind
	utc  bool
}

var clocks = map[string]clock{
	"now": {types.DateTime, false}, "current_timestamp": {types.DateTime, false}, "localtime": {types.DateTime, false}, "localtimestamp": {types.DateTime, false},
	"utc_timestamp": {types.DateTime, true}, "curdate": {types.Date, false}, "current_date": {types.Date, false}, "utc_date": {types.Date, true},
	"curtime": {types.Time, false}, "current_time": {types.Time, false}, "utc_time": {types.Time, true},
}

// now is NOW([digits]) and its kin.
func (s *Setting) now(c clock, args []Expr) (Expr, error) {
	at, digits := s.Clock, int64(0)
	if c.utc {
		at = s.UTC
	}
	if len(args) == 1 && c.kind != types.Date {
		var err error
		if digits, err = integer(args[0]); err != nil {
			return nil, err
		}
	} else if len(args) > 0 {
		return nil, Refuse(ByFunction, "a clock")
	}
	if at == 0 || digits < 0 || digits > 6 {
		return nil, Refuse(ByFunction, "a clock")
	}
	v := types.NewVec(c.kind, 1)
	m := types.Unpack(at)
	m.Micros -= m.Micros % int(types.Pow10(6-int(digits)))
	switch c.kind {
	case types.Date:
		v.I[0] = types.DateOnly(at)
		return NewConst(v, types.DateType(false)), nil
	case types.DateTime:
		v.I[0] = types.Pack(m)
		return NewConst(v, types.DateTimeType(uint8(digits), false)), nil
	}
	v.I[0] = int64((m.Hour*60+m.Minute)*60+m.Second)*1e6 + int64(m.Micros)
	t := types.Type{Kind: types.Time, Wire: types.WireTime, Length: 8, Scale: uint8(digits), Collation: types.Binary, Coerce: types.Numeric}
	if digits > 0 {
		t.Length += 1 + uint32(digits)
	}
	return NewConst(v, t), nil
}

// unixNow is UNIX_TIMESTAMP(): the statement's time in seconds.
func (s *Setting) unixNow() (Expr, error) {
	if s.UTC == 0 {
		return nil, Refuse(ByFunction, "a clock")
	}
	m, v := types.Unpack(s.UTC), types.NewVec(types.Int, 1)
	v.I[0] = time.Date(m.Year, time.Month(m.Month), m.Day, m.Hour, m.Minute, m.Second, 0, time.UTC).Unix()
	return NewConst(v, types.IntType(21, false)), nil
}
