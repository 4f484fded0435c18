package replication

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"emberdb/internal/vfs"
	"emberdb/replication/relay"
)

// Place is a position in the source's log.
type Place = relay.Place

// Source says whom to follow, and how: what CHANGE REPLICATION SOURCE TO sets. It is stored as it
// is.
type Source struct {
	Host         string
	Port         uint16
	User         string
	Password     string
	Place        Place // where to begin, without Auto
	Epoch        int64 // of the places that were stored since it was set
	Auto         bool  // by GTIDs
	ConnectRetry time.Duration
	RetryCount   int
	Heartbeat    time.Duration
	Delay        time.Duration
	Bind         string   // address to connect from
	IgnoreIDs    []uint32 // of servers whose transactions are passed over
	RowFormat    bool     // refuse statements of transactions
	GTIDOnly     bool
	PublicKey    string // file with the source's RSA key
	AskPublicKey bool
	KeyCheck     string // REQUIRE_TABLE_PRIMARY_KEY_CHECK
	Anonymous    string // ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS: empty, LOCAL or a UUID
	Compression  string // algorithms, by commas; empty: uncompressed
	ZstdLevel    int
	TLS          TLS
}

// TLS says how the connection to the source is encrypted.
type TLS struct {
	On           bool
	Verify       bool // that the certificate is the host's
	CA, CAPath   string
	Cert, Key    string
	Cipher       string
	CRL, CRLPath string
	Versions     string
	Suites       *string // nil: the default ones
}

var tlsVersions = map[string]uint16{"TLSV1.2": tls.VersionTLS12, "TLSV1.3": tls.VersionTLS13}

// Client makes it what a client of the host needs; nil: there is no encryption.
func (t *TLS) Client(host string) (*tls.Config, error) { return t.config(vfs.NewOS(nil), host) }

// config makes it what the connection needs; nil: there is no encryption.
func (t *TLS) config(fs vfs.FS, host string) (*tls.Config, error) {
	if !t.On {
		return nil, nil
	}
	c := &tls.Config{ServerName: host, InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}
	if err := t.limit(c); err != nil {
		return nil, err
	}
	if t.CRL != "" || t.CRLPath != "" {
		return nil, errors.New("certificate revocation lists are not supported")
	}
	if t.Cert != "" || t.Key != "" {
		pair, err := t.pair(fs)
		if err != nil {
			return nil, err
		}
		c.Certificates = []tls.Certificate{pair}
	}
	roots, err := t.roots(fs)
	if err != nil || roots == nil && !t.Verify {
		return c, err
	}
	c.RootCAs = roots
	if t.Verify {
		c.InsecureSkipVerify = false
		return c, nil
	}
	c.VerifyConnection = func(s tls.ConnectionState) error { // the authority, not the name
		v := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool()}
		for _, link := range s.PeerCertificates[1:] {
			v.Intermediates.AddCert(link)
		}
		_, err := s.PeerCertificates[0].Verify(v)
		return err
	}
	return c, nil
}

// limit keeps versions and cipher suites to those that are named.
func (t *TLS) limit(c *tls.Config) error {
	if t.Versions != "" {
		c.MinVersion, c.MaxVersion = tls.VersionTLS13, tls.VersionTLS12
		for _, name := range strings.Split(t.Versions, ",") {
			v := tlsVersions[strings.ToUpper(strings.TrimSpace(name))]
			if v == 0 {
				return fmt.Errorf("TLS version %q is not supported", name)
			}
			c.MinVersion, c.MaxVersion = min(c.MinVersion, v), max(c.MaxVersion, v)
		}
	}
	if t.Cipher == "" {
		return nil
	}
	for _, s := range tls.CipherSuites() {
		for _, name := range strings.FieldsFunc(t.Cipher, func(r rune) bool { return r == ':' || r == ',' }) {
			if plain := strings.ReplaceAll(name, "-", "_"); strings.Contains(strings.ReplaceAll(s.Name, "_WITH", ""), "TLS_"+plain) || s.Name == name ||
				openSSLName(s.Name) == name {
				c.CipherSuites = append(c.CipherSuites, s.ID)
			}
		}
	}
	if c.CipherSuites == nil {
		return fmt.Errorf("no cipher of %q is supported", t.Cipher)
	}
	return nil
}

// openSSLName is the name of a cipher suite of TLS 1.2 as OpenSSL and MySQL write it.
func openSSLName(name string) string {
	name = strings.NewReplacer("TLS_", "", "_WITH", "", "AES_128", "AES128", "AES_256", "AES256", "CHACHA20_POLY1305_SHA256", "CHACHA20_POLY1305").Replace(name)
	return strings.TrimPrefix(strings.ReplaceAll(name, "_", "-"), "RSA-")
}

func (t *TLS) pair(fs vfs.FS) (pair tls.Certificate, err error) {
	cert, err := vfs.ReadFile(fs, t.Cert)
	if err != nil {
		return pair, err
	}
	key := cert
	if t.Key != "" {
		if key, err = vfs.ReadFile(fs, t.Key); err != nil {
			return pair, err
		}
	}
	return tls.X509KeyPair(cert, key)
}

// roots are the authorities that are named; nil: none is.
func (t *TLS) roots(fs vfs.FS) (*x509.CertPool, error) {
	var files []string
	if t.CA != "" {
		files = append(files, t.CA)
	}
	if t.CAPath != "" {
		names, err := fs.List(t.CAPath)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			files = append(files, path.Join(t.CAPath, name))
		}
	}
	if files == nil {
		return nil, nil
	}
	pool := x509.NewCertPool()
	for _, name := range files {
		pem, err := vfs.ReadFile(fs, name)
		if err != nil {
			return nil, err
		}
		if !pool.AppendCertsFromPEM(pem) && t.CA == name {
			return nil, fmt.Errorf("%s holds no certificate", name)
		}
	}
	return pool, nil
}
