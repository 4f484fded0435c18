package certs

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"emberdb/server/options"
)

const certYears = 10

var (
	ErrBadSpecified = errors.New("certificate does not match the account's requirements")
	tlsVersions     = map[string]uint16{"TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}
)

// CertificateOf reads the server's certificate and its key, as they are now. The authority of
// ssl_ca goes along if it signed the certificate, as OpenSSL has it: MariaDB's client from 11.4 on
// tells a self-signed authority, which it lets pass, from an unknown one by that.
func CertificateOf(o *options.Settings, dir string) (*tls.Certificate, error) {
	files := TlsFilesOf(o)
	pair, err := tls.LoadX509KeyPair(Under(dir, files.Cert), Under(dir, files.Key))
	if err != nil {
		return nil, fmt.Errorf("ssl_cert %s, ssl_key %s: %w", files.Cert, files.Key, err)
	}
	if files.Ca == "" || len(pair.Certificate) != 1 || pair.Leaf == nil {
		return &pair, nil
	}
	text, err := os.ReadFile(Under(dir, files.Ca))
	if err != nil {
		return nil, fmt.Errorf("ssl_ca: %w", err)
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		ca, err := x509.ParseCertificate(block.Bytes)
		if err == nil && !ca.Equal(pair.Leaf) && pair.Leaf.CheckSignatureFrom(ca) == nil {
			pair.Certificate = append(pair.Certificate, ca.Raw)
			break
		}
	}
	return &pair, nil
}

// LoadTLS builds the TLS configuration, generating certificates when allowed. nil means TLS is off.
func LoadTLS(o *options.Settings, dir string) (*tls.Config, error) {
	if !o.Bool("ssl") {
		return nil, nil
	}
	if (o.String("ssl_cert") == "") != (o.String("ssl_key") == "") {
		return nil, errors.New("ssl_cert and ssl_key must be given together")
	}
	if o.String("ssl_cert") == "" {
		if !o.Bool("auto_generate_certs") || dir == "" {
			return nil, nil
		}
		if err := generateCerts(dir); err != nil {
			return nil, err
		}
	}
	files := TlsFilesOf(o)
	ca := files.Ca
	pair, err := CertificateOf(o, dir)
	if err != nil {
		return nil, err
	}
	c := &tls.Config{Certificates: []tls.Certificate{*pair}, MinVersion: tls.VersionTLS13, MaxVersion: tls.VersionTLS12}
	for v := range strings.SplitSeq(o.String("tls_version"), ",") {
		c.MinVersion, c.MaxVersion = min(c.MinVersion, tlsVersions[v]), max(c.MaxVersion, tlsVersions[v])
	}
	if err := setCiphers(c, o); err != nil {
		return nil, err
	}
	if ca != "" {
		text, err := os.ReadFile(Under(dir, ca))
		if err != nil {
			return nil, fmt.Errorf("ssl_ca: %w", err)
		}
		c.ClientCAs = x509.NewCertPool()
		if !c.ClientCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("ssl_ca %s holds no certificate", ca)
		}
		c.ClientAuth = tls.VerifyClientCertIfGiven
	}
	return c, nil
}

// tlsFiles are the files of certificates and keys; relative names are the data directory's.
type tlsFiles struct{ Ca, Cert, Key string }

func TlsFilesOf(o *options.Settings) tlsFiles {
	f := tlsFiles{Ca: o.String("ssl_ca"), Cert: o.String("ssl_cert"), Key: o.String("ssl_key")}
	if f.Cert == "" { // those the server has made
		f.Cert, f.Key = "server-cert.pem", "server-key.pem"
		f.Ca = cmp.Or(f.Ca, "ca.pem")
	}
	return f
}

// Under resolves a relative name against the data directory.
func Under(dir, name string) string {
	if filepath.IsAbs(name) || name == "" {
		return name
	}
	return filepath.Join(dir, name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// generateCerts creates the certificates that are missing. An existing one of the server is left
// alone, and then nothing is generated. The server's certificate is written last, behind its key: a
// key alone is what a start has left that was interrupted, and gets its certificate.
func generateCerts(dir string) error {
	if exists(filepath.Join(dir, "server-cert.pem")) {
		return nil
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	ca := certTemplate(1, "Ember_Auto_Generated_CA_Certificate")
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign|x509.KeyUsageCRLSign
	if err := writeCert(dir, "ca.pem", "ca-key.pem", ca, ca, caKey, caKey); err != nil {
		return err
	}
	for i, name := range []string{"client", "server"} {
		k, err := signerOf(filepath.Join(dir, name+"-key.pem"))
		if err != nil {
			return err
		}
		t := certTemplate(int64(3-i), "Ember_Auto_Generated_"+strings.ToUpper(name[:1])+name[1:]+"_Certificate")
		t.KeyUsage = x509.KeyUsageDigitalSignature
		t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
		if host, err := os.Hostname(); err == nil {
			t.DNSNames = []string{host, "localhost"}
		}
		if err := writeCert(dir, name+"-cert.pem", name+"-key.pem", t, ca, k, caKey); err != nil {
			return err
		}
	}
	return nil
}

// GenerateKeys makes the certificates and the key pair of the password exchange that a data directory
// lacks, as a server's first start does. REQUIRES: no server starts on it meanwhile.
func GenerateKeys(dir string) error {
	var work errgroup.Group
	work.Go(func() error { return generateCerts(dir) })
	work.Go(func() error {
		priv := filepath.Join(dir, "private_key.pem")
		if exists(priv) {
			return nil
		}
		return generateRSA(priv, filepath.Join(dir, "public_key.pem"))
	})
	return work.Wait()
}

// signerOf reads a key without a certificate, or makes one.
func signerOf(path string) (crypto.Signer, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: not a PEM file", path)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s, ok := key.(crypto.Signer); ok {
		return s, nil
	}
	return nil, fmt.Errorf("%s: a key that cannot sign", path)
}

func certTemplate(serial int64, name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.AddDate(certYears, 0, 0),
	}
}

// writeCert writes a key, and then its certificate.
func writeCert(dir, certFile, keyFile string, t, parent *x509.Certificate, key, signer crypto.Signer) error {
	der, err := x509.CreateCertificate(rand.Reader, t, parent, key.Public(), signer)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err := writePEM(filepath.Join(dir, keyFile), "PRIVATE KEY", keyDER, 0o600); err != nil {
		return err
	}
	return writePEM(filepath.Join(dir, certFile), "CERTIFICATE", der, 0o644)
}

func writePEM(path, kind string, der []byte, mode os.FileMode) error {
	return WriteFileAtomic(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), mode)
}

// DraftOf is where the new content of a file is written before it takes the file's place. A crash
// may leave it behind: the next change writes over it.
func DraftOf(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".new")
}

// WriteFileAtomic replaces path so that after a crash either the old or the new content is there.
// REQUIRES: nobody else replaces it.
func WriteFileAtomic(path string, data []byte, mode os.FileMode) error {
	draft := DraftOf(path)
	if err := os.Remove(draft); err != nil && !os.IsNotExist(err) {
		return err
	}
	tmp, err := os.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(draft)
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// LoadRSA reads the key pair of the password exchange, generating it when allowed. A nil key means
// there is none.
func LoadRSA(o *options.Settings, dir string) (*rsa.PrivateKey, []byte, error) {
	priv := Under(dir, o.String("caching_sha2_password_private_key_path"))
	pub := Under(dir, o.String("caching_sha2_password_public_key_path"))
	if !exists(priv) {
		if !o.Bool("caching_sha2_password_auto_generate_rsa_keys") || dir == "" {
			return nil, nil, nil
		}
		if err := generateRSA(priv, pub); err != nil {
			return nil, nil, err
		}
	}
	text, err := os.ReadFile(priv)
	if err != nil {
		return nil, nil, err
	}
	key, err := parseRSA(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", priv, err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, nil, err
	}
	return key, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

func generateRSA(priv, pub string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	if err := writePEM(priv, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key), 0o600); err != nil {
		return err
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return writePEM(pub, "PUBLIC KEY", der, 0o644)
}

func parseRSA(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("not a PEM file")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	if k, ok := key.(*rsa.PrivateKey); ok {
		return k, nil
	}
	return nil, errors.New("not an RSA key")
}
