package tpcc

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var testScale = scale{items: 1000, districts: 10, customersPerDistrict: 10, newOrdersPerDistrict: 3}

// soundWarehouse is a warehouse of one district that satisfies all twelve conditions: orders 1-7
// delivered by the load, 8 delivered by a Delivery, 9 and 10 waiting.
func soundWarehouse() *warehouseData {
	wh := &warehouseData{id: 1, ytd: 10500, paid: 10500, districts: map[int]*districtData{}}
	dd := wh.district(1)
	dd.ytd, dd.paid, dd.next = 10500, 10500, 11
	for c := 1; c <= 10; c++ {
		dd.customers[c] = customerRow{balance: -1000, ytd: 1000, paid: 1000}
		o := orderRow{c: c, lines: 5}
		l := lineSums{count: 5}
		switch {
		case c <= 7:
			o.carrier, l.delivered = 3, 5
		case c == 8:
			o.carrier, l = 4, lineSums{5, 5, 2000, 2000}
			dd.customers[c] = customerRow{balance: 500, ytd: 1500, paid: 1500, deliveries: 1}
		default:
			l.amount = 2000
			dd.queue[c] = struct{}{}
		}
		dd.orders[c], dd.lines[c] = o, l
	}
	return wh
}

func failing(wh *warehouseData) (numbers []string) {
	c := newConditions(&testScale)
	c.check(wh)
	for _, r := range c.results {
		if !r.Passed {
			numbers = append(numbers, r.Condition)
		}
	}
	return numbers
}

// TestConditions breaks a sound warehouse in one place each and expects the conditions that must
// notice.
func TestConditions(t *testing.T) {
	require.Empty(t, failing(soundWarehouse()))
	order := func(dd *districtData, o int, f func(*orderRow, *lineSums)) {
		r, l := dd.orders[o], dd.lines[o]
		f(&r, &l)
		dd.orders[o], dd.lines[o] = r, l
	}
	for name, tc := range map[string]struct {
		breakIt func(*warehouseData, *districtData)
		want    string
	}{
		"payment without warehouse": {func(wh *warehouseData, _ *districtData) { wh.ytd-- }, "1 8"},
		"payment without district":  {func(_ *warehouseData, dd *districtData) { dd.ytd-- }, "1 9"},
		"payment without history": {func(wh *warehouseData, dd *districtData) {
			c := dd.customers[8]
			c.paid -= 500
			dd.customers[8] = c
			wh.paid -= 500
			dd.paid -= 500
		}, "8 9 10"},
		"payment without customer": {func(_ *warehouseData, dd *districtData) {
			c := dd.customers[8]
			c.balance += 500
			c.ytd -= 500
			dd.customers[8] = c
		}, "10"},
		"order lost, number taken": {func(_ *warehouseData, dd *districtData) {
			delete(dd.orders, 10)
			delete(dd.lines, 10)
			delete(dd.queue, 10)
		}, "2"},
		"order without queue entry": {func(_ *warehouseData, dd *districtData) { delete(dd.queue, 9) }, "5 11"},
		"queue entry without order": {func(_ *warehouseData, dd *districtData) { dd.queue[11] = struct{}{} }, "2 5 11"},
		"hole in the queue":         {func(_ *warehouseData, dd *districtData) { dd.queue[7] = struct{}{} }, "3 5 11"},
		"line lost":                 {func(_ *warehouseData, dd *districtData) { order(dd, 9, func(_ *orderRow, l *lineSums) { l.count-- }) }, "4 6"},
		"lines without order":       {func(_ *warehouseData, dd *districtData) { dd.lines[12] = lineSums{count: 3} }, "4 6"},
		"line not delivered": {func(_ *warehouseData, dd *districtData) {
			order(dd, 8, func(_ *orderRow, l *lineSums) { l.delivered--; l.deliveredAmount -= 400 })
		}, "7 10 12"},
		"delivery without carrier": {func(_ *warehouseData, dd *districtData) {
			order(dd, 8, func(o *orderRow, _ *lineSums) { o.carrier = 0 })
		}, "5 7"},
		"customer's total without sum": {func(_ *warehouseData, dd *districtData) { c := dd.customers[8]; c.ytd++; dd.customers[8] = c }, "12"},
		"delivery not counted":         {func(_ *warehouseData, dd *districtData) { c := dd.customers[8]; c.deliveries = 0; dd.customers[8] = c }, "11"},
	} {
		t.Run(name, func(t *testing.T) {
			wh := soundWarehouse()
			tc.breakIt(wh, wh.districts[1])
			require.Equal(t, strings.Fields(tc.want), failing(wh))
		})
	}
}

func writeLedger(t *testing.T, lines ...string) *promises {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	p, err := readLedger(path)
	require.NoError(t, err)
	return p
}

func TestLedger(t *testing.T) {
	for name, tc := range map[string]struct {
		lines []string
		ok    bool
	}{
		"all there":             {[]string{"N ok 1 1 9 9 5 2000", "D ok 1 1 8 4", "P ok x-1 1 1 1 1 8 500"}, true},
		"doubtful ones missing": {[]string{"N maybe 1 1 11 3 7 100", "D maybe 1 1 9 4", "P maybe x-2 1 1 1 1 8 500"}, true},
		"doubt, then certainty": {[]string{"N maybe 1 1 9 3 7 100", "N ok 1 1 9 9 5 2000"}, true},
		"order lost":            {[]string{"N ok 1 1 11 9 5 2000"}, false},
		"another order":         {[]string{"N ok 1 1 9 8 5 2000"}, false},
		"other amount":          {[]string{"N ok 1 1 9 9 5 1999"}, false},
		"acknowledged twice":    {[]string{"N ok 1 1 9 9 5 2000", "N ok 1 1 9 9 5 2000"}, false},
		"payment lost":          {[]string{"P ok x-2 1 1 1 1 8 500"}, false},
		"payment altered":       {[]string{"P ok x-1 1 1 1 1 8 501"}, false},
		"delivery lost":         {[]string{"D ok 1 1 9 4"}, false},
		"delivered twice":       {[]string{"D ok 1 1 8 4", "D ok 1 1 8 4"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedgerCheck(writeLedger(t, tc.lines...))
			l.payment("x-1", promisedPayment{w: 1, d: 1, cw: 1, cd: 1, c: 8, amount: 500})
			l.payment("someone else's", promisedPayment{})
			l.check(soundWarehouse())
			require.Equal(t, tc.ok, l.finish().Passed, "%v", l.result.Examples)
		})
	}
}

// TestLedgerRoundTrip writes every kind of transaction through the file and reads it back.
func TestLedgerRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := openLedger(path)
	require.NoError(t, err)
	l.append(&newOrderTx{w: 1, d: 2, c: 3, lines: make([]orderLine, 5), orderID: 77, amount: 12345}, ledgerOK)
	l.append(&paymentTx{w: 1, d: 2, customer: customer{w: 4, d: 5, c: 6}, amount: 99, id: "a-1"}, ledgerMaybe)
	l.append(&deliveryTx{w: 1, carrier: 9, delivered: []deliveredOrder{{1, 10}, {2, 20}}}, ledgerOK)
	l.append(&orderStatusTx{}, ledgerOK)
	require.NoError(t, l.failed())
	l.close()
	p, err := readLedger(path)
	require.NoError(t, err)
	require.Equal(t, []promisedOrder{{c: 3, lines: 5, amount: 12345, certain: true}}, p.orders[orderKey{1, 2, 77}])
	require.Equal(t, promisedPayment{1, 2, 4, 5, 6, 99, false}, p.payments["a-1"])
	require.Equal(t, []promisedDelivery{{9, true}}, p.deliveries[orderKey{1, 2, 20}])
	require.Equal(t, 3, p.certain)
	require.Equal(t, 1, p.doubtful)
}

func TestReadLedgerRefusesOtherFiles(t *testing.T) {
	for _, text := range []string{"hello", "N ok 1 2", "N perhaps 1 1 1 1 1 1", "P ok id 1 x 1 1 1 1", "D ok 1 2 3 4 5"} {
		path := filepath.Join(t.TempDir(), "ledger")
		require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o644))
		_, err := readLedger(path)
		require.ErrorContains(t, err, "line 1", text)
	}
}

func TestDecimal(t *testing.T) {
	for v, want := range map[int64]string{0: "0.00", 5: "0.05", -5: "-0.05", 100: "1.00", -123456: "-1234.56"} {
		require.Equal(t, want, cents(v))
		back, err := parseDecimal(want, 2)
		require.NoError(t, err)
		require.Equal(t, v, back)
	}
	v, err := parseDecimal("12.3000", 2)
	require.NoError(t, err)
	require.EqualValues(t, 1230, v)
	for _, bad := range []string{"", "1.234", "x"} {
		_, err := parseDecimal(bad, 2)
		require.Error(t, err, bad)
	}
}

// TestInputs checks ranges and shares of the generated transactions against the specification.
func TestInputs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := newGen(seed, 1)
	const n = 100000
	const warehouses = 4
	var counts [txTypes]int
	rollbacks, lines, remoteLines, remotePayments, byName := 0, 0, 0, 0, 0
	for range n {
		typ := pick(r)
		counts[typ]++
		switch tx := input(typ, r, &specScale, warehouses, "").(type) {
		case *newOrderTx:
			require.True(t, len(tx.lines) >= 5 && len(tx.lines) <= 15)
			if tx.rollback {
				rollbacks++
			}
			for i, l := range tx.lines {
				lines++
				if l.supply != tx.w {
					remoteLines++
					require.Zero(t, tx.allLocal)
				}
				require.Equal(t, l.item > specScale.items, tx.rollback && i == len(tx.lines)-1)
			}
		case *paymentTx:
			if tx.customer.w != tx.w {
				remotePayments++
			}
			if tx.customer.name != "" {
				byName++
			}
		}
	}
	share := func(got, of int, want float64) {
		t.Helper()
		require.InDelta(t, want, float64(got)/float64(of), 0.02)
	}
	for typ, c := range counts {
		share(c, n, float64(mix[typ])/100)
	}
	share(rollbacks, counts[newOrder], 0.01)
	share(remoteLines, lines, 0.01)
	share(remotePayments, counts[payment], 0.15)
	share(byName, counts[payment], 0.60)
	require.Greater(t, rollbacks, 0)
	require.Greater(t, remoteLines, 0)
}

func TestLastName(t *testing.T) {
	require.Equal(t, "BARBARBAR", lastName(0))
	require.Equal(t, "PRICALLYOUGHT", lastName(371))
	delta := cLastRun - cLastLoad
	require.True(t, delta >= 65 && delta <= 119 && delta != 96 && delta != 112)
}
