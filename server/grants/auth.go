package grants

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"errors"

	"github.com/dolthub/vitess/go/mysql"
)

const (
	PluginNative = string(mysql.MysqlNativePassword)
	PluginSha2   = string(mysql.CachingSha2Password)
	pluginClear  = string(mysql.MysqlClearPassword)
	Sha2Fast     = 3
	Sha2Full     = 4
	Sha2AskKey   = 2
)

// Sha2Entries are by the stored hash: an account may have two passwords.
type Sha2Entries map[string][sha256.Size]byte

// DecoyHash is no account's.
const DecoyHash = "$A$005$abcdefghijklmnopqrstABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQ"

var errNoKey = errors.New("no key pair for the password exchange")

// DecryptPassword undoes RSA-OAEP and the XOR with the salt.
func DecryptPassword(key *rsa.PrivateKey, p, salt []byte) ([]byte, error) {
	if key == nil {
		return nil, errNoKey
	}
	plain, err := rsa.DecryptOAEP(sha1.New(), rand.Reader, key, p, nil)
	if err != nil {
		return nil, err
	}
	for i := range plain {
		plain[i] ^= salt[i%len(salt)]
	}
	return plain, nil
}

// MatchesSha2 hashes password the way stored was hashed and compares.
func MatchesSha2(stored string, password []byte) bool {
	digest, rounds, salt, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(stored))
	if err != nil || digest != "SHA256" {
		return false
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(string(password), salt, rounds)
	return err == nil && subtle.ConstantTimeCompare(hash, []byte(stored)) == 1
}
