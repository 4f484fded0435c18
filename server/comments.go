package server

// Comments that are statements to some servers: /*!80013 ... */ is executed from version 8.0.13 on.

import (
	"bytes"
	"strings"
)

// forThisVersion makes plain comments of those for later versions, and blanks of what begins and ends the others: what stands in them is text like any other to
// all who read it afterwards. Every character keeps its place. An executable comment without an end stays, and is an error.
func forThisVersion(q string) string {
	if !strings.Contains(q, "/*!") {
		return q
	}
	out := []byte(q)
	var begun []int // executable comments without an end so far
	for i := 0; i < len(out); {
		switch rest := out[i:]; {
		case rest[0] == '\'' || rest[0] == '"' || rest[0] == '`':
			i += quotedLength(rest)
		case hasPrefix(rest, "/*!XTRA_"): // see warm.go
			i += lengthTo(rest, 2, "*/")
		case hasPrefix(rest, "/*!"):
			digits := 0
			for digits < 6 && 3+digits < len(rest) && rest[3+digits] >= '0' && rest[3+digits] <= '9' {
				digits++
			}
			if digits < 5 {
				digits = 0 // of a number in it
			}
			if digits > 0 && number(rest[3:3+digits]) > versionNumber {
				i += dropComment(rest)
				continue
			}
			blank(rest[:3+digits])
			begun = append(begun, i)
			i += 3 + digits
		case len(begun) > 0 && hasPrefix(rest, "*/"):
			blank(rest[:2])
			if at := begun[len(begun)-1]; len(bytes.TrimSpace(out[at:i])) == 0 { // a statement of comments is no empty one
				copy(out[at:], "/*")
				copy(rest, "*/")
			}
			begun = begun[:len(begun)-1]
			i += 2
		case hasPrefix(rest, "/*"):
			i += lengthTo(rest, 2, "*/")
		case rest[0] == '#' || hasPrefix(rest, "-- ") || hasPrefix(rest, "--\t") || hasPrefix(rest, "--\n"):
			i += lengthTo(rest, 1, "\n")
		default:
			i++
		}
	}
	for _, at := range begun {
		copy(out[at:], "/*!")
	}
	return string(out)
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

func number(digits []byte) (n int) {
	for _, c := range digits {
		n = 10*n + int(c-'0')
	}
	return n
}

func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

// dropComment makes the executable comment at the start of b a plain one, and returns its length. Those within it, which MySQL allows there, become blanks.
func dropComment(b []byte) int {
	b[2] = ' '
	for i, depth := 3, 1; i+1 < len(b); i++ {
		switch {
		case b[i] == '/' && b[i+1] == '*':
			depth++
		case b[i] == '*' && b[i+1] == '/':
			if depth--; depth == 0 {
				return i + 2
			}
		default:
			continue
		}
		blank(b[i : i+2])
		i++
	}
	return len(b)
}

// lengthTo is how far it is behind the next end from skip on; all of b if there is none.
func lengthTo(b []byte, skip int, end string) int {
	if i := bytes.Index(b[min(skip, len(b)):], []byte(end)); i >= 0 {
		return skip + i + len(end)
	}
	return len(b)
}

// quotedLength is the length of the quoted text at the start of b.
func quotedLength(b []byte) int {
	quote := b[0]
	for i := 1; i < len(b); i++ {
		switch {
		case b[i] == '\\' && quote != '`':
			i++
		case b[i] == quote && i+1 < len(b) && b[i+1] == quote:
			i++
		case b[i] == quote:
			return i + 1
		}
	}
	return len(b)
}
