package tpcc

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Outcomes in the ledger, as the client saw them.
const (
	ledgerOK    = "ok"
	ledgerMaybe = "maybe"
)

// ledger is the append-only file of outcomes. It is not synced: it must survive the server's death,
// not the machine's.
type ledger struct {
	mu struct {
		sync.Mutex
		f   *os.File
		buf []byte
		err error
	}
}

func openLedger(path string) (*ledger, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	l := &ledger{}
	l.mu.f = f
	return l, nil
}

func (l *ledger) append(tx transaction, outcome string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mu.buf = tx.ledger(l.mu.buf[:0], outcome)
	if len(l.mu.buf) == 0 || l.mu.err != nil {
		return
	}
	_, l.mu.err = l.mu.f.Write(l.mu.buf)
}

func (l *ledger) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.err
}

func (l *ledger) close() { l.mu.f.Close() }

// What the ledger promises, read back.

type orderKey struct{ w, d, o int }

type promisedOrder struct {
	c, lines int
	amount   int64
	certain  bool // acknowledged
}

type promisedPayment struct {
	w, d, cw, cd, c int
	amount          int64
	certain         bool
}

type promisedDelivery struct {
	carrier int
	certain bool
}

// promises is a ledger by key. An order number can be promised in doubt several times (the
// transaction was lost and the number used again) but be acknowledged once only.
type promises struct {
	orders     map[orderKey][]promisedOrder
	payments   map[string]promisedPayment
	deliveries map[orderKey][]promisedDelivery
	duplicates []string // acknowledged twice: the first one was lost
	certain    int
	doubtful   int
}

func readLedger(path string) (*promises, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &promises{orders: map[orderKey][]promisedOrder{}, payments: map[string]promisedPayment{},
		deliveries: map[orderKey][]promisedDelivery{}}
	sc := bufio.NewScanner(f)
	for line := 1; sc.Scan(); line++ {
		if err := p.add(strings.Fields(sc.Text())); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", path, line, err)
		}
	}
	return p, sc.Err()
}

func (p *promises) add(f []string) error {
	if len(f) < 3 || (f[1] != ledgerOK && f[1] != ledgerMaybe) {
		return fmt.Errorf("not a ledger line: %q", strings.Join(f, " "))
	}
	certain := f[1] == ledgerOK
	if certain {
		p.certain++
	} else {
		p.doubtful++
	}
	numbers := f[2:]
	if f[0] == "P" {
		numbers = f[3:]
	}
	n := make([]int, len(numbers))
	for i, s := range numbers {
		v, err := strconv.Atoi(s)
		if err != nil {
			return fmt.Errorf("not a ledger line: %w", err)
		}
		n[i] = v
	}
	switch {
	case f[0] == "N" && len(n) == 6:
		k := orderKey{n[0], n[1], n[2]}
		for _, o := range p.orders[k] {
			if o.certain && certain {
				p.duplicates = append(p.duplicates, fmt.Sprintf("order %v was acknowledged twice", k))
			}
		}
		p.orders[k] = append(p.orders[k], promisedOrder{c: n[3], lines: n[4], amount: int64(n[5]), certain: certain})
	case f[0] == "P" && len(n) == 6:
		p.payments[f[2]] = promisedPayment{n[0], n[1], n[2], n[3], n[4], int64(n[5]), certain}
	case f[0] == "D" && len(n) == 4:
		k := orderKey{n[0], n[1], n[2]}
		for _, d := range p.deliveries[k] {
			if d.certain && certain {
				p.duplicates = append(p.duplicates, fmt.Sprintf("delivery of order %v was acknowledged twice", k))
			}
		}
		p.deliveries[k] = append(p.deliveries[k], promisedDelivery{carrier: n[3], certain: certain})
	default:
		return fmt.Errorf("not a ledger line: %q", strings.Join(f, " "))
	}
	return nil
}
