package certs

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCertificatesInterrupted ends the making of the certificates behind each of its files: the
// next start completes them, and takes no key from anybody.
func TestCertificatesInterrupted(t *testing.T) {
	whole := t.TempDir()
	require.NoError(t, generateCerts(whole))
	written := []string{"ca-key.pem", "ca.pem", "client-key.pem", "client-cert.pem", "server-key.pem", "server-cert.pem"}
	for n := range len(written) + 1 {
		dir := t.TempDir()
		for _, name := range written[:n] {
			data, err := os.ReadFile(filepath.Join(whole, name))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		}
		require.NoError(t, generateCerts(dir))
		for _, name := range []string{"client", "server"} {
			_, err := tls.LoadX509KeyPair(filepath.Join(dir, name+"-cert.pem"), filepath.Join(dir, name+"-key.pem"))
			require.NoError(t, err, "%s behind %v", name, written[:n])
		}
		if n >= 5 {
			was, err := os.ReadFile(filepath.Join(whole, "server-key.pem"))
			require.NoError(t, err)
			is, err := os.ReadFile(filepath.Join(dir, "server-key.pem"))
			require.NoError(t, err)
			require.Equal(t, was, is)
		}
	}
}
