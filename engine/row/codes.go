package row

import (
	"encoding/json"
	"errors"
)

// Codes tells how keys hold the texts of a column: what stands for the weights. On disk in
// definitions; fixed.
type Codes uint8

const (
	LongCodes  Codes = iota // AppendWeights of the collation, character by character
	ShortCodes              // AppendShort, character by character
	WholeCodes              // Whole, text by text
)

var codesNames = [...]string{"long", "short", "whole"}

func (c Codes) String() string { return codesNames[c] }

// MarshalJSON implements json.Marshaler. ShortCodes are true, as they were when there were two kinds.
func (c Codes) MarshalJSON() ([]byte, error) {
	if c == ShortCodes {
		return []byte("true"), nil
	}
	return json.Marshal(uint8(c))
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Codes) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "true":
		*c = ShortCodes
		return nil
	case "false", "0":
		*c = LongCodes
		return nil
	case "2":
		*c = WholeCodes
		return nil
	}
	return errors.New("row: unknown codes of keys: " + string(b))
}

// WholeCode codes texts whose weights do not follow one another as characters do: some characters
// weigh nothing or as much as several, some weigh otherwise together, and what differs in accents
// alone is compared behind all that differs more. On disk in keys; fixed.
//
// No code is a proper prefix of another. None holds a zero byte, but a zero byte with 0xFF behind it
// stands between levels.
type WholeCode interface {
	// AppendText appends the key of a text without its end. Under PAD SPACE trailing spaces are cut
	// and the code of one is appended; one that comes before what sorts below it has 0x00 0x00 behind
	// it.
	AppendText(dst, s []byte) []byte
	// AppendWeights appends the codes of a text as it is: those of equal characters are the same.
	AppendWeights(dst, s []byte) []byte
	// AppendBeginning appends the codes with which those of all texts that begin like s do.
	AppendBeginning(dst, s []byte) []byte
}
