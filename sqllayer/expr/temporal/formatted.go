package temporal

import (
	"strconv"
	"strings"
	"time"

	own "emberdb/sql/types"
)

// formatted is what a format of STR_TO_DATE finds in a text, of which rest is left.
type formatted struct {
	rest                         string
	year, month, day, yearDay    int
	hour, minute, second, micros int
	twelve, afternoon            bool // hours of half a day, its second half
}

// read goes along the format to its end or to that of the text. Spaces between what is read are no
// matter.
func (f *formatted) read(format string) bool {
	for i := 0; i < len(format); i++ {
		if f.rest = strings.TrimLeft(f.rest, " \t\n\r\v\f"); f.rest == "" {
			return true
		}
		switch c := format[i]; {
		case c == '%' && i+1 < len(format):
			i++
			if !f.conversion(format[i]) {
				return false
			}
		case c == ' ':
		case f.rest[0] != c:
			return false
		default:
			f.rest = f.rest[1:]
		}
	}
	return true
}

// conversion reads what stands for a letter of the format. Those of weeks are not known.
func (f *formatted) conversion(letter byte) bool {
	switch letter {
	case 'Y':
		before := len(f.rest)
		if !f.number(&f.year, 4) {
			return false
		}
		if before-len(f.rest) <= 2 {
			f.year = own.FullYear(f.year)
		}
		return true
	case 'y':
		ok := f.number(&f.year, 2)
		f.year = own.FullYear(f.year)
		return ok
	case 'm', 'c':
		return f.number(&f.month, 2)
	case 'd', 'e':
		return f.number(&f.day, 2)
	case 'D':
		ok := f.number(&f.day, 2)
		f.rest = f.rest[min(len(f.rest), 2):]
		return ok
	case 'j':
		return f.number(&f.yearDay, 3)
	case 'M', 'b':
		return f.name(&f.month, 12, letter == 'b', func(n int) string { return time.Month(n).String() })
	case 'W', 'a':
		var day int
		return f.name(&day, 7, letter == 'a', func(n int) string { return time.Weekday(n % 7).String() })
	case 'w':
		var day int
		return f.number(&day, 1) && day < 7
	}
	return f.clock(letter)
}

// clock is conversion of the letters of the time of day, and of those that pass over something.
func (f *formatted) clock(letter byte) bool {
	switch letter {
	case 'H', 'k':
		return f.number(&f.hour, 2)
	case 'h', 'I', 'l':
		f.twelve = true
		return f.number(&f.hour, 2)
	case 'i':
		return f.number(&f.minute, 2)
	case 's', 'S':
		return f.number(&f.second, 2)
	case 'f':
		before := f.rest
		ok := f.number(&f.micros, 6)
		for range 6 - (len(before) - len(f.rest)) {
			f.micros *= 10
		}
		return ok
	case 'p':
		half := strings.ToUpper(f.rest[:min(len(f.rest), 2)])
		f.afternoon, f.rest = half == "PM", f.rest[len(half):]
		return f.twelve && (half == "AM" || half == "PM")
	case 'r':
		return f.read("%I:%i:%S %p")
	case 'T':
		return f.read("%H:%i:%S")
	case '.':
		f.rest = strings.TrimLeft(f.rest, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
	case '@':
		f.rest = strings.TrimLeftFunc(f.rest, func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' })
	case '#':
		f.rest = strings.TrimLeft(f.rest, "0123456789")
	default:
		return false
	}
	return true
}

// number reads up to so many digits.
func (f *formatted) number(n *int, most int) (ok bool) {
	length := 0
	for length < min(most, len(f.rest)) && f.rest[length] >= '0' && f.rest[length] <= '9' {
		length++
	}
	*n, _ = strconv.Atoi(f.rest[:length])
	f.rest = f.rest[length:]
	return length > 0
}

// name reads one of the names from 1 to most, or the three letters that it begins with.
func (f *formatted) name(n *int, most int, short bool, of func(int) string) bool {
	for i := 1; i <= most; i++ {
		name := of(i)
		if short {
			name = name[:3]
		}
		if len(f.rest) >= len(name) && strings.EqualFold(f.rest[:len(name)], name) {
			*n, f.rest = i, f.rest[len(name):]
			return true
		}
	}
	return false
}

// settle makes a time of the parts: the day of the year, the half of the day. It is false for parts that there are none of.
func (f *formatted) settle() bool {
	if f.twelve {
		if f.hour < 1 || f.hour > 12 {
			return false
		}
		f.hour %= 12
		if f.afternoon {
			f.hour += 12
		}
	}
	if f.yearDay > 0 {
		at := time.Date(f.year, 1, f.yearDay, 0, 0, 0, 0, time.UTC)
		f.year, f.month, f.day = at.Year(), int(at.Month()), at.Day()
	}
	return f.month <= 12 && f.day <= 31 && f.hour <= 23 && f.minute <= 59 && f.second <= 59
}
