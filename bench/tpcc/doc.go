// Package tpcc drives the order-entry workload of the TPC Benchmark C (revision 5.11) against any
// MySQL-compatible server: it loads the nine tables, runs the five transactions, and checks the
// twelve consistency conditions.
//
// Follows the specification:
//
//	population (4.3)    cardinalities, NURand customers and names, 10 % "ORIGINAL", 10 % bad credit, permuted customers
//	transactions (2)    all five profiles; 1 % of the New-Orders name an unknown item and roll back; 1 % of the order
//	                    lines come from, 15 % of the payments go to, another warehouse; 60 % of
//	                    the customers by name
//	mix (5.2.4)         45 New-Order, 43 Payment, 4 Order-Status, 4 Delivery, 4 Stock-Level
//	consistency (3.3.2) conditions 1-12, see check.go
//
// Departs from it, as all drivers of this kind do: no key and think times, no terminals, deliveries
// run in the foreground, and the scale is free of the throughput. Numbers are therefore comparable
// with each other only.
//
// One goroutine with one connection is one terminal. A terminal retries its transaction after a
// deadlock or a lock wait timeout, and reconnects (with back-off) after its connection broke, until
// the time is over, so that a run can go on across restarts of the server. Latency is measured from
// the first attempt's start to the commit's answer.
//
// # Ledger
//
// With a ledger, every transaction that changes data is written down with its outcome as the client
// saw it: acknowledged ("ok"), or in doubt ("maybe") when the connection broke during COMMIT. Check
// reads the ledger and proves that no acknowledged transaction is missing and none is there by
// half. Lines are text, one per transaction:
//
//	N ok|maybe w d o c ol_cnt amount      New-Order: its order, customer, lines, sum of OL_AMOUNT
//	P ok|maybe id w d cw cd c amount      Payment: id stands in H_DATA (instead of the two names)
//	D ok|maybe w d o carrier              Delivery: one line per order delivered
//
// Amounts are in cents.
package tpcc
