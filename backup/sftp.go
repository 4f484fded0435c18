package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"
	"golang.org/x/sys/unix"

	"emberdb/internal/vfs"
)

// sftpStore keeps objects as files of another machine, reached by SSH:
//
//	sftp://[USER@]HOST[:PORT]/PATH[?key=FILE][&known_hosts=FILE]
//
// PATH begins at the root, or with /~/ at the user's home. The host must stand in known_hosts. The
// user is proven by the keys of the SSH agent, by the key file (else ~/.ssh/id_ed25519, id_ecdsa,
// id_rsa), or by the password in the environment variable EMBER_SFTP_PASSWORD. A connection that
// breaks is made anew.
type sftpStore struct {
	place url.URL
	root  string

	mu     sync.Mutex
	client *sftp.Client // nil: not connected
	conn   *ssh.Client
}

// SFTPPasswordEnv names the environment variable with the password of sftp places.
const SFTPPasswordEnv = "EMBER_SFTP_PASSWORD"

func openSFTP(ctx context.Context, place string) (*sftpStore, error) {
	s, err := parseSFTP(place)
	if err != nil {
		return nil, err
	}
	return s, s.do(ctx, "", func(c *sftp.Client) error { return nil })
}

// parseSFTP reads a place and completes it, so that its URL means the same in every process.
func parseSFTP(place string) (*sftpStore, error) {
	u, err := url.Parse(place)
	if err != nil {
		return nil, err
	}
	if _, has := u.User.Password(); has {
		return nil, errors.New("sftp://: a password does not belong into the place; set " + SFTPPasswordEnv)
	}
	if u.Hostname() == "" || strings.Trim(u.Path, "/") == "" {
		return nil, fmt.Errorf("%s: a place over SFTP is sftp://USER@HOST/PATH", place)
	}
	q := u.Query()
	for name := range q {
		if name != "key" && name != "known_hosts" {
			return nil, fmt.Errorf("%s: %s is not known; what may follow the path are key=FILE and known_hosts=FILE", place, name)
		}
		file, err := filepath.Abs(q.Get(name))
		if err != nil {
			return nil, err
		}
		q.Set(name, file)
	}
	u.RawQuery = q.Encode()
	if u.User == nil {
		me, err := user.Current()
		if err != nil {
			return nil, err
		}
		u.User = url.User(me.Username)
	}
	root := path.Clean(u.Path)
	if rest, ok := strings.CutPrefix(root, "/~/"); ok {
		root = rest
	}
	return &sftpStore{place: *u, root: root}, nil
}

// settings are those of the connection.
func (s *sftpStore) settings(addr string) (*ssh.ClientConfig, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	q := s.place.Query()
	hosts := cmp.Or(q.Get("known_hosts"), filepath.Join(home, ".ssh", "known_hosts"))
	check, err := knownhosts.New(hosts)
	if err != nil {
		return nil, fmt.Errorf("known hosts: %w", err)
	}
	cfg := &ssh.ClientConfig{User: s.place.User.Username(), HostKeyCallback: check, HostKeyAlgorithms: knownAlgorithms(check, addr)}
	if len(cfg.HostKeyAlgorithms) == 0 {
		return nil, fmt.Errorf("%s is not in %s; add it when you have checked its key", addr, hosts)
	}
	signers, err := keyFiles(home, q.Get("key"))
	if err != nil {
		return nil, err
	}
	cfg.Auth = append(cfg.Auth, ssh.PublicKeysCallback(func() ([]ssh.Signer, error) { return append(agentKeys(), signers...), nil }))
	if password := os.Getenv(SFTPPasswordEnv); password != "" {
		cfg.Auth = append(cfg.Auth, ssh.Password(password))
	}
	return cfg, nil
}

// knownAlgorithms lists the algorithms of the keys that are known of a host, so that it shows one
// of those.
func knownAlgorithms(check ssh.HostKeyCallback, addr string) (out []string) {
	var known *knownhosts.KeyError
	if err := check(addr, &net.TCPAddr{}, noKey{}); !errors.As(err, &known) {
		return nil
	}
	for _, k := range known.Want {
		t := k.Key.Type()
		if t == ssh.KeyAlgoRSA {
			out = append(out, ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256)
		}
		out = append(out, t)
	}
	return out
}

// noKey is a key that no host has.
type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return nil }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }

// keyFiles reads the key file that is named, or else those that stand in the user's home and have
// no passphrase.
func keyFiles(home, named string) (out []ssh.Signer, err error) {
	if named != "" {
		signer, err := keyFile(named)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", named, err)
		}
		return []ssh.Signer{signer}, nil
	}
	for _, name := range []string{"id_ed25519", "id_ecdsa", "id_rsa"} {
		if signer, err := keyFile(filepath.Join(home, ".ssh", name)); err == nil {
			out = append(out, signer)
		}
	}
	return out, nil
}

func keyFile(path string) (ssh.Signer, error) {
	text, err := vfs.ReadFile(vfs.NewOS(nil), path)
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(text)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		err = errors.New("the key has a passphrase; add it to the SSH agent")
	}
	return signer, err
}

// agentKeys are the keys of the SSH agent, if there is one.
func agentKeys() []ssh.Signer {
	conn, err := net.Dial("unix", os.Getenv("SSH_AUTH_SOCK"))
	if err != nil {
		return nil
	}
	keys, err := agent.NewClient(conn).Signers() // they use the connection until the process ends
	if err != nil || len(keys) == 0 {
		_ = conn.Close()
	}
	return keys
}

// connect returns the client, and makes a connection if there is none.
func (s *sftpStore) connect(ctx context.Context) (*sftp.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	addr := net.JoinHostPort(s.place.Hostname(), cmp.Or(s.place.Port(), "22"))
	cfg, err := s.settings(addr)
	if err != nil {
		return nil, err
	}
	raw, err := dialPatiently(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	conn, channels, requests, err := ssh.NewClientConn(raw, addr, cfg)
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	client := ssh.NewClient(conn, channels, requests)
	files, err := sftp.NewClient(client, sftp.UseConcurrentWrites(true))
	if err != nil {
		return nil, errors.Join(err, client.Close())
	}
	s.client, s.conn = files, client
	return files, nil
}

// drop gives up a connection that broke.
func (s *sftpStore) drop(c *sftp.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == c && c != nil {
		_ = s.conn.Close() // it broke
		s.client, s.conn = nil, nil
	}
}

// do calls fn with a connection, and again with another one if that breaks.
func (s *sftpStore) do(ctx context.Context, name string, fn func(*sftp.Client) error) error {
	err := again(ctx, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := s.connect(ctx)
		if err == nil {
			err = fn(c)
		}
		if connectionLost(err) {
			s.drop(c)
			return fmt.Errorf("%w: %w", errBroken, err)
		}
		return err
	})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		err = ErrNoObject
	}
	return fmt.Errorf("sftp://%s%s: %w", s.place.Host, path.Join("/", s.path(name)), err)
}

// connectionLost tells whether an error came from the connection, which may break while a packet
// is sent, while an answer is awaited, or while it is made.
func connectionLost(err error) bool {
	return slices.ContainsFunc([]error{
		sftp.ErrSSHFxConnectionLost, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed,
		unix.ECONNRESET, unix.EPIPE, os.ErrDeadlineExceeded,
	}, func(lost error) bool { return errors.Is(err, lost) })
}

func (s *sftpStore) path(name string) string { return path.Join(s.root, name) }

// URL implements Store. It holds no password.
func (s *sftpStore) URL() string { return s.place.String() }

// Close implements Store.
func (s *sftpStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		return nil
	}
	return s.conn.Close()
}

// Put implements Store. The object is written beside its place and renamed.
func (s *sftpStore) Put(ctx context.Context, name string, data []byte) error {
	to := s.path(name)
	return s.do(ctx, name, func(c *sftp.Client) error {
		if err := c.MkdirAll(path.Dir(to)); err != nil {
			return err
		}
		err := writeRemote(c, to+unfinished, data)
		if err == nil {
			err = c.PosixRename(to+unfinished, to)
		}
		if err != nil {
			_ = c.Remove(to + unfinished) // the first error counts
		}
		return err
	})
}

func writeRemote(c *sftp.Client, to string, data []byte) error {
	f, err := c.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	if _, ok := c.HasExtension("fsync@openssh.com"); ok && err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Get implements Store.
func (s *sftpStore) Get(ctx context.Context, name string, off, n int64) (data []byte, err error) {
	err = s.do(ctx, name, func(c *sftp.Client) error {
		f, err := c.Open(s.path(name))
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		want := n
		if want < 0 {
			want = info.Size() - off
		}
		if off < 0 || want < 0 || off+want > info.Size() || n < 0 && want > maxObject {
			return damaged(name, "it has %d bytes; %d at %d were asked for", info.Size(), want, off)
		}
		data = make([]byte, want)
		if _, err = f.ReadAt(data, off); errors.Is(err, io.EOF) && want == 0 {
			err = nil
		}
		return err
	})
	return data, err
}

// List implements Store.
func (s *sftpStore) List(ctx context.Context, prefix string) (out []Object, err error) {
	err = s.do(ctx, "", func(c *sftp.Client) error {
		out = nil
		return s.walk(ctx, c, "", prefix, &out)
	})
	slices.SortFunc(out, func(a, b Object) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

func (s *sftpStore) walk(ctx context.Context, c *sftp.Client, at, prefix string, out *[]Object) error {
	infos, err := c.ReadDirContext(ctx, s.path(at))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, info := range infos {
		name := at + info.Name()
		switch dir := name + "/"; {
		case info.IsDir():
			if strings.HasPrefix(dir, prefix) || strings.HasPrefix(prefix, dir) {
				if err := s.walk(ctx, c, dir, prefix, out); err != nil {
					return err
				}
			}
		case strings.HasPrefix(name, prefix) && !strings.HasSuffix(name, unfinished):
			*out = append(*out, Object{name, info.Size()})
		}
	}
	return nil
}

// Remove implements Store. It removes a folder that becomes empty.
func (s *sftpStore) Remove(ctx context.Context, name string) error {
	file := s.path(name)
	return s.do(ctx, name, func(c *sftp.Client) error {
		if err := c.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if dir := path.Dir(file); dir != s.root {
			_ = c.RemoveDirectory(dir) // refused while anything is in it
		}
		return nil
	})
}
