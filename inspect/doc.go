// Package inspect shows what the files of a data directory hold: pages, redo, tablespaces, the
// catalog, the LRU list.
//
// It only reads. It takes no lock, recovers nothing and creates nothing, so it may look at a
// damaged directory, at a copy, or at one a server is running on. What cannot be decoded is named,
// with file, page and offset, and the rest is shown. Each inspector returns a report that is
// printed as text (WriteText) or as JSON.
//
// The files are shown as they are: changes that are in the redo log or in a server's pool only are
// not in the pages yet, and the newest version of a row is shown whoever wrote it, committed or
// not. UseRedo applies the log in memory, for a directory after a crash. On a running server a page
// can be caught half written; it is read again before it is called damaged.
//
// dir.go reads pages, overlay.go applies redo to them; page.go, redo.go, space.go, catalog.go,
// warm.go are the inspectors; verify.go reads every page.
package inspect
