package server

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/dolthub/go-mysql-server/sql"
	driversql "github.com/go-sql-driver/mysql"

	stdsql "database/sql"

	"emberdb/backup"
	"emberdb/replication"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// CLONE LOCAL and CLONE INSTANCE: the rows, accounts, GTIDs and LRU list of a server of this kind,
// made a data directory.
//
// Without DATA DIRECTORY the clone replaces this server's own data. It is made in a folder beside
// that (backup.CloneDir); when it is complete the server is started again in the same process,
// which puts the clone in place. Until then the old data is whole. The server keeps its settings
// and its certificates, and gets a new uuid: nothing that was kept of its former data, such as a
// buffer pool in shared memory, is taken for the clone's.
//
// Source: MySQL 9.7's manual, "The Clone Plugin", and answers of MySQL 9.7.

// localInstance is what performance_schema calls this server's own data.
const localInstance = "LOCAL INSTANCE"

// installPlugin is INSTALL PLUGIN and UNINSTALL PLUGIN. The clone plugin is part of the server: who
// installs it, as tools do that do not look for it first, has it. There are no others.
func (x *execution) installPlugin(ctx *sql.Context, n *ast.InstallPlugin) error {
	if err := x.h.s.mayUnrun(ctx, n); err != nil {
		return err
	}
	if !n.Uninstall && strings.EqualFold(n.Name.Name, "clone") {
		return x.ok(ctx, 0)
	}
	return x.unsupported()
}

// clone is CLONE.
func (x *execution) clone(ctx *sql.Context, n *ast.Clone) error {
	s := x.h.s
	if err := s.mayUnrun(ctx, n); err != nil {
		return err
	}
	eng := s.backend.Engine()
	if eng == nil {
		return unsupported("CLONE")(x, ctx)
	}
	own := n.Directory == nil
	source, destination, dir := localInstance, localInstance, filepath.Join(s.dir, backup.CloneDir)
	if n.From != nil {
		source = n.From.Host.Name + ":" + n.Port
		if err := mayCloneFrom(source); err != nil {
			return err
		}
	}
	if own {
		if name := globalText("log_bin_basename"); name != "" && filepath.Dir(name) != filepath.Clean(s.dir) {
			return sqlerr.NewError(3869, "Clone system configuration: log_bin: the binary log lies outside of the data directory; name a DATA DIRECTORY")
		}
	} else {
		if err := mayCloneInto(n.Directory.Text, s.dir); err != nil {
			return err
		}
		dir = filepath.Clean(n.Directory.Text)
		destination = dir + "/"
	}
	if err := s.clones.begin(x.w.id, source, destination); err != nil {
		return err
	}
	o := backup.CloneOptions{Dir: dir, Progress: s.clones.progress, Parallel: 2, Rate: cloneRate()}
	if own {
		o.Begun = func(b *backup.Begin) error {
			if b.UUID == eng.UUID() {
				return sqlerr.NewError(3862, "Clone Donor Error: 3871 : Clone cannot use loop back connection while cloning into current data directory..")
			}
			return nil
		}
	}
	s.log.Info("a clone begins", "connection", x.w.id, "user", x.w.user, "source", source, "destination", dir)
	made, err := x.makeClone(ctx, n, o)
	s.clones.end(made, err)
	if err != nil {
		s.log.Warn("a clone failed", "source", source, "destination", dir, "err", err)
		return err
	}
	s.log.Info("a clone is complete", "source", source, "destination", dir, "bytes", made.Bytes)
	if !own {
		return x.ok(ctx, 0)
	}
	if err := s.clones.keep(s.dir); err != nil {
		s.log.Warn("what performance_schema tells of the clone is not kept", "err", err)
	}
	if err := x.ok(ctx, 0); err != nil {
		s.log.Warn("the client that asked for a clone is gone", "err", err)
	}
	s.again.Store(true)
	s.requestShutdown()
	return nil
}

// cloneRate is the bytes a second that a clone may read; 0: no limit.
func cloneRate() (rate int64) {
	for _, name := range []string{"clone_max_data_bandwidth", "clone_max_network_bandwidth"} {
		if n := globalInt(name); n > 0 && (rate == 0 || n<<20 < rate) {
			rate = n << 20
		}
	}
	return rate
}

// mayCloneFrom refuses a donor that is not listed.
func mayCloneFrom(donor string) error {
	list := globalText("clone_valid_donor_list")
	if !slices.Contains(strings.Split(list, ","), donor) {
		return sqlerr.NewError(3869, "Clone system configuration: %s is not found in clone_valid_donor_list: %s", donor, list)
	}
	return nil
}

// checkDonorList is what clone_valid_donor_list may be: hosts with ports, by commas, without
// spaces.
func checkDonorList(list string) error {
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

// mayCloneInto refuses a directory that is there, whose path is not from the root, or that would
// lie in this server's own.
func mayCloneInto(path, own string) error {
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

// makeClone makes the directory.
func (x *execution) makeClone(ctx *sql.Context, n *ast.Clone, o backup.CloneOptions) (*backup.Cloned, error) {
	if n.From == nil {
		l, err := backup.OpenLocal(x.h.s.backend.Engine(), ServerVersion())
		if err != nil {
			return nil, err
		}
		return backup.CloneLocal(ctx, l, o)
	}
	db, err := dialDonor(ctx, n)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	made, err := backup.Clone(ctx, db, o)
	if refused := (*driversql.MySQLError)(nil); errors.As(err, &refused) {
		if refused.Number == 1064 {
			return nil, sqlerr.NewError(3862, "Clone Donor Error: %s:%s is not an Ember server; load a dump of it, or replicate from it", n.From.Host.Name, n.Port)
		}
		return nil, sqlerr.NewError(3862, "Clone Donor Error: %d : %s.", refused.Number, refused.Message)
	}
	return made, err
}

// dialDonor logs in at the donor.
func dialDonor(ctx context.Context, n *ast.Clone) (*stdsql.DB, error) {
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
		*to = globalText(name)
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
