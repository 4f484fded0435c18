// Package locale knows the names of months and days, and the form of numbers, in MySQL's locales.
//
//	names.txt    the locales in MySQL's order, as generate.go asked a server for them
//	numbers.txt  12345678.5 as FORMAT writes it in each locale
package locale

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

//go:embed names.txt
var names string

// Locale has the names of months and days in one language, and how numbers are written.
type Locale struct {
	Name              string
	months, shortened []string // from January on
	days, shortDays   []string // from Monday on
	numbers           form
}

// all reads the locales when the first one but English is asked for.
var all = sync.OnceValue(func() (out []*Locale) {
	forms := readForms()
	for line := range strings.Lines(names) {
		l := read(strings.TrimSuffix(line, "\n"), out)
		l.numbers = forms[l.Name]
		out = append(out, l)
	}
	return out
})

// read reads a line: a name, and either its lists of names or the locale before it that has the same.
func read(line string, before []*Locale) *Locale {
	name, rest, _ := strings.Cut(line, "=")
	for _, l := range before {
		if l.Name == rest {
			same := *l
			same.Name = name
			return &same
		}
	}
	lists := strings.Split(rest, ";")
	return &Locale{Name: name, months: strings.Split(lists[0], ","), shortened: strings.Split(lists[1], ","),
		days: strings.Split(lists[2], ","), shortDays: strings.Split(lists[3], ",")}
}

// English is the locale en_US.
func English() *Locale { return all()[0] }

// Find returns the locale called name, in any case of its letters; nil if there is none.
func Find(name string) *Locale {
	for _, l := range all() {
		if strings.EqualFold(l.Name, name) {
			return l
		}
	}
	return nil
}

// At returns the locale with a number; nil if there is none.
func At(number int64) *Locale {
	if number < 0 || number >= int64(len(all())) {
		return nil
	}
	return all()[number]
}

// Number returns the number of the locale.
func (l *Locale) Number() int {
	for i, other := range all() {
		if other.Name == l.Name {
			return i
		}
	}
	return 0
}

// Month returns the name of a month.
func (l *Locale) Month(m time.Month) string { return l.months[m-1] }

// ShortMonth returns the short name of a month.
func (l *Locale) ShortMonth(m time.Month) string { return l.shortened[m-1] }

// Day returns the name of a day.
func (l *Locale) Day(d time.Weekday) string { return l.days[(d+6)%7] }

// ShortDay returns the short name of a day.
func (l *Locale) ShortDay(d time.Weekday) string { return l.shortDays[(d+6)%7] }

// LongestMonth returns the characters of the longest name of a month.
func (l *Locale) LongestMonth() uint32 { return longest(l.months) }

// LongestDay returns the characters of the longest name of a day.
func (l *Locale) LongestDay() uint32 { return longest(l.days) }

func longest(names []string) (n uint32) {
	for _, name := range names {
		n = max(n, uint32(utf8.RuneCountInString(name)))
	}
	return n
}
