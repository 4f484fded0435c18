package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
	"golang.org/x/sys/unix"
)

// Private is a server on a restored directory that nobody else reaches: it listens on a socket in
// that directory only. It ends with this process.
type Private struct {
	Config *mysql.Config // of its clients

	cmd   *exec.Cmd
	words lastWords
	ended chan error
	dead  atomic.Bool
	db    *sql.DB
}

const (
	privateSocket = "ember-restore.sock"
	maxSocket     = 107
	pollEvery     = 50 * time.Millisecond
)

// StartPrivate starts a server on a directory that was made of a backup, and waits until it
// answers. Command makes the process, not yet started, which has to end with this one. If its
// messages go nowhere, the last of them are in the error. The options are for it, beside those that
// every such server needs.
func StartPrivate(ctx context.Context, dir string, set *Manifest, command func(args ...string) *exec.Cmd, options ...string) (*Private, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(dir, privateSocket)
	if len(socket) > maxSocket {
		return nil, fmt.Errorf("%s: the name of a socket has at most %d bytes; restore into a folder with a shorter name", socket, maxSocket)
	}
	args := append([]string{}, options...)
	args = append(args, "--datadir="+dir, "--skip-grant-tables", "--socket="+socket, "--skip-replica-start", "--super-read-only=OFF", "--read-only=OFF",
		fmt.Sprintf("--server-id=%d", 1<<30|rand.Uint32()>>2)) // a replica passes over what bears its own id
	switch at := set.Point.Binlog; {
	case at == nil:
		args = append(args, "--skip-log-bin")
	case at.Executed != "":
		args = append(args, "--log-bin="+at.Base, "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
	default:
		args = append(args, "--log-bin="+at.Base)
	}
	p := &Private{cmd: command(args...), ended: make(chan error, 1), Config: mysql.NewConfig()}
	p.cmd.Env = append(p.cmd.Environ(), ApplyEnv+"=1")
	if p.cmd.Stderr == nil {
		p.cmd.Stderr = &p.words
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := p.cmd.Wait()
		p.dead.Store(true)
		p.ended <- err
	}()
	p.Config.User, p.Config.Net, p.Config.Addr, p.Config.Logger = "root", "unix", socket, &mysql.NopLogger{}
	connector, err := mysql.NewConnector(p.Config)
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	p.db = sql.OpenDB(connector)
	for {
		switch err := p.db.PingContext(ctx); {
		case err == nil:
			return p, nil
		case p.dead.Load():
			return nil, fmt.Errorf("the server on %s ended: %w\n%s", dir, errors.Join(<-p.ended, err), p.words.text)
		case ctx.Err() != nil:
			return nil, errors.Join(ctx.Err(), p.Stop())
		}
		time.Sleep(pollEvery)
	}
}

// Stop stops the server and waits for it.
func (p *Private) Stop() error {
	if p.db != nil {
		_ = p.db.Close()
	}
	if !p.dead.Load() {
		_ = p.cmd.Process.Signal(unix.SIGTERM)
	}
	return <-p.ended
}

// lastWords keeps the end of what a process prints.
type lastWords struct{ text []byte }

const lastWordsSize = 2 << 10

// Write never fails. One goroutine writes, and the text is read when the process has ended.
func (l *lastWords) Write(b []byte) (int, error) {
	l.text = append(l.text, b...)
	if n := len(l.text) - lastWordsSize; n > 0 {
		l.text = append(l.text[:0], l.text[n:]...)
	}
	return len(b), nil
}
