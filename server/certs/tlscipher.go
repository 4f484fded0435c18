package certs

import (
	"crypto/tls"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"strings"

	"emberdb/server/options"
)

// cipherSuites are the suites that may be offered, under OpenSSL's names, in the order in which the
// server likes them. All have forward secrecy and authenticated encryption: suites with CBC are not
// among them.
var cipherSuites = []struct {
	name string
	id   uint16
}{
	{"ECDHE-ECDSA-AES128-GCM-SHA256", tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	{"ECDHE-ECDSA-AES256-GCM-SHA384", tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384},
	{"ECDHE-ECDSA-CHACHA20-POLY1305", tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256},
	{"ECDHE-RSA-AES128-GCM-SHA256", tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256},
	{"ECDHE-RSA-AES256-GCM-SHA384", tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384},
	{"ECDHE-RSA-CHACHA20-POLY1305", tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256},
}

// CipherName is a suite's name in OpenSSL.
func CipherName(id uint16) string {
	for _, s := range cipherSuites {
		if s.id == id {
			return s.name
		}
	}
	return tls.CipherSuiteName(id) // TLS 1.3's have the same everywhere
}

// setCiphers applies ssl_cipher to TLS 1.2 and tls_ciphersuites to TLS 1.3.
func setCiphers(c *tls.Config, o *options.Settings) error {
	for _, s := range cipherSuites {
		if list := o.String("ssl_cipher"); list == "" || named(list, s.name) {
			c.CipherSuites = append(c.CipherSuites, s.id)
		}
	}
	if len(c.CipherSuites) == 0 {
		return fmt.Errorf("ssl_cipher %q names no cipher that this server has", o.String("ssl_cipher"))
	}
	list := o.String("tls_ciphersuites")
	if list == "" {
		return nil
	}
	// The library has no list for TLS 1.3: a handshake that ends with another suite fails.
	c.VerifyConnection = func(state tls.ConnectionState) error {
		if state.Version == tls.VersionTLS13 && !named(list, tls.CipherSuiteName(state.CipherSuite)) {
			return errors.New("the cipher suite is not among tls_ciphersuites")
		}
		return nil
	}
	return nil
}

// named tells whether a name is in a list with colons.
func named(list, name string) bool {
	for n := range strings.SplitSeq(list, ":") {
		if strings.EqualFold(strings.TrimSpace(n), name) {
			return true
		}
	}
	return false
}

// attributeNames are the short names of a distinguished name's parts.
var attributeNames = map[string]string{"2.5.4.3": "CN", "2.5.4.4": "SN", "2.5.4.5": "serialNumber", "2.5.4.6": "C", "2.5.4.7": "L", "2.5.4.8": "ST",
	"2.5.4.9": "street", "2.5.4.10": "O", "2.5.4.11": "OU", "2.5.4.12": "title", "2.5.4.17": "postalCode", "2.5.4.42": "GN",
	"0.9.2342.19200300.100.1.1": "UID", "0.9.2342.19200300.100.1.25": "DC", "1.2.840.113549.1.9.1": "emailAddress"}

// DistinguishedName writes a name the way accounts spell it: /C=../O=../CN=.., in the certificate's
// order.
func DistinguishedName(n pkix.Name) string {
	var b strings.Builder
	for _, a := range n.Names {
		oid := a.Type.String()
		name, ok := attributeNames[oid]
		if !ok {
			name = oid
		}
		fmt.Fprintf(&b, "/%s=%v", name, a.Value)
	}
	return b.String()
}
