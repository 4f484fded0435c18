package tpcc

import (
	"context"
	"database/sql"
	"fmt"
)

// What the check reads, by warehouse and district. One warehouse is held at a time, beside the sums
// of history.

type warehouseData struct {
	id        int
	ytd       int64
	paid      int64 // sum of H_AMOUNT
	districts map[int]*districtData
}

type districtData struct {
	ytd, paid int64
	next      int
	orders    map[int]orderRow
	queue     map[int]struct{} // new_order
	lines     map[int]lineSums // by order
	customers map[int]customerRow
}

type orderRow struct{ c, lines, carrier int } // carrier 0: NULL

type lineSums struct {
	count, delivered        int
	amount, deliveredAmount int64
}

type customerRow struct {
	balance, ytd int64
	deliveries   int
	paid         int64 // sum of H_AMOUNT
}

// historySums are the sums of H_AMOUNT by every key a condition asks for.
type historySums struct {
	warehouse map[int]int64
	district  map[[2]int]int64
	customer  map[[3]int]int64
}

// scan runs a query and calls each after every row.
func scan(ctx context.Context, conn *sql.Conn, query string, args, dest []any, each func()) error {
	rows, err := conn.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		each()
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	return nil
}

func readHistory(ctx context.Context, conn *sql.Conn, led *ledgerCheck) (*historySums, error) {
	h := &historySums{map[int]int64{}, map[[2]int]int64{}, map[[3]int]int64{}}
	var w, d, cw, cd, c int
	var amount money
	var data string
	err := scan(ctx, conn, "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount, h_data FROM history", nil,
		[]any{&w, &d, &cw, &cd, &c, &amount, &data}, func() {
			h.warehouse[w] += int64(amount)
			h.district[[2]int{w, d}] += int64(amount)
			h.customer[[3]int{cw, cd, c}] += int64(amount)
			if led != nil {
				led.payment(data, promisedPayment{w: w, d: d, cw: cw, cd: cd, c: c, amount: int64(amount)})
			}
		})
	return h, err
}

// district returns the data of district d, so that a row without its district is not lost: it shows
// as a violation.
func (wh *warehouseData) district(d int) *districtData {
	dd := wh.districts[d]
	if dd == nil {
		dd = &districtData{orders: map[int]orderRow{}, queue: map[int]struct{}{}, lines: map[int]lineSums{},
			customers: map[int]customerRow{}}
		wh.districts[d] = dd
	}
	return dd
}

func (wh *warehouseData) read(ctx context.Context, conn *sql.Conn, hist *historySums) error {
	var d, o, c, n int
	var a, b money
	args := []any{wh.id}
	if err := scan(ctx, conn, "SELECT d_id, d_ytd, d_next_o_id FROM district WHERE d_w_id = ?", args,
		[]any{&d, &a, &n}, func() {
			dd := wh.district(d)
			dd.ytd, dd.next, dd.paid = int64(a), n, hist.district[[2]int{wh.id, d}]
		}); err != nil {
		return err
	}
	var carrier sql.NullInt64
	if err := scan(ctx, conn, "SELECT o_d_id, o_id, o_c_id, o_ol_cnt, o_carrier_id FROM orders WHERE o_w_id = ?", args,
		[]any{&d, &o, &c, &n, &carrier}, func() {
			wh.district(d).orders[o] = orderRow{c: c, lines: n, carrier: int(carrier.Int64)}
		}); err != nil {
		return err
	}
	if err := scan(ctx, conn, "SELECT no_d_id, no_o_id FROM new_order WHERE no_w_id = ?", args,
		[]any{&d, &o}, func() { wh.district(d).queue[o] = struct{}{} }); err != nil {
		return err
	}
	delivered := 0
	if err := scan(ctx, conn, "SELECT ol_d_id, ol_o_id, COUNT(*), COUNT(ol_delivery_d), SUM(ol_amount),"+
		" SUM(CASE WHEN ol_delivery_d IS NULL THEN 0 ELSE ol_amount END)"+
		" FROM order_line WHERE ol_w_id = ? GROUP BY ol_d_id, ol_o_id", args,
		[]any{&d, &o, &n, &delivered, &a, &b}, func() {
			wh.district(d).lines[o] = lineSums{n, delivered, int64(a), int64(b)}
		}); err != nil {
		return err
	}
	return scan(ctx, conn, "SELECT c_d_id, c_id, c_balance, c_ytd_payment, c_delivery_cnt FROM customer WHERE c_w_id = ?",
		args, []any{&d, &c, &a, &b, &n}, func() {
			paid := hist.customer[[3]int{wh.id, d, c}]
			wh.district(d).customers[c] = customerRow{balance: int64(a), ytd: int64(b), deliveries: n, paid: paid}
		})
}
