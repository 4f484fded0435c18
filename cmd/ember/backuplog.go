package main

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"emberdb/backup"
)

func newBackupLog() *cobra.Command {
	var (
		c          client
		o          backup.TailOptions
		to         string
		recipients []string
		quiet      bool
	)
	cmd := &cobra.Command{
		Use:   "log --to PLACE",
		Short: "Keep the binary log of a running server beside its backups, as it is written",
		Long: `Copy the binary log of a running server into a place of backups, from where the copy ends, and go on as the server writes, until interrupted. "ember restore"
applies it to reach a moment behind a backup. The account needs REPLICATION SLAVE and REPLICATION CLIENT. The server may be a MySQL server.

With --once, copy what there is now and end.`,
		Example: `  ember backup log --host=db1 --user=backup --to=/backup
  ember backup log --socket=/run/ember/ember.sock --to=/backup --once`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to == "" || to == "-" {
				return errors.New("say where the binary log goes: --to=DIR")
			}
			if o.Every <= 0 {
				return errors.New("--every must be a time above 0")
			}
			var err error
			if o.Recipients, err = backup.Recipients(recipients); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			o.Logger = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			return withStore(ctx, to, func(store backup.Store) error {
				return c.with(ctx, func(db *sql.DB) error { return tailLog(ctx, &c, db, store, o, cmd.ErrOrStderr(), quiet) })
			})
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	f.StringVar(&to, "to", "", "where the binary log goes: the place of the backups")
	f.BoolVar(&o.Once, "once", false, "copy what there is now, and end")
	f.BoolVar(&o.Fresh, "fresh", false, "begin with the oldest file of the server, though that leaves a gap")
	f.DurationVar(&o.Every, "every", time.Second, "write what was read at least that often")
	f.Uint32Var(&o.ServerID, "server-id", 0, "server id of this reader; 0: one by chance")
	f.StringSliceVar(&recipients, "recipient", nil, "encrypt to this age recipient, or to those of a file; may be repeated")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	return cmd
}

func tailLog(ctx context.Context, c *client, db *sql.DB, store backup.Store, o backup.TailOptions, errs io.Writer, quiet bool) error {
	cfg, err := c.Config(true)
	if err != nil {
		return err
	}
	o.User, o.Password = cfg.User, cfg.Passwd
	if o.Host, o.Port, err = hostPort(cfg.Net, cfg.Addr); err != nil {
		return err
	}
	if cfg.Net == "tcp" && c.TLS != "false" {
		if o.TLS, err = tlsOf(ctx, db, c.TLS, o.Host); err != nil {
			return err
		}
	}
	p := newProgress(errs, quiet, "log", "bytes")
	defer p.finish()
	o.Progress = func(file string, pos int64) { p.set(pos, pos, file) }
	return backup.TailLog(ctx, db, store, o)
}

// hostPort takes an address apart: a socket is a host with port 0, which a path from the root on
// tells from a name.
func hostPort(network, addr string) (string, uint16, error) {
	if network == "unix" {
		path, err := filepath.Abs(addr)
		return path, 0, err
	}
	host, digits, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.ParseUint(digits, 10, 16)
	return host, uint16(port), err
}

// tlsOf makes the TLS settings of a mode as the client's: preferred uses TLS where the server
// offers it.
func tlsOf(ctx context.Context, db *sql.DB, mode, host string) (*tls.Config, error) {
	switch mode {
	case "true":
		return &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}, nil
	case "preferred":
		var name, cipher string
		if err := db.QueryRowContext(ctx, "SHOW STATUS LIKE 'Ssl_cipher'").Scan(&name, &cipher); err != nil {
			return nil, err
		}
		if cipher == "" {
			return nil, nil
		}
	case "skip-verify":
	default:
		return nil, fmt.Errorf("--tls=%s: it is false, preferred, skip-verify or true", mode)
	}
	return &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}, nil //nolint:gosec // asked for
}
