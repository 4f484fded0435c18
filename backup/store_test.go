package backup

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/pkg/sftp"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// noAWS hides the settings and keys of the machine the test runs on.
func noAWS(t *testing.T) {
	for _, name := range []string{"AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_REGION", "AWS_DEFAULT_REGION"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(t.TempDir(), "config"))
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "a secret")
}

// startS3 starts an S3 service with the buckets "bucket" and "whole"; fault may answer in its
// place.
func startS3(t *testing.T, fault func(w http.ResponseWriter, r *http.Request) bool) (endpoint string) {
	t.Helper()
	noAWS(t)
	mem := s3mem.New()
	require.NoError(t, mem.CreateBucket("bucket"))
	require.NoError(t, mem.CreateBucket("whole"))
	fake := gofakes3.New(mem, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault == nil || !fault(w, r) {
			fake.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// sftpServer is an SSH server that gives the files below the machine's root over SFTP.
type sftpServer struct {
	addr  string
	mu    sync.Mutex
	conns []net.Conn
}

// startSFTP starts a server and returns it with the place of a directory on it.
func startSFTP(t *testing.T) (*sftpServer, string) {
	t.Helper()
	dir := t.TempDir()
	_, hostKey, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	host, err := ssh.NewSignerFromKey(hostKey)
	require.NoError(t, err)
	userPublic, userKey, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	public, err := ssh.NewPublicKey(userPublic)
	require.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(userKey, "")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "key"), pem.EncodeToMemory(block), 0o600))
	cfg := &ssh.ServerConfig{PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
		if string(key.Marshal()) != string(public.Marshal()) {
			return nil, fmt.Errorf("another key")
		}
		return nil, nil
	}}
	cfg.AddHostKey(host)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	s := &sftpServer{addr: l.Addr().String()}
	line := knownhosts.Line([]string{knownhosts.Normalize(s.addr)}, host.PublicKey())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "known_hosts"), []byte(line+"\n"), 0o600))
	go s.serve(l, cfg)
	return s, fmt.Sprintf("sftp://backup@%s%s/store?key=%s&known_hosts=%s", s.addr, dir, filepath.Join(dir, "key"), filepath.Join(dir, "known_hosts"))
}

func (s *sftpServer) serve(l net.Listener, cfg *ssh.ServerConfig) {
	for {
		raw, err := l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, raw)
		s.mu.Unlock()
		go func() {
			_, channels, requests, err := ssh.NewServerConn(raw, cfg)
			if err != nil {
				return
			}
			go ssh.DiscardRequests(requests)
			for c := range channels {
				channel, requests, err := c.Accept()
				if err != nil {
					return
				}
				go func() {
					for r := range requests {
						_ = r.Reply(r.Type == "subsystem", nil)
					}
				}()
				files, err := sftp.NewServer(channel)
				if err != nil {
					return
				}
				go files.Serve()
			}
		}()
	}
}

// cut breaks all connections.
func (s *sftpServer) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		c.Close()
	}
	s.conns = nil
}

// TestStores asks the same of every store: objects whole, ranges, lists, removal, and the same
// store behind its URL.
func TestStores(t *testing.T) {
	endpoint := startS3(t, nil)
	_, files := startSFTP(t)
	for name, place := range map[string]string{"dir": t.TempDir(), "s3": "s3://bucket/a/b?region=us-east-1&endpoint=" + endpoint, "s3 whole bucket": "s3://whole?endpoint=" + endpoint, "sftp": files} {
		t.Run(name, func(t *testing.T) {
			s, err := OpenStore(ctx, place)
			require.NoError(t, err)
			defer s.Close()
			big := make([]byte, 5<<20)
			rand.Read(big)
			require.NoError(t, s.Put(ctx, "set/pack.00000001", big))
			require.NoError(t, s.Put(ctx, "set/begin", []byte("{}")))
			require.NoError(t, s.Put(ctx, "set/begin", []byte("{1}")), "written again by a resumption")
			require.NoError(t, s.Put(ctx, "settle/begin", []byte("1")))
			again, err := OpenStore(ctx, s.URL())
			require.NoError(t, err)
			defer again.Close()
			list, err := again.List(ctx, "set/")
			require.NoError(t, err)
			require.Equal(t, []Object{{"set/begin", 3}, {"set/pack.00000001", 5 << 20}}, list)
			for _, r := range [][2]int64{{0, -1}, {0, 1}, {5<<20 - 1, 1}, {1 << 20, 3 << 20}, {7, -1}, {5, 0}} {
				end := r[0] + r[1]
				if r[1] < 0 {
					end = int64(len(big))
				}
				got, err := again.Get(ctx, "set/pack.00000001", r[0], r[1])
				require.NoError(t, err, "%v", r)
				require.True(t, string(big[r[0]:end]) == string(got), "%v", r)
			}
			for _, r := range [][2]int64{{0, 5<<20 + 1}, {5 << 20, 1}, {6 << 20, 10}} {
				_, err = s.Get(ctx, "set/pack.00000001", r[0], r[1])
				require.ErrorIs(t, err, base.ErrCorrupt, "%v", r)
			}
			_, err = s.Get(ctx, "set/manifest", 0, -1)
			require.ErrorIs(t, err, ErrNoObject)
			_, err = s.Get(ctx, "other/manifest", 3, 4)
			require.ErrorIs(t, err, ErrNoObject)
			require.NoError(t, s.Remove(ctx, "set/none"))
			require.NoError(t, s.Remove(ctx, "set/begin"))
			require.NoError(t, s.Remove(ctx, "set/pack.00000001"))
			list, err = s.List(ctx, "")
			require.NoError(t, err)
			require.Equal(t, []Object{{"settle/begin", 1}}, list)
			require.NotContains(t, s.URL(), "secret")
		})
	}
}

// s3Answer makes an answer of an S3 service that refuses.
func s3Answer(w http.ResponseWriter, status int, code string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>told %s</Message></Error>`, code, code)
	return true
}

// TestS3Faults looks at what is said when the service refuses, is full, or breaks off.
func TestS3Faults(t *testing.T) {
	var fault atomic.Value // func(http.ResponseWriter, *http.Request) bool
	none := func(http.ResponseWriter, *http.Request) bool { return false }
	fault.Store(none)
	place := "s3://bucket/p?region=us-east-1&endpoint=" + startS3(t, func(w http.ResponseWriter, r *http.Request) bool {
		return fault.Load().(func(http.ResponseWriter, *http.Request) bool)(w, r)
	})
	s, err := OpenStore(ctx, place)
	require.NoError(t, err)
	data := make([]byte, 1<<20)
	rand.Read(data)
	require.NoError(t, s.Put(ctx, "o", data))

	for code, want := range map[string]string{"InvalidAccessKeyId": "refuses the keys", "SignatureDoesNotMatch": "refuses the keys", "AccessDenied": "do not allow"} {
		fault.Store(func(w http.ResponseWriter, r *http.Request) bool { return s3Answer(w, http.StatusForbidden, code) })
		_, err := OpenStore(ctx, place)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "a secret")
		require.ErrorContains(t, s.Put(ctx, "o2", data), want)
		_, err = s.Get(ctx, "o", 0, 10)
		require.ErrorContains(t, err, want)
	}
	fault.Store(func(w http.ResponseWriter, r *http.Request) bool {
		return s3Answer(w, http.StatusInsufficientStorage, "Full")
	})
	require.ErrorIs(t, s.Put(ctx, "o2", data), base.ErrDiskFull)
	fault.Store(none)
	_, err = OpenStore(ctx, strings.Replace(place, "bucket", "tuckeb", 1))
	require.ErrorContains(t, err, "no such bucket")

	var asked atomic.Int64
	broken := func(w http.ResponseWriter, r *http.Request) bool { // the answer ends in the middle, twice
		if r.Method != http.MethodGet || asked.Add(1) > 2 {
			return false
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(data)))
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = w.Write(data[:1000])
		return true
	}
	fault.Store(broken)
	got, err := s.Get(ctx, "o", 0, -1)
	require.NoError(t, err)
	require.True(t, string(data) == string(got))
	require.Equal(t, int64(3), asked.Load())

	fault.Store(func(w http.ResponseWriter, r *http.Request) bool { // less than was asked for, whole
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		_, _ = w.Write(data[:1000])
		return true
	})
	_, err = s.Get(ctx, "o", 0, 2000)
	require.ErrorIs(t, err, base.ErrCorrupt)
}

// TestS3Places looks at places that are refused, and at where what they do not say comes from.
func TestS3Places(t *testing.T) {
	noAWS(t)
	for place, want := range map[string]string{
		"s3:///p": "no bucket", "s3://key:secret@bucket/p": "keys do not belong", "s3://bucket/p?acces=1": "not known",
		"s3://bucket/p?endpoint=ftp://x": "endpoint", "s3://bucket/p?endpoint=http://x/path": "endpoint",
	} {
		_, err := OpenStore(ctx, place)
		require.ErrorContains(t, err, want, place)
		require.NotContains(t, err.Error(), "key:secret")
	}
	config := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(config, []byte("[default]\nregion = eu-west-1\n[profile other]\nendpoint_url = http://other:9000\n"), 0o600))
	t.Setenv("AWS_CONFIG_FILE", config)
	s, err := parseS3("s3://bucket/p/")
	require.NoError(t, err)
	require.Equal(t, "s3://bucket/p/?endpoint=https%3A%2F%2Fs3.amazonaws.com&region=eu-west-1", s.URL())
	t.Setenv("AWS_PROFILE", "other")
	t.Setenv("AWS_REGION", "us-west-2")
	s, err = parseS3("s3://bucket")
	require.NoError(t, err)
	require.Equal(t, "s3://bucket?endpoint=http%3A%2F%2Fother%3A9000&region=us-west-2", s.URL())
}

// TestSFTPFaults breaks connections, and refuses hosts and users that are not known.
func TestSFTPFaults(t *testing.T) {
	t.Setenv("SSH_AUTH_SOCK", "")
	t.Setenv(SFTPPasswordEnv, "")
	server, place := startSFTP(t)
	s, err := OpenStore(ctx, place)
	require.NoError(t, err)
	defer s.Close()
	data := make([]byte, 3<<20)
	rand.Read(data)
	for n := range 4 {
		name := fmt.Sprintf("set/%d", n)
		server.cut()
		require.NoError(t, s.Put(ctx, name, data))
		server.cut()
		got, err := s.Get(ctx, name, 1, int64(len(data)-1))
		require.NoError(t, err)
		require.True(t, string(data[1:]) == string(got))
	}
	list, err := s.List(ctx, "")
	require.NoError(t, err)
	require.Len(t, list, 4)

	other := filepath.Join(t.TempDir(), "known_hosts")
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	_, err = OpenStore(ctx, strings.Replace(place, "known_hosts=", "known_hosts="+other+"&x=", 1))
	require.ErrorContains(t, err, "x is not known")
	at := strings.Index(place, "&known_hosts=")
	_, err = OpenStore(ctx, place[:at]+"&known_hosts="+other)
	require.ErrorContains(t, err, "is not in "+other)
	key := filepath.Join(t.TempDir(), "key")
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	block, err := ssh.MarshalPrivateKey(private, "")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(block), 0o600))
	before, _, _ := strings.Cut(place, "?key=")
	_, err = OpenStore(ctx, before+"?key="+key+place[at:])
	require.ErrorContains(t, err, "unable to authenticate")
	_, err = OpenStore(ctx, "sftp://user:password@host/path")
	require.ErrorContains(t, err, "does not belong")
	require.NotContains(t, err.Error(), "user:password")
}

// TestRemoteSet reads a set through a store over a network as through a directory, and names what
// is cut short there.
func TestRemoteSet(t *testing.T) {
	place := "s3://bucket/sets?region=us-east-1&endpoint=" + startS3(t, nil)
	s, err := OpenStore(ctx, place)
	require.NoError(t, err)
	pages := map[base.PageID]byte{}
	for no := range base.PageNo(300) {
		pages[base.PageID{Space: 20, No: no}] = byte(no)
	}
	makeSet(t, s, Begun{ID: "20260101T000000.000Z-full", Kind: Full, Began: time.Now()}, nil, pages, make([]byte, 3<<20))
	id, err := Newest(ctx, s)
	require.NoError(t, err)
	c, err := OpenChain(ctx, s, id, nil)
	require.NoError(t, err)
	buf := vfs.AlignedBlock(chunkPages * base.PageSize)
	present, err := c.chunk(ctx, 20, 64, buf)
	require.NoError(t, err)
	require.Equal(t, ^uint64(0), present)
	require.True(t, string(makePage(20, 65, 65)) == string(buf[base.PageSize:2*base.PageSize]))

	pack, err := s.Get(ctx, packName(id, 1), 0, -1)
	require.NoError(t, err)
	require.NoError(t, s.Put(ctx, packName(id, 1), pack[:len(pack)/2]))
	v, err := Verify(ctx, c, nil)
	require.NoError(t, err)
	require.NotEmpty(t, v.Faults)
	gone, err := Prune(ctx, s, func([]*Manifest) []string { return nil }, false)
	require.NoError(t, err)
	require.Equal(t, []string{id}, gone)
	list, err := s.List(ctx, "")
	require.NoError(t, err)
	require.Empty(t, list)
}
