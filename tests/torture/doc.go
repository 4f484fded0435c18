// Package torture kills a real server under load, again and again, and looks at what it comes back
// with.
//
//	EMBER_SEED=7 go test ./tests/torture -kills 50
//
// Two loads, each with eight connections, each checked from outside after every kill:
//
//   - the TPC-C-like workload with a ledger of acknowledged transactions: nothing acknowledged is
//     lost, nothing is there by half, all twelve consistency conditions hold;
//   - rows of every size, inserted, changed and deleted by writers that know what each of their
//     keys must hold: after the kill every transaction is there whole or not at all, by the primary
//     key and by every index.
//
// Another server has loads of every shape at once: definitions that change, foreign keys that
// cascade over long values, transactions over whole tables that are rolled back, killed in the
// middle or cut to a savepoint, branches that stay prepared, views that hold purge back; its pool,
// redo log and undo space are tiny and change, at work and from one start to the next, and it is
// killed on its way up, also twice and more.
//
// One more server dumps and loads its LRU list without a pause beside queries, and is killed at any
// moment of that: a good list is there afterwards, and no page that the load brings is another than
// it should be.
//
// Some kills come while the server is still recovering from the one before. After some kills, and
// at the end, the data directory is checked page by page.
package torture
