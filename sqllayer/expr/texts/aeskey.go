package texts

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/sha512"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// Bounds of the options of functions that derive keys, in bytes and rounds.
const (
	optionBytes = 256
	roundsBytes = 6
	fewRounds   = 1000
	mostRounds  = 65535
)

// derivedKey is the key that a function makes of a text: hkdf [, salt [, info]], or
// pbkdf2_hmac [, salt [, rounds]], both with SHA-512.
func derivedKey(ctx *sql.Context, text []byte, kdf []any, size int) ([]byte, error) {
	options := make([][]byte, 3)
	for i, v := range kdf {
		most := optionBytes
		if i == 2 && string(options[0]) == "pbkdf2_hmac" {
			most = roundsBytes
		}
		var err error
		if options[i], err = kdfOption(ctx, v, most); err != nil {
			return nil, err
		}
		if name := string(options[0]); name != "hkdf" && name != "pbkdf2_hmac" {
			return nil, mysql.NewSQLError(3235, "HY000", "KDF method name is not valid. Please use hkdf or pbkdf2_hmac method name")
		}
	}
	if string(options[0]) == "hkdf" {
		return hkdf.Key(sha512.New, text, options[1], string(options[2]), size)
	}
	rounds := fewRounds
	if len(kdf) > 2 {
		if rounds = leadingNumber(string(options[2])); rounds < fewRounds || rounds > mostRounds {
			return nil, mysql.NewSQLError(3236, "HY000", "For KDF method pbkdf2_hmac iterations value less than 1000 or more than 65535 is not allowed due to security reasons. Please provide iterations >= 1000 and iterations < 65535")
		}
	}
	return pbkdf2.Key(sha512.New, string(text), options[1], rounds, size)
}

// kdfOption is an option as bytes, fewer than so many.
func kdfOption(ctx *sql.Context, v any, most int) ([]byte, error) {
	var b []byte
	if v != nil {
		var err error
		if b, err = bytesOf(ctx, v); err != nil {
			return nil, err
		}
	}
	if v == nil || len(b) >= most {
		return nil, mysql.NewSQLError(3238, "HY000", "KDF option size is invalid, please provide valid size < %d bytes and not NULL", most)
	}
	return b, nil
}

// leadingNumber is the number that a text begins with, 0 without one.
func leadingNumber(text string) int {
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end == 0 && (text[end] == '-' || text[end] == '+')) {
		end++
	}
	n, _ := strconv.Atoi(text[:end])
	return n
}
