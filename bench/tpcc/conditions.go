package tpcc

import "strconv"

// conditions are the twelve of clause 3.3.2. Number 11 is written so that it holds after any number
// of transactions: the specification states it for the initial population, where no customer has
// had a delivery.
type conditions struct {
	sc      *scale
	results []*Result
}

var conditionTexts = [12]string{
	"W_YTD = sum(D_YTD)",
	"D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)",
	"max(NO_O_ID) - min(NO_O_ID) + 1 = count(NEW-ORDER)",
	"sum(O_OL_CNT) = count(ORDER-LINE)",
	"O_CARRIER_ID is null if and only if the order is in NEW-ORDER",
	"O_OL_CNT = count(ORDER-LINE) of the order",
	"OL_DELIVERY_D is null if and only if O_CARRIER_ID is null",
	"W_YTD = sum(H_AMOUNT)",
	"D_YTD = sum(H_AMOUNT)",
	"C_BALANCE = sum(OL_AMOUNT delivered) - sum(H_AMOUNT)",
	"count(ORDER) - count(NEW-ORDER) = initially delivered + sum(C_DELIVERY_CNT)",
	"C_BALANCE + C_YTD_PAYMENT = sum(OL_AMOUNT delivered)",
}

func newConditions(sc *scale) *conditions {
	c := &conditions{sc: sc}
	for i, text := range conditionTexts {
		c.results = append(c.results, &Result{Condition: strconv.Itoa(i + 1), Text: text, Passed: true})
	}
	return c
}

// number returns the verdict on condition n.
func (c *conditions) number(n int) *Result { return c.results[n-1] }

func (c *conditions) check(wh *warehouseData) {
	sum := int64(0)
	for _, dd := range wh.districts {
		sum += dd.ytd
	}
	c.number(1).expect(wh.ytd == sum, "warehouse %d: W_YTD %s, sum of D_YTD %s", wh.id, cents(wh.ytd), cents(sum))
	c.number(8).expect(wh.ytd == wh.paid, "warehouse %d: W_YTD %s, sum of H_AMOUNT %s", wh.id, cents(wh.ytd), cents(wh.paid))
	for d, dd := range wh.districts {
		c.counters(wh.id, d, dd)
		c.orders(wh.id, d, dd)
		c.customers(wh.id, d, dd)
	}
}

// counters checks what is stated of a whole district: 2, 3, 4, 9, 11.
func (c *conditions) counters(w, d int, dd *districtData) {
	maxOrder, promised, counted, deliveries := 0, 0, 0, 0
	for o, row := range dd.orders {
		maxOrder = max(maxOrder, o)
		promised += row.lines
	}
	for _, l := range dd.lines {
		counted += l.count
	}
	for _, cust := range dd.customers {
		deliveries += cust.deliveries
	}
	c.number(2).expect(dd.next-1 == maxOrder, "warehouse %d district %d: D_NEXT_O_ID %d, max(O_ID) %d", w, d, dd.next, maxOrder)
	if len(dd.queue) > 0 {
		low, high := 1<<62, 0
		for o := range dd.queue {
			low, high = min(low, o), max(high, o)
		}
		c.number(2).expect(high == maxOrder, "warehouse %d district %d: max(O_ID) %d, max(NO_O_ID) %d", w, d, maxOrder, high)
		c.number(3).expect(high-low+1 == len(dd.queue), "warehouse %d district %d: NO_O_ID %d to %d, %d rows",
			w, d, low, high, len(dd.queue))
	}
	c.number(4).expect(promised == counted, "warehouse %d district %d: sum of O_OL_CNT %d, %d order lines", w, d, promised, counted)
	c.number(9).expect(dd.ytd == dd.paid, "warehouse %d district %d: D_YTD %s, sum of H_AMOUNT %s", w, d, cents(dd.ytd), cents(dd.paid))
	initial := c.sc.customersPerDistrict - c.sc.newOrdersPerDistrict
	c.number(11).expect(len(dd.orders)-len(dd.queue) == initial+deliveries,
		"warehouse %d district %d: %d orders, %d in NEW-ORDER, %d deliveries", w, d, len(dd.orders), len(dd.queue), deliveries)
}

// orders checks what is stated of each order: 5, 6, 7.
func (c *conditions) orders(w, d int, dd *districtData) {
	for o, row := range dd.orders {
		_, queued := dd.queue[o]
		c.number(5).expect(queued == (row.carrier == 0), "order %d %d %d: O_CARRIER_ID %d, in NEW-ORDER: %t", w, d, o, row.carrier, queued)
		l := dd.lines[o]
		c.number(6).expect(row.lines == l.count, "order %d %d %d: O_OL_CNT %d, %d lines", w, d, o, row.lines, l.count)
		want := 0
		if row.carrier != 0 {
			want = l.count
		}
		c.number(7).expect(l.delivered == want, "order %d %d %d: O_CARRIER_ID %d, %d of %d lines delivered",
			w, d, o, row.carrier, l.delivered, l.count)
	}
	for o := range dd.queue {
		_, ok := dd.orders[o]
		c.number(5).expect(ok, "order %d %d %d is in NEW-ORDER only", w, d, o)
	}
	for o, l := range dd.lines {
		_, ok := dd.orders[o]
		c.number(6).expect(ok, "order %d %d %d: %d lines without an order", w, d, o, l.count)
	}
}

// customers checks what is stated of each customer: 10, 12.
func (c *conditions) customers(w, d int, dd *districtData) {
	bought := map[int]int64{}
	for o, row := range dd.orders {
		bought[row.c] += dd.lines[o].deliveredAmount
	}
	for id, cust := range dd.customers {
		c.number(10).expect(cust.balance == bought[id]-cust.paid, "customer %d %d %d: C_BALANCE %s, delivered %s, paid %s",
			w, d, id, cents(cust.balance), cents(bought[id]), cents(cust.paid))
		c.number(12).expect(cust.balance+cust.ytd == bought[id], "customer %d %d %d: C_BALANCE %s, C_YTD_PAYMENT %s, delivered %s",
			w, d, id, cents(cust.balance), cents(cust.ytd), cents(bought[id]))
	}
}
