package tpcc

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// txType is one of the five transaction profiles.
type txType int

const (
	newOrder txType = iota
	payment
	orderStatus
	delivery
	stockLevel
	txTypes
)

func (t txType) String() string {
	return [txTypes]string{"new_order", "payment", "order_status", "delivery", "stock_level"}[t]
}

// mix holds the share of each profile in percent (5.2.3).
var mix = [txTypes]int{45, 43, 4, 4, 4}

// pick draws the next profile.
func pick(r gen) txType {
	n := r.IntN(100)
	for t, share := range mix {
		if n -= share; n < 0 {
			return txType(t)
		}
	}
	return newOrder
}

// transaction is one input of a profile. run executes its statements between START TRANSACTION and
// COMMIT; it may be called again after a rollback. ledger appends the lines that record its
// effects, given the outcome.
type transaction interface {
	run(ctx context.Context, s *session) error
	ledger(b []byte, outcome string) []byte
}

// errIntendedRollback ends the New-Order that names an unknown item (2.4.1.4).
var errIntendedRollback = errors.New("intended rollback")

// input makes the next transaction of the profile. paymentID is put into H_DATA when it is not
// empty.
func input(t txType, r gen, sc *scale, warehouses int, paymentID string) transaction {
	w, d := r.uniform(1, warehouses), r.uniform(1, sc.districts)
	switch t {
	case newOrder:
		return newOrderInput(r, sc, warehouses, w, d)
	case payment:
		return paymentInput(r, sc, warehouses, w, d, paymentID)
	case orderStatus:
		return &orderStatusTx{customer: pickCustomer(r, sc, w, d)}
	case delivery:
		return &deliveryTx{w: w, carrier: r.uniform(1, 10), districts: sc.districts}
	default:
		return &stockLevelTx{w: w, d: d, threshold: r.uniform(10, 20)}
	}
}

// otherWarehouse returns a warehouse that is not w, if there is one.
func otherWarehouse(r gen, w, warehouses int) int {
	if warehouses == 1 {
		return w
	}
	o := r.uniform(1, warehouses-1)
	if o >= w {
		o++
	}
	return o
}

// New-Order (2.4).

type orderLine struct {
	item, supply, quantity int
}

type newOrderTx struct {
	w, d, c  int
	lines    []orderLine
	allLocal int
	rollback bool

	orderID int   // found by run
	amount  int64 // sum of OL_AMOUNT
}

func newOrderInput(r gen, sc *scale, warehouses, w, d int) *newOrderTx {
	t := &newOrderTx{w: w, d: d, c: r.customerID(sc), allLocal: 1, rollback: r.IntN(100) == 0}
	t.lines = make([]orderLine, r.uniform(5, 15))
	for i := range t.lines {
		l := orderLine{item: r.itemID(sc), supply: w, quantity: r.uniform(1, 10)}
		if r.IntN(100) == 0 {
			if l.supply = otherWarehouse(r, w, warehouses); l.supply != w {
				t.allLocal = 0
			}
		}
		t.lines[i] = l
	}
	// One order of locking for all terminals keeps deadlocks on stock rows away.
	slices.SortFunc(t.lines, func(a, b orderLine) int {
		return cmp.Or(cmp.Compare(a.supply, b.supply), cmp.Compare(a.item, b.item))
	})
	if t.rollback {
		t.lines[len(t.lines)-1].item = sc.items + 1
	}
	return t
}

func (t *newOrderTx) run(ctx context.Context, s *session) error {
	var discount, last, credit, tax, dtax string
	if err := s.row(ctx, stCustomerWarehouse, []any{t.w, t.d, t.c}, &discount, &last, &credit, &tax); err != nil {
		return err
	}
	if err := s.row(ctx, stDistrictForUpdate, []any{t.w, t.d}, &t.orderID, &dtax); err != nil {
		return err
	}
	if err := s.exec(ctx, stDistrictNext, t.orderID, t.w, t.d); err != nil {
		return err
	}
	err := s.exec(ctx, stInsertOrder, t.orderID, t.d, t.w, t.c, timestamp(), len(t.lines), t.allLocal)
	if err != nil {
		return err
	}
	if err := s.exec(ctx, stInsertNewOrder, t.orderID, t.d, t.w); err != nil {
		return err
	}
	t.amount = 0
	for i := range t.lines {
		if err := t.line(ctx, s, i); err != nil {
			return err
		}
	}
	return nil
}

func (t *newOrderTx) line(ctx context.Context, s *session, i int) error {
	l := &t.lines[i]
	var price money
	var name, itemData, stockData, dist string
	found := false
	err := s.rows(ctx, stItem, []any{l.item}, []any{&price, &name, &itemData}, func() { found = true })
	if err != nil {
		return err
	}
	if !found {
		if t.rollback && i == len(t.lines)-1 {
			return errIntendedRollback
		}
		return fmt.Errorf("item %d is missing: %w", l.item, errWrongResult)
	}
	var quantity int
	stock := stStockForUpdate + stmtID(t.d-1)
	if err := s.row(ctx, stock, []any{l.item, l.supply}, &quantity, &stockData, &dist); err != nil {
		return err
	}
	if quantity -= l.quantity; quantity < 10 {
		quantity += 91
	}
	remote := 0
	if l.supply != t.w {
		remote = 1
	}
	if err := s.exec(ctx, stUpdateStock, quantity, l.quantity, remote, l.item, l.supply); err != nil {
		return err
	}
	amount := int64(price) * int64(l.quantity)
	t.amount += amount
	return s.exec(ctx, stInsertLine, t.orderID, t.d, t.w, i+1, l.item, l.supply, l.quantity, cents(amount), dist)
}

func (t *newOrderTx) ledger(b []byte, outcome string) []byte {
	return fmt.Appendf(b, "N %s %d %d %d %d %d %d\n", outcome, t.w, t.d, t.orderID, t.c, len(t.lines), t.amount)
}

// Payment (2.5).

// customer is chosen by number or, in 60 % of the cases, by last name.
type customer struct {
	w, d, c int
	name    string // chosen by name when not empty
}

func pickCustomer(r gen, sc *scale, w, d int) customer {
	if r.IntN(100) < 60 {
		return customer{w: w, d: d, name: r.lastNameRun(sc)}
	}
	return customer{w: w, d: d, c: r.customerID(sc)}
}

// resolve finds the number of a customer chosen by name: the one in the middle, ordered by first
// name (2.5.2.2).
func (c *customer) resolve(ctx context.Context, s *session) error {
	if c.name == "" {
		return nil
	}
	var ids []int
	var id int
	err := s.rows(ctx, stCustomersByName, []any{c.w, c.d, c.name}, []any{&id}, func() { ids = append(ids, id) })
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return fmt.Errorf("no customer %s in district %d of warehouse %d: %w", c.name, c.d, c.w, errWrongResult)
	}
	c.c = ids[(len(ids)+1)/2-1]
	return nil
}

type paymentTx struct {
	w, d     int
	customer customer
	amount   int64
	id       string
}

func paymentInput(r gen, sc *scale, warehouses, w, d int, id string) *paymentTx {
	t := &paymentTx{w: w, d: d, amount: int64(r.uniform(100, 500000)), id: id}
	cw, cd := w, d
	if r.IntN(100) < 15 {
		cw, cd = otherWarehouse(r, w, warehouses), r.uniform(1, sc.districts)
	}
	t.customer = pickCustomer(r, sc, cw, cd)
	return t
}

func (t *paymentTx) run(ctx context.Context, s *session) error {
	// Amounts as numbers, not as text: a decimal literal in the text protocol, so that sums stay
	// exact.
	amount := float64(t.amount) / 100
	var addr [5]string
	var wname, dname string
	if err := s.exec(ctx, stWarehouseYtd, amount, t.w); err != nil {
		return err
	}
	err := s.row(ctx, stWarehouse, []any{t.w}, &addr[0], &addr[1], &addr[2], &addr[3], &addr[4], &wname)
	if err != nil {
		return err
	}
	if err := s.exec(ctx, stDistrictYtd, amount, t.w, t.d); err != nil {
		return err
	}
	err = s.row(ctx, stDistrict, []any{t.w, t.d}, &addr[0], &addr[1], &addr[2], &addr[3], &addr[4], &dname)
	if err != nil {
		return err
	}
	if err := t.payCustomer(ctx, s, amount); err != nil {
		return err
	}
	data := wname + "    " + dname
	if t.id != "" {
		data = t.id
	}
	c := &t.customer
	return s.exec(ctx, stInsertHistory, c.d, c.w, c.c, t.d, t.w, timestamp(), cents(t.amount), data)
}

// payCustomer changes the customer's balance; a customer with bad credit gets the payment noted in
// C_DATA.
func (t *paymentTx) payCustomer(ctx context.Context, s *session, amount float64) error {
	c := &t.customer
	if err := c.resolve(ctx, s); err != nil {
		return err
	}
	var col [14]string
	dest := make([]any, len(col))
	for i := range col {
		dest[i] = &col[i]
	}
	if err := s.row(ctx, stCustomerForUpdate, []any{c.w, c.d, c.c}, dest...); err != nil {
		return err
	}
	if credit := col[9]; credit != "BC" {
		return s.exec(ctx, stCustomerPay, amount, amount, c.w, c.d, c.c)
	}
	var data string
	if err := s.row(ctx, stCustomerData, []any{c.w, c.d, c.c}, &data); err != nil {
		return err
	}
	data = fmt.Sprintf("%d %d %d %d %d %s | %s", c.c, c.d, c.w, t.d, t.w, cents(t.amount), data)
	data = data[:min(len(data), 500)]
	return s.exec(ctx, stCustomerPayData, amount, amount, data, c.w, c.d, c.c)
}

func (t *paymentTx) ledger(b []byte, outcome string) []byte {
	c := &t.customer
	return fmt.Appendf(b, "P %s %s %d %d %d %d %d %d\n", outcome, t.id, t.w, t.d, c.w, c.d, c.c, t.amount)
}

// Order-Status (2.6).

type orderStatusTx struct{ customer customer }

func (t *orderStatusTx) run(ctx context.Context, s *session) error {
	c := &t.customer
	if err := c.resolve(ctx, s); err != nil {
		return err
	}
	var balance, first, middle, last string
	if err := s.row(ctx, stCustomer, []any{c.w, c.d, c.c}, &balance, &first, &middle, &last); err != nil {
		return err
	}
	var orderID int
	var entry, carrier *string
	if err := s.row(ctx, stLastOrder, []any{c.w, c.d, c.c}, &orderID, &entry, &carrier); err != nil {
		return err
	}
	lines := 0
	var item, supply, quantity int
	var amount string
	var delivered *string
	dest := []any{&item, &supply, &quantity, &amount, &delivered}
	if err := s.rows(ctx, stOrderLines, []any{c.w, c.d, orderID}, dest, func() { lines++ }); err != nil {
		return err
	}
	if lines < 5 || lines > 15 {
		return fmt.Errorf("order %d of district %d of warehouse %d has %d lines: %w", orderID, c.d, c.w, lines, errWrongResult)
	}
	return nil
}

func (t *orderStatusTx) ledger(b []byte, _ string) []byte { return b }

// Delivery (2.7), all districts in one transaction.

type deliveryTx struct {
	w, carrier, districts int
	delivered             []deliveredOrder // found by run
}

type deliveredOrder struct{ d, o int }

func (t *deliveryTx) run(ctx context.Context, s *session) error {
	t.delivered = t.delivered[:0]
	for d := 1; d <= t.districts; d++ {
		if err := t.district(ctx, s, d); err != nil {
			return err
		}
	}
	return nil
}

// district delivers the oldest undelivered order of one district, if there is one.
func (t *deliveryTx) district(ctx context.Context, s *session, d int) error {
	var o, c int
	if err := s.rows(ctx, stOldestNewOrder, []any{t.w, d}, []any{&o}, func() {}); err != nil || o == 0 {
		return err
	}
	if err := s.exec(ctx, stDeleteNewOrder, t.w, d, o); err != nil {
		return err
	}
	if err := s.row(ctx, stOrderCustomer, []any{t.w, d, o}, &c); err != nil {
		return err
	}
	if err := s.exec(ctx, stOrderCarrier, t.carrier, t.w, d, o); err != nil {
		return err
	}
	if err := s.exec(ctx, stLinesDelivered, timestamp(), t.w, d, o); err != nil {
		return err
	}
	var amount money
	if err := s.row(ctx, stLinesAmount, []any{t.w, d, o}, &amount); err != nil {
		return err
	}
	if err := s.exec(ctx, stCustomerDelivered, float64(amount)/100, t.w, d, c); err != nil {
		return err
	}
	t.delivered = append(t.delivered, deliveredOrder{d, o})
	return nil
}

func (t *deliveryTx) ledger(b []byte, outcome string) []byte {
	for _, o := range t.delivered {
		b = fmt.Appendf(b, "D %s %d %d %d %d\n", outcome, t.w, o.d, o.o, t.carrier)
	}
	return b
}

// Stock-Level (2.8).

type stockLevelTx struct{ w, d, threshold int }

func (t *stockLevelTx) run(ctx context.Context, s *session) error {
	var next, low int
	if err := s.row(ctx, stNextOrder, []any{t.w, t.d}, &next); err != nil {
		return err
	}
	return s.row(ctx, stStockLevel, []any{t.w, t.d, next, next - 20, t.w, t.threshold}, &low)
}

func (t *stockLevelTx) ledger(b []byte, _ string) []byte { return b }
