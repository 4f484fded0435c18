package base

import (
	"fmt"
	"strconv"
)

// Shown is the value of a setting or a status as SHOW statements have it: booleans, which variables
// keep as int8, are words, NULL is empty, and other numbers than whole ones have six digits behind
// the point.
func Shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case int8:
		return Shown(v != 0)
	case bool:
		if v {
			return "ON"
		}
		return "OFF"
	case float64:
		return strconv.FormatFloat(v, 'f', 6, 64)
	}
	return fmt.Sprint(v)
}
