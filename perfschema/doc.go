// Package perfschema counts statements and errors for the tables of performance_schema. It knows
// neither SQL types nor sockets: the server tells it of connections and statements, and makes rows
// of what it holds.
//
// # The way of an event
//
//	Registry.Connect    a connection begins: a Thread
//	Thread.End          a statement has ended: an Event
//	Thread.Leave        the connection ends; what it counted goes to its account
//
// An Event is added to the statements of its Thread by name, to the errors of the Thread, to its
// Digest, and is put in the histories. A Digest is the sum of all statements of one schema that
// differ only in their values.
//
// # Cost
//
// A statement takes two mutexes that nobody else wants: that of its Thread, and that of the stripe
// of its Digest that threads of its number use. It allocates nothing. Whoever runs a statement many
// times keeps its Digest in a Slot, so that its text is read once.
//
// # Bounds
//
// Digests, accounts, texts and histories have limits (Options). Digests and accounts beyond them
// are counted together, under no name.
//
// # Truncation
//
// A reset of threads adds what they counted to their accounts; one of accounts adds it to the
// server. So the sums of the server stay, until they are reset themselves.
//
// # Restarts
//
// Save writes the digests, Load reads them: see keep.go for the format. What is damaged is not
// read.
package perfschema
