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
	operand.Register(operand.NewNullScalar("aes_encrypt", 2, 6, types.LongBlob, encrypt), operand.NewNullScalar("aes_decrypt", 2, 6, types.LongBlob, decrypt))
}

// aesMode is block_encryption_mode with a key and an initialization vector.
type aesMode struct {
	way   string
	block cipher.Block
	iv    []byte
}

// newMode reads the mode, the key and the initialization vector of a call, whose text and key are
// not NULL.
func newMode(ctx *sql.Context, function string, args []any) (*aesMode, error) {
	v, err := ctx.GetSessionVariable(ctx, "block_encryption_mode")
	if err != nil {
		return nil, err
	}
	var bits int
	m := &aesMode{}
	name := strings.ToLower(fmt.Sprint(v))
	if _, err := fmt.Sscanf(strings.ReplaceAll(name, "-", " "), "aes %d %s", &bits, &m.way); err != nil {
		return nil, err
	}
	key, err := keyOf(ctx, function, args, bits/8)
	if err != nil {
		return nil, err
	}
	if m.block, err = aes.NewCipher(key); err != nil {
		return nil, err
	}
	return m, m.setVector(ctx, function, args)
}

// keyOf is the key of so many bytes: the second argument's bytes folded, or what the function of the
// fourth argument derives of them.
func keyOf(ctx *sql.Context, function string, args []any, size int) ([]byte, error) {
	text, err := bytesOf(ctx, args[1])
	if err != nil {
		return nil, err
	}
	if len(args) > 3 {
		return derivedKey(ctx, text, args[3:], size)
	}
	if len(text) > size && function == "aes_encrypt" {
		ctx.Warn(3237, "AES key size should be %d bytes length or secure KDF methods hkdf or pbkdf2_hmac should be used, please provide exact AES key size or use KDF methods for better security.", size)
	}
	key := make([]byte, size)
	for i, b := range text {
		key[i%len(key)] ^= b
	}
	return key, nil
}

// setVector takes the third argument, which ECB does not use.
func (m *aesMode) setVector(ctx *sql.Context, function string, args []any) error {
	if m.way == "ecb" {
		if len(args) == 3 {
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 1618, Message: "<IV> option ignored"})
		}
		return nil
	}
	if len(args) < 3 {
		return mysql.NewSQLError(1582, "42000", "Incorrect parameter count in the call to native function '%s'", function)
	}
	if args[2] != nil {
		var err error
		if m.iv, err = bytesOf(ctx, args[2]); err != nil {
			return err
		}
	}
	if len(m.iv) < aes.BlockSize {
		return mysql.NewSQLError(1882, "HY000", "The initialization vector supplied to %s is too short. Must be at least 16 bytes long", function)
	}
	m.iv = m.iv[:aes.BlockSize]
	return nil
}

// padded reports whether the mode takes whole blocks only.
func (m *aesMode) padded() bool { return m.way == "ecb" || m.way == "cbc" }

// stream gives the bytes of a mode that takes texts of any length.
func (m *aesMode) stream(b []byte, decrypting bool) []byte {
	switch m.way {
	case "cfb1":
		return m.feedBack(b, decrypting, 1)
	case "cfb8":
		return m.feedBack(b, decrypting, 8)
	case "cfb128":
		return m.feedBlocks(b, decrypting)
	}
	out := make([]byte, len(b)) // ofb
	state := bytes.Clone(m.iv)
	for i := range b {
		if i%aes.BlockSize == 0 {
			m.block.Encrypt(state, state)
		}
		out[i] = b[i] ^ state[i%aes.BlockSize]
	}
	return out
}

// feedBlocks is cipher feedback by whole blocks.
func (m *aesMode) feedBlocks(b []byte, decrypting bool) []byte {
	out := make([]byte, len(b))
	state := bytes.Clone(m.iv)
	for at := 0; at < len(b); at += aes.BlockSize {
		m.block.Encrypt(state, state)
		for i := at; i < min(at+aes.BlockSize, len(b)); i++ {
			out[i] = b[i] ^ state[i-at]
			if state[i-at] = out[i]; decrypting {
				state[i-at] = b[i]
			}
		}
	}
	return out
}

// feedBack is cipher feedback by 1 or 8 bits: the encrypted bits enter the state at its end.
func (m *aesMode) feedBack(b []byte, decrypting bool, bits int) []byte {
	out := make([]byte, len(b))
	state, mask := bytes.Clone(m.iv), make([]byte, aes.BlockSize)
	for at := 0; at < 8*len(b); at += bits {
		m.block.Encrypt(mask, state)
		down := 8 - bits - at%8
		given := b[at/8] >> down & (1<<bits - 1)
		made := given ^ mask[0]>>(8-bits)
		out[at/8] |= made << down
		if decrypting {
			made = given
		}
		shiftIn(state, made, bits)
	}
	return out
}

// shiftIn moves bytes by 1 or 8 bits towards their beginning and puts the bits at their end.
func shiftIn(state []byte, with byte, bits int) {
	for i := range state {
		next := with << (8 - bits)
		if i+1 < len(state) {
			next = state[i+1]
		}
		state[i] = byte(uint16(state[i])<<bits | uint16(next>>(8-bits)))
	}
}

// encrypt is AES_ENCRYPT(text, key [, iv [, kdf ...]]): blocks are padded as PKCS #7 has it.
func encrypt(ctx *sql.Context, args []any) (any, error) {
	if args[0] == nil || args[1] == nil {
		return nil, nil
	}
	m, err := newMode(ctx, "aes_encrypt", args)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(ctx, args[0])
	if err != nil {
		return nil, err
	}
	if !m.padded() {
		return m.stream(b, false), nil
	}
	pad := aes.BlockSize - len(b)%aes.BlockSize
	b = append(bytes.Clone(b), bytes.Repeat([]byte{byte(pad)}, pad)...)
	if m.way == "cbc" {
		cipher.NewCBCEncrypter(m.block, m.iv).CryptBlocks(b, b)
		return b, nil
	}
	for at := 0; at < len(b); at += aes.BlockSize {
		m.block.Encrypt(b[at:], b[at:])
	}
	return b, nil
}

// decrypt is AES_DECRYPT(bytes, key [, iv [, kdf ...]]): NULL of blocks that were not encrypted
// with this key.
func decrypt(ctx *sql.Context, args []any) (any, error) {
	if args[0] == nil || args[1] == nil {
		return nil, nil
	}
	m, err := newMode(ctx, "aes_decrypt", args)
	if err != nil {
		return nil, err
	}
	b, err := bytesOf(ctx, args[0])
	if err != nil {
		return nil, err
	}
	if !m.padded() {
		return m.stream(b, true), nil
	}
	if len(b) == 0 || len(b)%aes.BlockSize != 0 {
		return nil, nil
	}
	b = bytes.Clone(b)
	if m.way == "cbc" {
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
