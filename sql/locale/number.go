package locale

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed numbers.txt
var numbers string

// form is how a locale writes numbers.
type form struct {
	point     string // before the fraction
	separator string // between groups of digits; "" if there are no groups
	group     int    // digits of a group; the last has lastGroup
}

// lastGroup is how many digits the last group before the point has.
const lastGroup = 3

// readForms reads the forms of all locales, by their names.
func readForms() map[string]form {
	forms := make(map[string]form)
	for line := range strings.Lines(numbers) {
		name, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		sample, err := strconv.Unquote(quoted)
		if err != nil {
			panic("numbers.txt: " + line)
		}
		forms[name] = readForm(sample)
	}
	return forms
}

// readForm takes 12345678.5 apart as a locale writes it.
func readForm(sample string) form {
	before, behind, _ := strings.Cut(sample, "678")
	f := form{point: strings.TrimSuffix(behind, "5")}
	groups := strings.FieldsFunc(before, func(r rune) bool { return r < '0' || r > '9' })
	last := groups[len(groups)-1]
	if f.separator = before[strings.LastIndex(before, last)+len(last):]; f.separator != "" {
		f.group = len(last)
	}
	return f
}

// FormatNumber writes a number of digits, perhaps with a minus and a point, in the form of the locale.
func (l *Locale) FormatNumber(digits string) string {
	f := l.numbers
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, has := strings.Cut(digits, ".")
	if f.separator != "" {
		for at := len(whole) - lastGroup; at > 0; at -= f.group {
			whole = whole[:at] + f.separator + whole[at:]
		}
	}
	if has {
		whole += f.point + fraction
	}
	if negative {
		return "-" + whole
	}
	return whole
}
