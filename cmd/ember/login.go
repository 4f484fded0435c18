package main

import (
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/pflag"

	"emberdb/server/options"
)

// logins finds the account that a verb logs in with where the command line does not name it: in
// MySQL's option files, then in the login file that mysql_config_editor writes, as MySQL's clients
// do. What stands later counts, and the command line counts before all. The groups are [client] and
// [ember], and the one of --login-path.
type logins struct {
	file     string // read in place of the usual option files
	none     bool
	path     string
	noLogins bool
}

func (l *logins) addFlags(f *pflag.FlagSet) {
	f.StringVar(&l.file, "defaults-file", "", "option file to read in place of the usual ones")
	f.BoolVar(&l.none, "no-defaults", false, "read no option files (the login file is read)")
	f.StringVar(&l.path, "login-path", "", "group of the option files and the login file to read besides [client]")
	f.BoolVar(&l.noLogins, "no-login-paths", false, "do not read the login file")
}

// apply sets the flags of a verb that connects to a server from the files, where they were not
// given.
func (l *logins) apply(f *pflag.FlagSet, warnings io.Writer) error {
	if f.Lookup("socket") == nil || f.Lookup("password") == nil {
		return nil // not a verb that connects
	}
	found, err := l.read(warnings)
	if err != nil {
		return err
	}
	if _, ok := found["password"]; !ok {
		found["password"] = os.Getenv("MYSQL_PWD")
	}
	given := func(names ...string) (yes bool) {
		for _, n := range names {
			yes = yes || f.Changed(n)
		}
		return yes
	}
	if given("dsn") {
		return nil
	}
	take := []string{"user", "password"}
	if !given("socket") {
		// A host or port leads to TCP, as on the command line. The host localhost means the socket.
		take = append(take, "host", "port")
		if !given("host", "port") && (found["host"] == "" || found["host"] == "localhost") {
			take = append(take, "socket")
		}
	}
	for _, name := range take {
		if v := found[name]; v != "" && !f.Changed(name) {
			if err := f.Lookup(name).Value.Set(v); err != nil {
				return fmt.Errorf("%s of the option files: %w", name, err)
			}
		}
	}
	return l.applyTLS(f, found)
}

// read returns what the files say.
func (l *logins) read(warnings io.Writer) (map[string]string, error) {
	groups := []string{"client", "ember"}
	if l.path != "" {
		groups = append(groups, l.path)
	}
	files := []string{"/etc/my.cnf", "/etc/mysql/my.cnf"}
	logins := os.Getenv("MYSQL_TEST_LOGIN_FILE")
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".my.cnf"))
		logins = cmp.Or(logins, filepath.Join(home, ".mylogin.cnf"))
	}
	switch {
	case l.none:
		files = nil
	case l.file != "":
		files = []string{l.file}
	}
	found := map[string]string{}
	for _, path := range files {
		// MySQL's rule: what anybody may write is not read.
		data, err := readOwn(path, 0o002, warnings)
		if path != l.file && notForUs(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := addGroups(found, data, path, groups); err != nil {
			return nil, err
		}
	}
	if l.noLogins || logins == "" {
		return found, nil
	}
	data, err := readOwn(logins, 0o177, warnings)
	if notForUs(err) {
		return found, nil
	}
	if err == nil {
		data, err = decryptLogins(data)
	}
	if err != nil {
		return nil, fmt.Errorf("login file %s: %w", logins, err)
	}
	return found, addGroups(found, data, logins, groups)
}

// notForUs tells that a file is missing, or may not be read. MySQL's clients pass it over, too.
func notForUs(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

func addGroups(found map[string]string, data []byte, path string, groups []string) error {
	more, err := options.ReadGroups(bytes.NewReader(data), path, groups...)
	if err != nil {
		return err
	}
	maps.Copy(found, more)
	return nil
}

// maxLoginFile bounds what is read of a file.
const maxLoginFile = 1 << 20

// readOwn reads a file. One that has a permission which it must not have is passed over with a
// warning, as MySQL's clients do.
func readOwn(path string, forbidden fs.FileMode, warnings io.Writer) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if st.Mode().IsRegular() && st.Mode()&forbidden != 0 {
		fmt.Fprintf(warnings, "ember: warning: %s is not read: its permissions are %o\n", path, st.Mode().Perm())
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLoginFile+1))
	if err == nil && len(data) > maxLoginFile {
		err = fmt.Errorf("%s has more than %d bytes", path, maxLoginFile)
	}
	return data, err
}

// decryptLogins returns the text of a login file: 4 bytes that are not used, a key of 20 bytes, then
// lines, each a length of 4 bytes and the line under AES-128 in ECB mode with PKCS #7 padding. The
// key's bytes are folded into 16. The file hides passwords from a glance, not from its owner.
func decryptLogins(data []byte) ([]byte, error) {
	const unused, keyBytes = 4, 20
	if len(data) == 0 {
		return nil, nil
	}
	if len(data) < unused+keyBytes {
		return nil, errors.New("the file is too short")
	}
	var key [aes.BlockSize]byte
	for i, b := range data[unused : unused+keyBytes] {
		key[i%len(key)] ^= b
	}
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	var out []byte
	for rest := data[unused+keyBytes:]; len(rest) > 0; {
		if len(rest) < 4 {
			return nil, errors.New("the file is cut short")
		}
		n := uint64(binary.LittleEndian.Uint32(rest))
		rest = rest[4:]
		if n == 0 || n%aes.BlockSize != 0 || n > uint64(len(rest)) {
			return nil, fmt.Errorf("a line has the length %d", n)
		}
		line := make([]byte, n)
		for i := 0; i < len(line); i += aes.BlockSize {
			block.Decrypt(line[i:], rest[i:])
		}
		rest = rest[n:]
		pad := int(line[n-1])
		if pad == 0 || pad > aes.BlockSize || !bytes.Equal(line[int(n)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
			return nil, errors.New("a line cannot be decrypted")
		}
		out = append(out, line[:int(n)-pad]...)
	}
	return out, nil
}

// applyTLS sets --tls from ssl_mode, ssl_ca, ssl_cert and ssl_key. A certificate authority is
// always asked for where it is named.
func (l *logins) applyTLS(f *pflag.FlagSet, found map[string]string) error {
	flag := f.Lookup("tls")
	if flag == nil || flag.Changed {
		return nil
	}
	mode := strings.ToUpper(found["ssl_mode"])
	verify := strings.HasPrefix(mode, "VERIFY_") || mode == "REQUIRED" && found["ssl_ca"] != ""
	ca, cert := found["ssl_ca"], found["ssl_cert"]
	switch {
	case mode == "DISABLED":
		return flag.Value.Set("false")
	case verify && (ca != "" || cert != ""), mode == "REQUIRED" && cert != "":
	case verify:
		return flag.Value.Set("true")
	case mode == "REQUIRED":
		return flag.Value.Set("skip-verify")
	case mode == "" || mode == "PREFERRED":
		return nil
	default:
		return fmt.Errorf("ssl_mode %q of the option files: want DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY", found["ssl_mode"])
	}
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: !verify}
	if ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			return err
		}
		if cfg.RootCAs = x509.NewCertPool(); !cfg.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("%s holds no certificate", ca)
		}
	}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, found["ssl_key"])
		if err != nil {
			return err
		}
		cfg.Certificates = []tls.Certificate{pair}
	}
	const name = "option-files"
	if err := mysql.RegisterTLSConfig(name, cfg); err != nil {
		return err
	}
	return flag.Value.Set(name)
}
