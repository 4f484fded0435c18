// Package upgrade opens data directories that earlier builds have written.
//
// testdata has two directories of each such build, packed. FORMAT is its release:
//
//	FORMAT-clean.tar.zst     the server was shut down
//	FORMAT-killed.tar.zst    it was killed, with a transaction that had not ended
//
// FORMAT-handover.json is what its server handed over while a client was connected.
//
// load.sql has filled them. Beside each stands what the server showed before its end (.txt), and
// what it showed after write.sql (.written.txt). A test starts this build on a copy, and expects
// the same.
//
//	go test ./tests/upgrade                       the tests
//	make record-directories FORMAT=0.3.0          two more directories, made by this build
//	go test ./tests/upgrade -rewrite              what servers show, anew; read the difference
//
// Record directories for each release, and with the last build before a format on disk changes.
// Keys of TLS are not packed; a start makes new ones. write.sql runs on the directories of all
// builds, so it changes only what each of them has.
package upgrade
