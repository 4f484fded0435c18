package server

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/base"
	"emberdb/server/certs"
	"emberdb/server/logs"
	"emberdb/server/options"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// SET PERSIST, SET PERSIST_ONLY and RESET PERSIST. Persisted values live in
// <datadir>/ember-auto.cnf, an option file that is read at start before the command line; each
// change replaces the file atomically.
//
//	# Written by SET PERSIST. Change it with SET PERSIST and RESET PERSIST.
//	[mysqld]
//	max_connections = 300

const persistedHead = "# Written by SET PERSIST. Change it with SET PERSIST and RESET PERSIST.\n[mysqld]\n"

// persistMu orders changes of the file.
var persistMu sync.Mutex

// setPersist runs the assignments of a SET statement that persists at least one of them, one after
// another.
func (x *execution) setPersist(ctx *sql.Context, n *ast.Set) error {
	for _, item := range n.Items {
		v, ok := item.(*ast.SetVariable)
		var err error
		switch {
		case ok && (v.Scope == ast.PersistScope || v.Scope == ast.PersistOnlyScope):
			err = x.persist(ctx, strings.ToLower(v.Name.Name), v.Value, v.Scope == ast.PersistOnlyScope)
		default:
			_, err = x.rowsOf(ctx, "SET "+x.printed(item))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// persist sets a variable's global value, unless only the file is asked for, and writes it to the
// file.
func (x *execution) persist(ctx *sql.Context, name string, value ast.Expr, only bool) error {
	if set := x.h.s.rights(ctx); only && !(set.HasDynamic("system_variables_admin") && set.HasDynamic("persist_ro_variables_admin")) {
		return sqlerr.NewError(3630, "Access denied; you need SYSTEM_VARIABLES_ADMIN and PERSIST_RO_VARIABLES_ADMIN privileges for this operation")
	} else if err := x.needDynamic(ctx, "SYSTEM_VARIABLES_ADMIN"); err != nil && !only {
		return err
	}
	d, ok := options.Lookup(name)
	if !ok || d.Option {
		if _, _, known := sql.SystemVariables.GetGlobal(name); known {
			return sqlerr.NewError(1238, "Variable '%s' is a non persistent read only variable", name)
		}
		return sqlerr.NewError(1193, "Unknown system variable '%s'", name)
	}
	if notPersistent[d.Name] {
		return sqlerr.NewError(1238, "Variable '%s' is a non persistent read only variable", name)
	}
	if only {
		text, err := x.persistedText(ctx, d, value)
		if err != nil {
			return err
		}
		return x.h.s.writePersisted(d.Name, &text)
	}
	if _, err := x.rowsOf(ctx, "SET GLOBAL "+d.Name+" = "+x.printed(value)); err != nil {
		return err
	}
	_, v, _ := sql.SystemVariables.GetGlobal(d.Name)
	text := base.Shown(v)
	return x.h.s.writePersisted(d.Name, &text)
}

// notPersistent are the settings that only who starts the server decides: where its files lie, what
// runs at its start, where it listens.
var notPersistent = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq("datadir auto_generate_certs basedir bind_address caching_sha2_password_auto_generate_rsa_keys caching_sha2_password_private_key_path " +
		"caching_sha2_password_public_key_path ft_stopword_file init_file innodb_buffer_pool_load_at_startup innodb_data_file_path innodb_data_home_dir innodb_dedicated_server " +
		"innodb_directories innodb_doublewrite innodb_doublewrite_dir innodb_force_load_corrupted innodb_log_group_home_dir innodb_page_size innodb_read_only " +
		"innodb_temp_data_file_path innodb_temp_tablespaces_dir innodb_undo_directory innodb_version keyring_operations lc_messages_dir log_error log_bin_basename log_bin_index " +
		"pid_file plugin_dir port relay_log relay_log_basename relay_log_index replica_load_tmpdir secure_file_priv skip_networking socket ssl_fips_mode tmpdir version " +
		"admin_address admin_port character_sets_dir") {
		names[name] = true
	}
	return names
}()

// persistedText evaluates the value of SET PERSIST_ONLY and checks it against the definition.
func (x *execution) persistedText(ctx *sql.Context, d *options.Def, value ast.Expr) (string, error) {
	var text string
	switch n := value.(type) {
	case *ast.DefaultValue:
		text = d.Format(d.Default)
	case *ast.WordValue:
		text = n.Word
	case *ast.Column: // a name that stands for its own text
		text = n.Name.Name
	default:
		rows, err := x.rowsOf(ctx, "SELECT "+x.printed(value))
		if err != nil {
			return "", err
		}
		if len(rows) == 1 && len(rows[0]) == 1 {
			text = fmt.Sprint(rows[0][0])
		}
	}
	v, err := d.Parse(text)
	if err == nil {
		err = logs.CheckLogName(d.Name, text)
	}
	if err != nil {
		return "", sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", d.Name, text)
	}
	return d.Format(v), nil
}

// resetPersist is RESET PERSIST [[IF EXISTS] name].
func (x *execution) resetPersist(ctx *sql.Context, n *ast.ResetPersist) error {
	denied := x.needDynamic(ctx, "SYSTEM_VARIABLES_ADMIN")
	name := strings.ToLower(n.Name.Name)
	values, err := options.ReadPersisted(x.h.s.persistedPath())
	switch {
	case err != nil:
		return err
	case len(values) == 0 && name == "":
		return nil
	case name == "" && denied != nil:
		return denied
	case name == "":
		return x.h.s.writePersisted("", nil)
	}
	if d, ok := options.Lookup(name); ok {
		name = d.Name
	}
	if _, ok := values[name]; !ok {
		if n.IfExists {
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: 3615, Message: fmt.Sprintf("Variable %s does not exist in persisted config file", name)})
			return nil
		}
		return sqlerr.NewError(3615, "Variable %s does not exist in persisted config file", name)
	}
	if denied != nil {
		return denied
	}
	return x.h.s.writePersisted(name, nil)
}

func (s *Server) persistedPath() string { return filepath.Join(s.dir, options.PersistedFile) }

// writePersisted sets (or with nil removes) one value; an empty name removes all.
func (s *Server) writePersisted(name string, value *string) error {
	persistMu.Lock()
	defer persistMu.Unlock()
	values, err := options.ReadPersisted(s.persistedPath())
	if err != nil {
		return notPersisted(1024, "reading", s.persistedPath(), err)
	}
	switch {
	case name == "":
		clear(values)
	case value == nil:
		delete(values, name)
	default:
		values[name] = *value
	}
	var b strings.Builder
	b.WriteString(persistedHead)
	for _, n := range sortedKeys(values) {
		fmt.Fprintf(&b, "%s = %s\n", n, quoteOption(values[n]))
	}
	if err := certs.WriteFileAtomic(s.persistedPath(), []byte(b.String()), 0o640); err != nil {
		return notPersisted(1026, "writing", s.persistedPath(), err)
	}
	return nil
}

// notPersisted is the error of the file of variables when it cannot be read (1024) or written
// (1026). The variable itself is set by then.
func notPersisted(code int, verb, path string, err error) error {
	var system syscall.Errno
	switch {
	case !errors.As(err, &system):
		return err
	case system == syscall.ENOSPC:
		return sqlerr.Translate(fmt.Errorf("%s: %w", path, base.ErrDiskFull), "")
	}
	return sqlerr.NewError(code, "Error %s file '%s' (errno: %d - %s)", verb, path, int(system), system.Error())
}

// quoteOption writes a value so that the option file gives it back unchanged.
func quoteOption(v string) string {
	if v != "" && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.,/:+") == "" {
		return v
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(v) + `"`
}
