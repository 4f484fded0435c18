package options

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"emberdb/internal/base"
)

// Parse converts text to the definition's value: bool, int64, float64 or string.
func (d *Def) Parse(text string) (any, error) {
	switch d.Kind {
	case Bool:
		return parseBool(text)
	case Int:
		v, err := parseSize(text)
		if err != nil {
			return nil, err
		}
		return d.bounded(v)
	case Float:
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q is not a number", text)
		}
		if v < float64(d.Min) || v > float64(d.Max) {
			return nil, fmt.Errorf("%v is outside %d..%d", v, d.Min, d.Max)
		}
		return v, nil
	case Enum:
		return d.parseEnum(text)
	case Set:
		return d.parseSet(text)
	}
	if d.Values != nil {
		return d.oneOf(text)
	}
	return text, nil
}

// bounded checks v against Min and Max and rounds it down to Step.
func (d *Def) bounded(v int64) (any, error) {
	if v < d.Min || v > d.Max {
		return nil, fmt.Errorf("%d is outside %d..%d", v, d.Min, d.Max)
	}
	if d.Step > 0 && v > d.Min {
		v -= v % d.Step
	}
	return v, nil
}

func parseBool(text string) (any, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "on", "true", "yes":
		return true, nil
	case "0", "off", "false", "no":
		return false, nil
	}
	return nil, fmt.Errorf("%q is not a boolean (ON or OFF)", text)
}

// parseSize reads a decimal integer with an optional suffix K, M, G, T, P or E (powers of 1024).
func parseSize(text string) (int64, error) {
	s := strings.TrimSpace(text)
	shift := 0
	if n := len(s); n > 0 {
		if i := strings.IndexByte("KMGTPE", s[n-1]&^0x20); i >= 0 {
			shift, s = 10*(i+1), s[:n-1]
		}
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not an integer (an optional suffix K, M, G or T multiplies by 1024)", text)
	}
	if r := v << shift; r>>shift == v {
		return r, nil
	}
	return 0, fmt.Errorf("%q is too large", text)
}

func (d *Def) parseEnum(text string) (any, error) {
	if i, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && i >= 0 && i < len(d.Values) {
		return d.Values[i], nil
	}
	return d.oneOf(text)
}

func (d *Def) oneOf(text string) (any, error) {
	for _, v := range d.Values {
		if strings.EqualFold(v, strings.TrimSpace(text)) {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%q is not one of %s", text, strings.Join(d.Values, ", "))
}

func (d *Def) parseSet(text string) (any, error) {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		v, err := d.parseEnum(part)
		if err != nil {
			return nil, err
		}
		out = append(out, v.(string))
	}
	return strings.Join(out, ","), nil
}

// Format prints a value the way SHOW VARIABLES does.
func (d *Def) Format(v any) string { return base.Shown(v) }
