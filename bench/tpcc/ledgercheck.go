package tpcc

// ledgerCheck compares the tables with a ledger: whatever was acknowledged is there, whole and
// once. That nothing is there by half, in doubt or not, follows from the twelve conditions.
type ledgerCheck struct {
	p      *promises
	found  map[string]int // payments of the ledger met in history
	result *Result
}

func newLedgerCheck(p *promises) *ledgerCheck {
	return &ledgerCheck{p: p, found: map[string]int{},
		result: &Result{Condition: "ledger", Text: "every acknowledged transaction is there, whole and once", Passed: true}}
}

// payment takes one row of history.
func (l *ledgerCheck) payment(id string, got promisedPayment) {
	want, ok := l.p.payments[id]
	if !ok {
		return
	}
	l.found[id]++
	got.certain = want.certain
	l.result.expect(got == want, "payment %s: promised %+v, found %+v", id, want, got)
}

// check takes one warehouse.
func (l *ledgerCheck) check(wh *warehouseData) {
	for k, promised := range l.p.orders {
		if k.w != wh.id {
			continue
		}
		dd := wh.district(k.d)
		got, ok := dd.orders[k.o]
		for _, p := range promised {
			if !p.certain {
				continue
			}
			sums := dd.lines[k.o]
			l.result.expect(ok, "order %v was acknowledged and is lost", k)
			l.result.expect(!ok || got.c == p.c && got.lines == p.lines && sums.count == p.lines && sums.amount == p.amount,
				"order %v: promised customer %d, %d lines, %s; found customer %d, %d of %d lines, %s",
				k, p.c, p.lines, cents(p.amount), got.c, sums.count, got.lines, cents(sums.amount))
		}
	}
	for k, promised := range l.p.deliveries {
		if k.w != wh.id {
			continue
		}
		for _, p := range promised {
			if p.certain {
				got := wh.district(k.d).orders[k.o].carrier
				l.result.expect(got == p.carrier, "delivery of order %v: promised carrier %d, found %d", k, p.carrier, got)
			}
		}
	}
}

// finish adds what only shows at the end and returns the verdict.
func (l *ledgerCheck) finish() *Result {
	for id, p := range l.p.payments {
		n := l.found[id]
		l.result.expect(n <= 1, "payment %s is there %d times", id, n)
		l.result.expect(n > 0 || !p.certain, "payment %s was acknowledged and is lost", id)
	}
	for _, d := range l.p.duplicates {
		l.result.expect(false, "%s", d)
	}
	return l.result
}
