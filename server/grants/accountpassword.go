package grants

import (
	"crypto/rand"
	"crypto/sha1"
	"encoding/hex"
	"math/big"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

// Retain keeps the password before as the second one, where the statement says so.
func (r *AccountRow) Retain(a *account.Auth, plugin, stored string) error {
	switch {
	case a.Retain && r.User.AuthString == "":
		return sqlerr.NewError(3878, "Empty password can not be retained as second password for user %s.", r.Name().Quoted())
	case a.Retain && stored == "":
		return sqlerr.NewError(3895, "Current password can not be retained for user %s because new password is empty.", r.Name().Quoted())
	case a.Retain && plugin != r.User.Plugin:
		return sqlerr.NewError(3894, "Current password can not be retained for user %s because authentication plugin is being changed.", r.Name().Quoted())
	case a.Retain:
		r.Policy.Second = r.User.AuthString
	case stored == "" || plugin != r.User.Plugin:
		r.Policy.Second = ""
	}
	return nil
}

// StoredMatches compares a password with a stored hash.
func StoredMatches(plugin, stored, password string) bool {
	switch {
	case stored == "" || password == "":
		return stored == password
	case plugin == PluginNative:
		return nativeHash(password) == stored
	}
	return MatchesSha2(stored, []byte(password))
}

// historyBounds are how many passwords, and for how many days, an account must not use again.
func (r *AccountRow) historyBounds() (count, days int) {
	count, days = GlobalNumber("password_history"), GlobalNumber("password_reuse_interval")
	if r.Policy.History != nil {
		count = *r.Policy.History
	}
	if r.Policy.ReuseDays != nil {
		days = *r.Policy.ReuseDays
	}
	return count, days
}

// CheckHistory refuses passwords that were used too lately. An empty one may be used again.
func (r *AccountRow) CheckHistory(a *account.Auth) error {
	if a.Kind != account.AuthBy || a.Password == "" {
		return nil
	}
	count, days := r.historyBounds()
	for i, u := range r.Policy.Used {
		if (i < count || days > 0 && time.Since(u.At) < time.Duration(days)*24*time.Hour) && StoredMatches(r.User.Plugin, u.Hash, a.Password) {
			return sqlerr.NewError(3638, "Cannot use these credentials for '%s@%s' because they contradict the password history policy", r.User.User, r.User.Host)
		}
	}
	return nil
}

// Remember adds a hash to the history, and forgets what no bound asks for.
func (r *AccountRow) Remember(stored string) {
	count, days := r.historyBounds()
	if stored == "" {
		return
	}
	if count == 0 && days == 0 {
		r.Policy.Used = nil
		return
	}
	used := append([]account.Used{{At: time.Now().UTC(), Hash: stored}}, r.Policy.Used...)
	r.Policy.Used = nil
	for i, u := range used {
		if i < count || days > 0 && time.Since(u.At) < time.Duration(days)*24*time.Hour {
			r.Policy.Used = append(r.Policy.Used, u)
		}
	}
}

// Credentials computes plugin and stored hash; current is the account's plugin.
func Credentials(a *account.Auth, current string) (plugin, stored string, err error) {
	if plugin = strings.ToLower(a.Plugin); plugin == "" {
		plugin = current
	}
	if plugin != PluginNative && plugin != PluginSha2 {
		return "", "", sqlerr.NewError(1524, "Plugin '%s' is not loaded", a.Plugin)
	}
	switch {
	case a.Kind == account.AuthAs:
		return plugin, a.Hash, checkHash(plugin, a.Hash)
	case a.Kind != account.AuthBy || a.Password == "":
		return plugin, "", nil
	case plugin == PluginNative:
		return plugin, nativeHash(a.Password), nil
	case len(a.Password) > MaxPassword:
		return "", "", sqlerr.NewError(1819, "Your password does not satisfy the current policy requirements")
	}
	stored, err = sha2Hash(a.Password)
	return plugin, stored, err
}

// sha2Rounds are how many thousands of rounds a hash takes.
const sha2Rounds = 5

// sha2Hash hashes a password with a salt of letters and digits, so that the hash needs no escapes
// where it is written.
func sha2Hash(password string) (string, error) {
	salt, err := RandomText(20, PasswordLetters[:62])
	if err != nil {
		return "", err
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(password, []byte(salt), sha2Rounds)
	return string(hash), err
}

// MaxPassword is the longest password, in bytes: hashing one is work that grows with it.
const MaxPassword = 256

func nativeHash(password string) string {
	once := sha1.Sum([]byte(password))
	twice := sha1.Sum(once[:])
	return "*" + strings.ToUpper(hex.EncodeToString(twice[:]))
}

// checkHash refuses a stored hash the plugin could never match.
func checkHash(plugin, hash string) error {
	if hash == "" {
		return nil
	}
	ok := len(hash) == 41 && hash[0] == '*'
	if plugin == PluginSha2 {
		_, _, _, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(hash))
		ok = len(hash) == 70 && err == nil
	}
	if !ok {
		return sqlerr.NewError(1827, "The password hash doesn't have the expected format.")
	}
	return nil
}

// GlobalNumber is the value of a system variable that is a number or a switch.
func GlobalNumber(name string) int {
	_, v, _ := sql.SystemVariables.GetGlobal(name)
	n, _, err := types.Int64.Convert(sql.NewEmptyContext(), v)
	if i, ok := n.(int64); ok && err == nil {
		return int(i)
	}
	return 0
}

const PasswordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,;:-._!@#%&/(){}[]<>+*"

// RandomText makes a text of n of these letters.
func RandomText(n int, letters string) (string, error) {
	b := make([]byte, n)
	for i := range b {
		at, err := rand.Int(rand.Reader, big.NewInt(int64(len(letters))))
		if err != nil {
			return "", err
		}
		b[i] = letters[at.Int64()]
	}
	return string(b), nil
}
