package server

// Passwords of accounts: hashes, the password before, those used earlier, and random ones.

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
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

// setCredentials gives an account what an IDENTIFIED clause says.
func (x *execution) setCredentials(r *accountRow, a *account.Auth, random *randomPasswords) error {
	if a == nil {
		return nil
	}
	if a.Kind == account.AuthDiscard {
		r.policy.Second = ""
		return nil
	}
	if a.Kind == account.AuthRandom {
		password, err := x.randomPassword()
		if err != nil {
			return err
		}
		a.Kind, a.Password = account.AuthBy, password
		random.add(r.name(), password)
	}
	if err := r.checkHistory(a); err != nil {
		return err
	}
	plugin, stored, err := credentials(a, r.user.Plugin)
	if err != nil {
		return err
	}
	if err := r.retain(a, plugin, stored); err != nil {
		return err
	}
	r.user.Plugin, r.user.AuthString = plugin, stored
	r.passwordChanged()
	r.remember(stored)
	return nil
}

// retain keeps the password before as the second one, where the statement says so.
func (r *accountRow) retain(a *account.Auth, plugin, stored string) error {
	switch {
	case a.Retain && r.user.AuthString == "":
		return sqlerr.NewError(3878, "Empty password can not be retained as second password for user %s.", r.name().Quoted())
	case a.Retain && stored == "":
		return sqlerr.NewError(3895, "Current password can not be retained for user %s because new password is empty.", r.name().Quoted())
	case a.Retain && plugin != r.user.Plugin:
		return sqlerr.NewError(3894, "Current password can not be retained for user %s because authentication plugin is being changed.", r.name().Quoted())
	case a.Retain:
		r.policy.Second = r.user.AuthString
	case stored == "" || plugin != r.user.Plugin:
		r.policy.Second = ""
	}
	return nil
}

// checkCurrent compares the REPLACE clause with the password before, and misses it where the
// account needs one.
func (x *execution) checkCurrent(me caller, r *accountRow, a *account.Auth) error {
	own := r.name() == me.Name
	if a.Replace == nil {
		required := globalNumber("password_require_current") != 0
		if r.policy.RequireCurrent != nil {
			required = *r.policy.RequireCurrent != 0
		}
		if own && required && me.may(account.Update) != nil && r.user.AuthString != "" {
			return sqlerr.NewError(3892, "Current password needs to be specified in the REPLACE clause in order to change it.")
		}
		return nil
	}
	if !own {
		return sqlerr.NewError(3893, "Do not specify the current password while changing it for other users.")
	}
	if !storedMatches(r.user.Plugin, r.user.AuthString, *a.Replace) {
		return sqlerr.NewError(3891, "Incorrect current password. Specify the correct password which has to be replaced.")
	}
	return nil
}

// storedMatches compares a password with a stored hash.
func storedMatches(plugin, stored, password string) bool {
	switch {
	case stored == "" || password == "":
		return stored == password
	case plugin == pluginNative:
		return nativeHash(password) == stored
	}
	return matchesSha2(stored, []byte(password))
}

// historyBounds are how many passwords, and for how many days, an account must not use again.
func (r *accountRow) historyBounds() (count, days int) {
	count, days = globalNumber("password_history"), globalNumber("password_reuse_interval")
	if r.policy.History != nil {
		count = *r.policy.History
	}
	if r.policy.ReuseDays != nil {
		days = *r.policy.ReuseDays
	}
	return count, days
}

// checkHistory refuses passwords that were used too lately. An empty one may be used again.
func (r *accountRow) checkHistory(a *account.Auth) error {
	if a.Kind != account.AuthBy || a.Password == "" {
		return nil
	}
	count, days := r.historyBounds()
	for i, u := range r.policy.Used {
		if (i < count || days > 0 && time.Since(u.At) < time.Duration(days)*24*time.Hour) && storedMatches(r.user.Plugin, u.Hash, a.Password) {
			return sqlerr.NewError(3638, "Cannot use these credentials for '%s@%s' because they contradict the password history policy", r.user.User, r.user.Host)
		}
	}
	return nil
}

// remember adds a hash to the history, and forgets what no bound asks for.
func (r *accountRow) remember(stored string) {
	count, days := r.historyBounds()
	if stored == "" {
		return
	}
	if count == 0 && days == 0 {
		r.policy.Used = nil
		return
	}
	used := append([]account.Used{{At: time.Now().UTC(), Hash: stored}}, r.policy.Used...)
	r.policy.Used = nil
	for i, u := range used {
		if i < count || days > 0 && time.Since(u.At) < time.Duration(days)*24*time.Hour {
			r.policy.Used = append(r.policy.Used, u)
		}
	}
}

// credentials computes plugin and stored hash; current is the account's plugin.
func credentials(a *account.Auth, current string) (plugin, stored string, err error) {
	if plugin = strings.ToLower(a.Plugin); plugin == "" {
		plugin = current
	}
	if plugin != pluginNative && plugin != pluginSha2 {
		return "", "", sqlerr.NewError(1524, "Plugin '%s' is not loaded", a.Plugin)
	}
	switch {
	case a.Kind == account.AuthAs:
		return plugin, a.Hash, checkHash(plugin, a.Hash)
	case a.Kind != account.AuthBy || a.Password == "":
		return plugin, "", nil
	case plugin == pluginNative:
		return plugin, nativeHash(a.Password), nil
	case len(a.Password) > maxPassword:
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
	salt, err := randomText(20, passwordLetters[:62])
	if err != nil {
		return "", err
	}
	hash, err := mysql.SerializeCachingSha2PasswordAuthString(password, []byte(salt), sha2Rounds)
	return string(hash), err
}

// maxPassword is the longest password, in bytes: hashing one is work that grows with it.
const maxPassword = 256

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
	if plugin == pluginSha2 {
		_, _, _, _, err := mysql.DeserializeCachingSha2PasswordAuthString([]byte(hash))
		ok = len(hash) == 70 && err == nil
	}
	if !ok {
		return sqlerr.NewError(1827, "The password hash doesn't have the expected format.")
	}
	return nil
}

// globalNumber is the value of a system variable that is a number or a switch.
func globalNumber(name string) int {
	_, v, _ := sql.SystemVariables.GetGlobal(name)
	n, _, err := types.Int64.Convert(sql.NewEmptyContext(), v)
	if i, ok := n.(int64); ok && err == nil {
		return int(i)
	}
	return 0
}

// randomPasswords are those that a statement has made, for its result.
type randomPasswords struct{ rows [][]any }

func (r *randomPasswords) add(n account.Name, password string) {
	r.rows = append(r.rows, []any{n.User, n.Host, password, 1})
}

// send answers with them, if there are any.
func (r *randomPasswords) send(x *execution, ctx *sql.Context) error {
	if len(r.rows) == 0 {
		return nil
	}
	return x.table(ctx, []column{{name: "user"}, {name: "host"}, {name: "generated password"}, {"auth_factor", querypb.Type_UINT64}}, r.rows)
}

const passwordLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,;:-._!@#%&/(){}[]<>+*"

// randomPassword makes a password of generated_random_password_length characters.
func (x *execution) randomPassword() (string, error) {
	ctx := sql.NewEmptyContext()
	v, err := x.w.session.GetSessionVariable(ctx, "generated_random_password_length")
	if err != nil {
		return "", err
	}
	n, _, err := types.Int64.Convert(ctx, v)
	if err != nil {
		return "", err
	}
	length, _ := n.(int64)
	if length < 5 {
		length = 20
	}
	return randomText(int(length), passwordLetters)
}

// randomText makes a text of n of these letters.
func randomText(n int, letters string) (string, error) {
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
