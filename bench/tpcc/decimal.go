package tpcc

import (
	"fmt"
	"strconv"
	"strings"
)

// Money is counted in cents everywhere in this package, so that sums are exact; DECIMAL columns
// travel as text.

// appendDecimal appends v / 10^places.
func appendDecimal(b []byte, v int64, places int) []byte {
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	s := strconv.FormatInt(v, 10)
	for len(s) <= places {
		s = "0" + s
	}
	b = append(b, s[:len(s)-places]...)
	if places == 0 {
		return b
	}
	return append(append(b, '.'), s[len(s)-places:]...)
}

func cents(v int64) string { return string(appendDecimal(nil, v, 2)) }

// money scans a DECIMAL column with two places; NULL (a SUM over nothing) is zero.
type money int64

// Scan implements sql.Scanner.
func (m *money) Scan(src any) error {
	var s string
	switch v := src.(type) {
	case nil:
		*m = 0
		return nil
	case []byte:
		s = string(v)
	case string:
		s = v
	case int64:
		*m = money(v * 100)
		return nil
	case float64:
		s = strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return fmt.Errorf("amount of type %T", src)
	}
	v, err := parseDecimal(s, 2)
	*m = money(v)
	return err
}

// parseDecimal reads a decimal number as an integer multiple of 10^-places. Further places must be
// zero.
func parseDecimal(s string, places int) (int64, error) {
	whole, frac, _ := strings.Cut(s, ".")
	rest := ""
	if len(frac) > places {
		frac, rest = frac[:places], frac[places:]
	}
	for len(frac) < places {
		frac += "0"
	}
	v, err := strconv.ParseInt(whole+frac, 10, 64)
	if err != nil || whole == "" || strings.Trim(rest, "0") != "" {
		return 0, fmt.Errorf("%q is no decimal number with %d places", s, places)
	}
	return v, nil
}
