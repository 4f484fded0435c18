package backup

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// damaged tells of bytes of a backup that are not what was written.
func damaged(object, format string, args ...any) error {
	return &base.CorruptError{File: object, Detail: fmt.Sprintf(format, args...)}
}

// sealer seals and opens the pieces of one set. It may be used concurrently.
type sealer struct {
	enc *zstd.Encoder
	dec *zstd.Decoder
	gcm cipher.AEAD // nil: not encrypted
}

// maxPiece bounds what a piece has before sealing.
const maxPiece = 64 << 20

const keySize = 32

func newSealer(key []byte) (*sealer, error) {
	s := &sealer{}
	var err error
	if s.enc, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false)); err != nil {
		return nil, err
	}
	if s.dec, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxPiece), zstd.WithDecoderConcurrency(0)); err != nil {
		return nil, err
	}
	if key == nil {
		return s, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	s.gcm, err = cipher.NewGCM(block)
	return s, err
}

// seal appends the sealed form of data to dst, compressed by zstd. identity is what open must be
// given again.
func (s *sealer) seal(dst, data, identity []byte) []byte {
	return s.encrypt(dst, s.enc.EncodeAll(data, nil), identity)
}

// encrypt appends the form of packed that is stored.
func (s *sealer) encrypt(dst, packed, identity []byte) []byte {
	if s.gcm == nil {
		return append(dst, packed...)
	}
	at := len(dst)
	dst = append(dst, make([]byte, s.gcm.NonceSize())...)
	_, _ = rand.Read(dst[at:]) // never fails
	return s.gcm.Seal(dst, dst[at:], packed, identity)
}

// open returns the data of what seal made, which has size bytes.
func (s *sealer) open(sealed, identity []byte, size int) ([]byte, error) {
	return s.unpack(sealed, identity, size, packedZstd)
}

// openPiece returns the data of a piece.
func (s *sealer) openPiece(sealed []byte, e *entry) ([]byte, error) {
	return s.unpack(sealed, e.identity(), int(e.size), e.codec)
}

func (s *sealer) unpack(sealed, identity []byte, size int, codec uint8) ([]byte, error) {
	if size > maxPiece {
		return nil, fmt.Errorf("a piece of %d bytes is longer than any", size)
	}
	packed, err := s.decrypt(sealed, identity)
	if err != nil {
		return nil, err
	}
	data, err := s.decompress(packed, size, codec)
	if err == nil && len(data) != size {
		err = fmt.Errorf("%d bytes where %d were written", len(data), size)
	}
	return data, err
}

func (s *sealer) decrypt(sealed, identity []byte) ([]byte, error) {
	if s.gcm == nil {
		return sealed, nil
	}
	n := s.gcm.NonceSize()
	if len(sealed) < n {
		return nil, fmt.Errorf("a sealed piece of %d bytes", len(sealed))
	}
	packed, err := s.gcm.Open(nil, sealed[:n], sealed[n:], identity)
	if err != nil {
		return nil, errors.New("the key does not open it, or its bytes were changed")
	}
	return packed, nil
}

func (s *sealer) decompress(packed []byte, size int, codec uint8) ([]byte, error) {
	switch codec {
	case packedNot:
		return packed, nil
	case packedS2:
		if n, err := s2.DecodedLen(packed); err != nil || n != size { // before memory is made for it
			return nil, fmt.Errorf("it does not begin as a piece of %d bytes does", size)
		}
		return s2.Decode(nil, packed)
	}
	return s.dec.DecodeAll(packed, make([]byte, 0, size))
}

// newKey makes the key of a set and its form for the recipients.
func newKey(recipients []age.Recipient) (key, wrapped []byte, err error) {
	key = make([]byte, keySize)
	_, _ = rand.Read(key) // never fails
	var out bytes.Buffer
	w, err := age.Encrypt(&out, recipients...)
	if err != nil {
		return nil, nil, err
	}
	if _, err := w.Write(key); err != nil {
		return nil, nil, err
	}
	err = w.Close()
	return key, out.Bytes(), err
}

// errNoIdentity says that an encrypted set was opened without a key.
var errNoIdentity = errors.New("the backup is encrypted; give the age identity that it was made for (--identity=FILE)")

// unwrapKey opens the key of a set.
func unwrapKey(wrapped []byte, identities []age.Identity) ([]byte, error) {
	if len(identities) == 0 {
		return nil, errNoIdentity
	}
	r, err := age.Decrypt(bytes.NewReader(wrapped), identities...)
	if err != nil {
		return nil, fmt.Errorf("the backup's key: %w", err)
	}
	key, err := io.ReadAll(io.LimitReader(r, keySize+1))
	if err == nil && len(key) != keySize {
		err = fmt.Errorf("the backup's key has %d bytes", len(key))
	}
	return key, err
}

// Recipients reads age recipients: each argument is one (age1...), or a file of them.
func Recipients(args []string) (out []age.Recipient, err error) {
	for _, a := range args {
		text := a
		if !strings.HasPrefix(a, "age1") {
			data, err := vfs.ReadFile(vfs.NewOS(nil), a)
			if err != nil {
				return nil, fmt.Errorf("recipients: %w", err)
			}
			text = string(data)
		}
		rs, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("recipients %s: %w", a, err)
		}
		out = append(out, rs...)
	}
	return out, nil
}

// IdentityEnv names the environment variable with the file of age identities.
const IdentityEnv = "EMBER_BACKUP_IDENTITY"

// Identities reads the age identities of a file; of that in the environment if no file is given.
func Identities(file string) ([]age.Identity, error) {
	if file == "" {
		if file = os.Getenv(IdentityEnv); file == "" {
			return nil, nil
		}
	}
	data, err := vfs.ReadFile(vfs.NewOS(nil), file)
	if err != nil {
		return nil, fmt.Errorf("identity: %w", err)
	}
	ids, err := age.ParseIdentities(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("identity %s: %w", file, err)
	}
	return ids, nil
}
