// Package certs loads the server's certificate and keys, makes them at the first start, and names
// the ciphers that TLS may use.
//
// Invariant: a file is written whole or not at all; a key is readable by its owner alone.
package certs
