// Package backup takes backups of a running server, keeps them in a store, and makes data
// directories of them: at once, or while a server already works on the directory.
//
// A store (Store) is a flat set of named objects: a directory here or on another machine, a bucket
// of S3, or one tar file. An object is written once, whole. A backup is a set of objects under one
// name:
//
//	<set>/begin           what is being backed up, written first: the Begun as JSON
//	<set>/pack.00000001   pieces of pages and files, then a list of them
//	<set>/index           the lists of all packs, sealed like a piece
//	<set>/manifest        the Manifest as JSON, written last: a set without one is not complete
//
// Piece. A piece is one of
//
//	pages   of up to 64 neighbours of one tablespace, beginning at a multiple of 64 (a chunk): those that were ever written, one after the other
//	file    up to 1 MiB of a redo segment, of a binary log file or of the LRU list
//
// It is stored sealed: compressed, unless that hardly makes it smaller, then, if the set is encrypted,
// as nonce (12 bytes) and AES-256-GCM of it, with its entry's identity as additional data. The key is random, of the set,
// and stands in begin encrypted by age to the recipients.
//
// Pack. On disk; fixed. Integers are little-endian.
//
//	0      8    magic "EMBPACK1"
//	8      ..   sealed pieces
//	..     40n  entries: kind u8 (0 pages, 1 file), codec u8 (0 zstd, 1 none, 2 S2), 0 u16, id u32 (tablespace, or number of the file in the manifest), at u64 (first page, or offset in the file),
//	            present u64 (bit k: page at+k is in the piece), offset u32, length u32, CRC-32C
//	            u32 of the stored bytes, length u32 before sealing
//	..     24   n u32, CRC-32C u32 of the entries, offset of the first entry u64, magic "EMBPEND1"
//
// Layers. Later pieces of a chunk lie over earlier ones, page by page: a resumed backup writes only
// the pages that changed since its begin, and an incremental one only those that changed since the
// begin of its base. A chain is read as one list of layers, the newest set first.
//
// Beside the sets a store may have the binary logs of servers (logs.go): a set and the logs behind
// it give every later moment.
//
// Invariants:
//
//	(1) A page is verified when the server reads it, and its bytes are under the checksum of their
//	    piece from then until they are written into a data directory.
//	(2) The manifest is written when all that it names is durable in the store.
//	(3) A data directory gets its identity (ember.json) last. Until then no server opens it;
//	    behind it, either all pages are there or the folder ember.fetch names the backup that has
//	    the others. If binary logs are to be applied, ember.applying stands there before, and
//	    only the server that applies them opens the directory.
//	(4) Nothing of a set is written again, but by the resumption of a backup that has no manifest
//	    yet.
//
// Files: store.go, dir.go, tar.go, remote.go, s3.go, sftp.go the stores; seal.go, compress.go, pack.go,
// manifest.go, chain.go the format; link.go what a server is asked, pull.go all of it, in order;
// take.go a set, local.go the same of this process; clone.go a data directory made of that,
// adopt.go one that replaces a server's own; build.go what stands in a data directory beside the
// pages, restore.go one made of a set; fetch.go, fetchfile.go the file system of a server that
// works on a directory whose pages are still in the backup; verify.go, prune.go sets that are kept;
// private.go a server on a restored directory that nobody else reaches; package transfer copies its
// tables into a server that serves; logs.go, logtail.go binary logs beside the sets; goal.go, feed.go, apply.go a restored directory
// brought to a later moment by them.
package backup
