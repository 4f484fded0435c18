package token

// The functions of this file return the length of the multi-byte character at the front of a text
// in one character set, or 0 when there is none: an ASCII character, a byte that starts no
// character, or a broken sequence.

func in(c, first, last byte) bool { return first <= c && c <= last }

func continues(s string, n int) bool {
	if len(s) < n {
		return false
	}
	for i := 1; i < n; i++ {
		if !in(s[i], 0x80, 0xbf) {
			return false
		}
	}
	return true
}

func utf8mb4Length(s string) int {
	if s != "" && in(s[0], 0xf0, 0xf4) && continues(s, 4) &&
		!(s[0] == 0xf0 && s[1] < 0x90) && !(s[0] == 0xf4 && s[1] > 0x8f) {
		return 4
	}
	return utf8mb3Length(s)
}

func utf8mb3Length(s string) int {
	switch {
	case s == "":
	case in(s[0], 0xc2, 0xdf) && continues(s, 2):
		return 2
	case in(s[0], 0xe0, 0xef) && continues(s, 3) && !(s[0] == 0xe0 && s[1] < 0xa0) && !(s[0] == 0xed && s[1] > 0x9f):
		return 3
	}
	return 0
}

func big5Length(s string) int {
	if len(s) > 1 && in(s[0], 0xa1, 0xf9) && (in(s[1], 0x40, 0x7e) || in(s[1], 0xa1, 0xfe)) {
		return 2
	}
	return 0
}

func sjisLength(s string) int {
	if len(s) > 1 && (in(s[0], 0x81, 0x9f) || in(s[0], 0xe0, 0xfc)) && (in(s[1], 0x40, 0x7e) || in(s[1], 0x80, 0xfc)) {
		return 2
	}
	return 0
}

func euckrLength(s string) int {
	if len(s) > 1 && in(s[0], 0x81, 0xfe) && (in(s[1], 0x41, 0x5a) || in(s[1], 0x61, 0x7a) || in(s[1], 0x81, 0xfe)) {
		return 2
	}
	return 0
}

func gb2312Length(s string) int {
	if len(s) > 1 && in(s[0], 0xa1, 0xf7) && in(s[1], 0xa1, 0xfe) {
		return 2
	}
	return 0
}

func gbkLength(s string) int {
	if len(s) > 1 && in(s[0], 0x81, 0xfe) && (in(s[1], 0x40, 0x7e) || in(s[1], 0x80, 0xfe)) {
		return 2
	}
	return 0
}

func gb18030Length(s string) int {
	if len(s) > 3 && in(s[0], 0x81, 0xfe) && in(s[1], 0x30, 0x39) && in(s[2], 0x81, 0xfe) && in(s[3], 0x30, 0x39) {
		return 4
	}
	return gbkLength(s)
}

func ujisLength(s string) int {
	switch {
	case len(s) > 2 && s[0] == 0x8f && in(s[1], 0xa1, 0xfe) && in(s[2], 0xa1, 0xfe):
		return 3
	case len(s) > 1 && s[0] == 0x8e && in(s[1], 0xa0, 0xdf):
		return 2
	case len(s) > 1 && in(s[0], 0xa1, 0xfe) && in(s[1], 0xa1, 0xfe):
		return 2
	}
	return 0
}
