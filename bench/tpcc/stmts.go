package tpcc

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// stmtID names a statement of the workload.
type stmtID int

const (
	stCustomerWarehouse stmtID = iota
	stDistrictForUpdate
	stDistrictNext
	stInsertOrder
	stInsertNewOrder
	stItem
	stUpdateStock
	stInsertLine

	stWarehouseYtd
	stWarehouse
	stDistrictYtd
	stDistrict
	stCustomersByName
	stCustomerForUpdate
	stCustomerData
	stCustomerPay
	stCustomerPayData
	stInsertHistory

	stCustomer
	stLastOrder
	stOrderLines

	stOldestNewOrder
	stDeleteNewOrder
	stOrderCustomer
	stOrderCarrier
	stLinesDelivered
	stLinesAmount
	stCustomerDelivered

	stNextOrder
	stStockLevel

	stStockForUpdate // the first of ten, one for each district's S_DIST column
	stCount          = stStockForUpdate + 10
)

var stmtText = func() [stCount]string {
	t := [stCount]string{
		stCustomerWarehouse: "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse" +
			" WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?",
		stDistrictForUpdate: "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE",
		stDistrictNext:      "UPDATE district SET d_next_o_id = ? + 1 WHERE d_w_id = ? AND d_id = ?",
		stInsertOrder: "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)" +
			" VALUES (?, ?, ?, ?, ?, ?, ?)",
		stInsertNewOrder: "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)",
		stItem:           "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?",
		stUpdateStock: "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1," +
			" s_remote_cnt = s_remote_cnt + ? WHERE s_i_id = ? AND s_w_id = ?",
		stInsertLine: "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id," +
			" ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",

		stWarehouseYtd: "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?",
		stWarehouse:    "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?",
		stDistrictYtd:  "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?",
		stDistrict: "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district" +
			" WHERE d_w_id = ? AND d_id = ?",
		stCustomersByName: "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first",
		stCustomerForUpdate: "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone," +
			" c_credit, c_credit_lim, c_discount, c_balance, c_since FROM customer" +
			" WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE",
		stCustomerData: "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
		stCustomerPay: "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?," +
			" c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
		stCustomerPayData: "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?," +
			" c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
		stInsertHistory: "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data)" +
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",

		stCustomer: "SELECT c_balance, c_first, c_middle, c_last FROM customer" +
			" WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
		stLastOrder: "SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?" +
			" ORDER BY o_id DESC LIMIT 1",
		stOrderLines: "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line" +
			" WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",

		stOldestNewOrder: "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ?" +
			" ORDER BY no_o_id LIMIT 1 FOR UPDATE",
		stDeleteNewOrder: "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?",
		stOrderCustomer:  "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ? FOR UPDATE",
		stOrderCarrier:   "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
		stLinesDelivered: "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
		stLinesAmount:    "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
		stCustomerDelivered: "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1" +
			" WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",

		stNextOrder: "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?",
		stStockLevel: "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ?" +
			" AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?",
	}
	for d := range 10 {
		t[int(stStockForUpdate)+d] = fmt.Sprintf("SELECT s_quantity, s_data, s_dist_%02d FROM stock"+
			" WHERE s_i_id = ? AND s_w_id = ? FOR UPDATE", d+1)
	}
	return t
}()

// session is one connection. In prepared mode each statement is prepared when it is first used.
type session struct {
	db       *sql.DB
	init     []string // run on every new connection
	prepared bool

	conn  *sql.Conn // nil: not connected
	stmts [stCount]*sql.Stmt
}

func (s *session) connect(ctx context.Context) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	for _, stmt := range s.init {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			conn.Close()
			return fmt.Errorf("%s: %w", stmt, err)
		}
	}
	s.conn = conn
	return nil
}

// disconnect drops the connection and what was prepared on it.
func (s *session) disconnect() {
	if s.conn == nil {
		return
	}
	s.stmts = [stCount]*sql.Stmt{}
	s.conn.Close()
	s.conn = nil
}

// command runs a statement that never has parameters: START TRANSACTION, COMMIT, ROLLBACK.
func (s *session) command(ctx context.Context, text string) error {
	_, err := s.conn.ExecContext(ctx, text)
	return err
}

func (s *session) stmt(ctx context.Context, id stmtID) (*sql.Stmt, error) {
	if s.stmts[id] == nil {
		st, err := s.conn.PrepareContext(ctx, stmtText[id])
		if err != nil {
			return nil, fmt.Errorf("prepare %s: %w", stmtText[id], err)
		}
		s.stmts[id] = st
	}
	return s.stmts[id], nil
}

func (s *session) exec(ctx context.Context, id stmtID, args ...any) error {
	var err error
	if s.prepared {
		var st *sql.Stmt
		if st, err = s.stmt(ctx, id); err == nil {
			_, err = st.ExecContext(ctx, args...)
		}
	} else {
		_, err = s.conn.ExecContext(ctx, stmtText[id], args...)
	}
	return stmtError(id, err)
}

// rows runs a query and hands each row's columns, scanned into dest, to each.
func (s *session) rows(ctx context.Context, id stmtID, args, dest []any, each func()) error {
	var rows *sql.Rows
	var err error
	if s.prepared {
		var st *sql.Stmt
		if st, err = s.stmt(ctx, id); err == nil {
			rows, err = st.QueryContext(ctx, args...)
		}
	} else {
		rows, err = s.conn.QueryContext(ctx, stmtText[id], args...)
	}
	if err != nil {
		return stmtError(id, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return fmt.Errorf("%s: %w: %w", stmtText[id], errWrongResult, err)
		}
		each()
	}
	return stmtError(id, rows.Err())
}

// row runs a query that must return one row.
func (s *session) row(ctx context.Context, id stmtID, args []any, dest ...any) error {
	n := 0
	if err := s.rows(ctx, id, args, dest, func() { n++ }); err != nil {
		return err
	}
	if n != 1 {
		return fmt.Errorf("%s %v: %d rows: %w", stmtText[id], args, n, errWrongResult)
	}
	return nil
}

// errWrongResult marks an answer that the workload's rules exclude: the server, or the loaded data,
// is wrong.
var errWrongResult = errors.New("wrong result")

func stmtError(id stmtID, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", stmtText[id], err)
}

// timestamp is the current time as a DATETIME literal. Text avoids any conversion between time
// zones.
func timestamp() string { return time.Now().Format("2006-01-02 15:04:05") }
