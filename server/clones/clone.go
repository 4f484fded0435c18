package clones

import (
	"context"
	"crypto/tls"
	stdsql "database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	driversql "github.com/go-sql-driver/mysql"

	"emberdb/replication"
	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// LocalInstance is what performance_schema calls this server's own data.
const LocalInstance = "LOCAL INSTANCE"

// CloneRate is the bytes a second that a clone may read; 0: no limit.
func CloneRate() (rate int64) {
	for _, name := range []string{"clone_max_data_bandwidth", "clone_max_network_bandwidth"} {
		if n := sysvar.GlobalInt(name); n > 0 && (rate == 0 || n<<20 < rate) {
			rate = n << 20
		}
	}
	return rate
}

// MayCloneFrom refuses a donor that is not listed.
func MayCloneFrom(donor string) error {
	list := sysvar.GlobalText("clone_valid_donor_list")
	if !slices.Contains(strings.Split(list, ","), donor) {
		return sqlerr.NewError(3869, "Clone system configuration: %s is not found in clone_valid_donor_list: %s", donor, list)
	}
	return nil
}

// CheckDonorList is what clone_valid_donor_list may be: hosts with ports, by commas, without
// spaces.
func CheckDonorList(list string) error {
	if list == "" {
		return nil
	}
	for donor := range strings.SplitSeq(list, ",") {
		at := strings.LastIndexByte(donor, ':')
		if at < 1 || strings.ContainsAny(donor, " \t") {
			return wrongDonorList()
		}
		if port, err := strconv.ParseUint(donor[at+1:], 10, 16); err != nil || port == 0 {
			return wrongDonorList()
		}
	}
	return nil
}

func wrongDonorList() error {
	return sqlerr.NewError(3869, `Clone system configuration: Invalid Format. Please enter "<hostname1>:<port1>,..."' with no extra space`)
}

// MayCloneInto refuses a directory that is there, whose path is not from the root, or that would
// lie in this server's own.
func MayCloneInto(path, own string) error {
	if !filepath.IsAbs(path) {
		return sqlerr.NewError(1525, "Incorrect path value: '%s'", path)
	}
	if err := syscall.Access(path, 0); !errors.Is(err, syscall.ENOENT) {
		return sqlerr.NewError(1007, "Can't create database '%s'; database exists", path)
	}
	if in, err := filepath.Rel(resolved(own), resolved(path)); err == nil && filepath.IsLocal(in) {
		return sqlerr.NewError(3632, "Path is within the current data directory '%s'", path)
	}
	return nil
}

// resolved follows the symbolic links of as much of a path as there is.
func resolved(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir, name := filepath.Split(path)
	if name == "" {
		return path
	}
	return filepath.Join(resolved(dir), name)
}

// DialDonor logs in at the donor.
func DialDonor(ctx context.Context, n *ast.Clone) (*stdsql.DB, error) {
	cfg := driversql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr = n.From.User.Name, n.Password.Text, "tcp", net.JoinHostPort(n.From.Host.Name, n.Port)
	cfg.Logger = &driversql.NopLogger{}
	if n.SSL != ast.RequireNoSSL {
		t, err := donorTLS(n.From.Host.Name)
		if err != nil {
			return nil, sqlerr.NewError(3869, "Clone system configuration: %v", err)
		}
		cfg.TLS, cfg.AllowFallbackToPlaintext = t, n.SSL == ast.NoCloneSSL
	}
	connector, err := driversql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := stdsql.OpenDB(connector)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close()
		return nil, unreachable(cfg.Addr, err)
	}
	return db, nil
}

// donorTLS are the settings of an encrypted connection: with clone_ssl_ca, the donor's certificate
// is verified by that.
func donorTLS(host string) (*tls.Config, error) {
	t := replication.TLS{On: true}
	for name, to := range map[string]*string{"clone_ssl_ca": &t.CA, "clone_ssl_cert": &t.Cert, "clone_ssl_key": &t.Key} {
		*to = sysvar.GlobalText(name)
	}
	return t.Client(host)
}

// unreachable is the error of a donor that cannot be logged in at.
func unreachable(addr string, err error) error {
	var (
		refused *driversql.MySQLError
		errno   syscall.Errno
	)
	switch {
	case errors.As(err, &refused):
		return sqlerr.NewError(3862, "Clone Donor Error: Connect failed: %d : %s.", refused.Number, refused.Message)
	case errors.As(err, &errno):
		return sqlerr.NewError(3862, "Clone Donor Error: Connect failed: 2003 : Can't connect to MySQL server on '%s' (%d).", addr, int(errno))
	case errors.Is(err, driver.ErrBadConn):
		return sqlerr.NewError(3862, "Clone Donor Error: Connect failed: 2013 : Lost connection to MySQL server.")
	}
	return sqlerr.NewError(3862, "Clone Donor Error: Connect failed: 2003 : Can't connect to MySQL server on '%s' (%v).", addr, err)
}
