package base

import (
	"bytes"
	"testing"
)

func TestIsASCII(t *testing.T) {
	for n := range 20 {
		text := bytes.Repeat([]byte{0x7f}, n)
		if !IsASCII(text) {
			t.Errorf("%d bytes of ASCII are not", n)
		}
		for i := range text {
			text[i] = 0x80
			if IsASCII(text) {
				t.Errorf("byte %d of %d is not seen", i, n)
			}
			text[i] = 0
		}
	}
}
