// Package lint holds the rules of the house as tests: which package may import which, where files
// may be touched, what every file needs. There is no code to import; run it with go test
// ./internal/lint.
package lint
