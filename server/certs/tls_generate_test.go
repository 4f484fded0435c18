package certs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerateKeys makes all files of keys, which no later call replaces.
func TestGenerateKeys(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, GenerateKeys(dir))
	read := func() map[string]string {
		files := map[string]string{}
		for _, name := range []string{"ca.pem", "ca-key.pem", "server-cert.pem", "server-key.pem", "client-cert.pem", "client-key.pem", "private_key.pem", "public_key.pem"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			files[name] = string(text)
		}
		return files
	}
	made := read()
	require.NoError(t, GenerateKeys(dir))
	require.Equal(t, made, read())
	require.Error(t, GenerateKeys(filepath.Join(dir, "missing")))
}
