package texts

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

func init() {
	operand.Register(operand.NewScalar("aes_encrypt", 2, 3, types.LongBlob, encrypt), operand.NewScalar("aes_decrypt", 2, 3, types.LongBlob, decrypt))
}

// aesMode is block_encryption_mode: ECB and CBC of keys of 128, 192 and 256 bits.
type aesMode struct {
	cbc   bool
	block cipher.Block
	iv    []byte
}

// newMode reads the mode, the key, whose bytes are folded into the mode's length, and the
// initialization vector of a call.
func newMode(ctx *sql.Context, function string, args []any) (*aesMode, error) {
	v, err := ctx.GetSessionVariable(ctx, "block_encryption_mode")
	if err != nil {
		return nil, err
	}
	var bits int
	var way string
	name := strings.ToLower(fmt.Sprint(v))
	if n, _ := fmt.Sscanf(strings.ReplaceAll(name, "-", " "), "aes %d %s", &bits, &way); n != 2 || bits != 128 && bits != 192 && bits != 256 || way != "ecb" && way != "cbc" {
		return nil, mysql.NewSQLError(1235, "42000", "This version of MySQL doesn't yet support 'block_encryption_mode=%s'", name)
	}
	text, err := bytesOf(ctx, args[1])
	if err != nil {
		return nil, err
	}
	key := make([]byte, bits/8)
	for i, b := range text {
		key[i%len(key)] ^= b
	}
	m := &aesMode{cbc: way == "cbc"}
	if m.block, err = aes.NewCipher(key); err != nil {
		return nil, err
	}
	switch {
	case m.cbc && len(args) < 3:
		return nil, mysql.NewSQLError(1582, "42000", "Incorrect parameter count in the call to native function '%s'", function)
	case m.cbc:
		if m.iv, err = bytesOf(ctx, args[2]); err != nil {
			return nil, err
		}
		if len(m.iv) < aes.BlockSize {
			return nil, mysql.NewSQLError(1882, "HY000", "The initialization vector supplied to %s is too short. Must be at least 16 bytes long", function)
		}
		m.iv = m.iv[:aes.BlockSize]
	case len(args) == 3:
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1618, Message: "<IV> option ignored"})
	}
	return m, nil
}

// encrypt is AES_ENCRYPT(text, key [, iv]): blocks padded as PKCS #7 has it.
func encrypt(ctx *sql.Context, args []any) (any, error) {
	m, err := newMode(ctx, "aes_encrypt", args)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(ctx, args[0])
	if err != nil {
		return nil, err
	}
	pad := aes.BlockSize - len(b)%aes.BlockSize
	b = append(bytes.Clone(b), bytes.Repeat([]byte{byte(pad)}, pad)...)
	if m.cbc {
		cipher.NewCBCEncrypter(m.block, m.iv).CryptBlocks(b, b)
		return b, nil
	}
	for at := 0; at < len(b); at += aes.BlockSize {
		m.block.Encrypt(b[at:], b[at:])
	}
	return b, nil
}

// decrypt is AES_DECRYPT(bytes, key [, iv]): NULL of what was not encrypted with this key.
func decrypt(ctx *sql.Context, args []any) (any, error) {
	m, err := newMode(ctx, "aes_decrypt", args)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(ctx, args[0])
	if err != nil || len(b) == 0 || len(b)%aes.BlockSize != 0 {
		return nil, err
	}
	b = bytes.Clone(b)
	if m.cbc {
		cipher.NewCBCDecrypter(m.block, m.iv).CryptBlocks(b, b)
	} else {
		for at := 0; at < len(b); at += aes.BlockSize {
			m.block.Decrypt(b[at:], b[at:])
		}
	}
	pad := int(b[len(b)-1])
	if pad == 0 || pad > aes.BlockSize || !bytes.HasSuffix(b, bytes.Repeat([]byte{byte(pad)}, pad)) {
		return nil, nil
	}
	return b[:len(b)-pad], nil
}

// bytesOf is a value as the bytes of its text.
func bytesOf(ctx *sql.Context, v any) ([]byte, error) {
	if b, ok := v.([]byte); ok {
		return b, nil
	}
	text, _, err := types.LongText.Convert(ctx, v)
	if err != nil {
		return nil, err
	}
	s, _, err := operand.TextOf(ctx, text)
	return []byte(s), err
}
