package tpcc

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"emberdb/bench"
)

// Cardinalities of the initial population (4.2.2). Tests shrink them; a driver never does.
type scale struct {
	items                int // rows of item, and of stock per warehouse
	districts            int // per warehouse
	customersPerDistrict int // also orders per district
	newOrdersPerDistrict int // undelivered orders per district: the newest ones
}

var specScale = scale{items: 100000, districts: 10, customersPerDistrict: 3000, newOrdersPerDistrict: 900}

// table is one of the nine, in the order they are created; dropping goes the other way.
type table struct {
	name    string
	ddl     string
	columns string // in the loader's order
}

var tables = []table{
	{"warehouse", `CREATE TABLE warehouse (
  w_id INT NOT NULL, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20), w_city VARCHAR(20),
  w_state CHAR(2), w_zip CHAR(9), w_tax DECIMAL(4,4), w_ytd DECIMAL(12,2),
  PRIMARY KEY (w_id)) ENGINE=InnoDB`,
		"w_id,w_name,w_street_1,w_street_2,w_city,w_state,w_zip,w_tax,w_ytd"},
	{"district", `CREATE TABLE district (
  d_id TINYINT NOT NULL, d_w_id INT NOT NULL, d_name VARCHAR(10), d_street_1 VARCHAR(20), d_street_2 VARCHAR(20),
  d_city VARCHAR(20), d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,4), d_ytd DECIMAL(12,2), d_next_o_id INT,
  PRIMARY KEY (d_w_id, d_id)) ENGINE=InnoDB`,
		"d_id,d_w_id,d_name,d_street_1,d_street_2,d_city,d_state,d_zip,d_tax,d_ytd,d_next_o_id"},
	{"customer", `CREATE TABLE customer (
  c_id INT NOT NULL, c_d_id TINYINT NOT NULL, c_w_id INT NOT NULL, c_first VARCHAR(16), c_middle CHAR(2),
  c_last VARCHAR(16), c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20), c_state CHAR(2),
  c_zip CHAR(9), c_phone CHAR(16), c_since DATETIME, c_credit CHAR(2), c_credit_lim DECIMAL(12,2),
  c_discount DECIMAL(4,4), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt SMALLINT UNSIGNED,
  c_delivery_cnt SMALLINT UNSIGNED, c_data VARCHAR(500),
  PRIMARY KEY (c_w_id, c_d_id, c_id), KEY idx_customer (c_w_id, c_d_id, c_last, c_first)) ENGINE=InnoDB`,
		"c_id,c_d_id,c_w_id,c_first,c_middle,c_last,c_street_1,c_street_2,c_city,c_state,c_zip,c_phone,c_since," +
			"c_credit,c_credit_lim,c_discount,c_balance,c_ytd_payment,c_payment_cnt,c_delivery_cnt,c_data"},
	{"history", `CREATE TABLE history (
  h_c_id INT, h_c_d_id TINYINT, h_c_w_id INT, h_d_id TINYINT, h_w_id INT, h_date DATETIME, h_amount DECIMAL(6,2),
  h_data VARCHAR(24)) ENGINE=InnoDB`,
		"h_c_id,h_c_d_id,h_c_w_id,h_d_id,h_w_id,h_date,h_amount,h_data"},
	{"orders", `CREATE TABLE orders (
  o_id INT NOT NULL, o_d_id TINYINT NOT NULL, o_w_id INT NOT NULL, o_c_id INT, o_entry_d DATETIME,
  o_carrier_id TINYINT, o_ol_cnt TINYINT, o_all_local TINYINT,
  PRIMARY KEY (o_w_id, o_d_id, o_id), KEY idx_orders (o_w_id, o_d_id, o_c_id, o_id)) ENGINE=InnoDB`,
		"o_id,o_d_id,o_w_id,o_c_id,o_entry_d,o_carrier_id,o_ol_cnt,o_all_local"},
	{"new_order", `CREATE TABLE new_order (
  no_o_id INT NOT NULL, no_d_id TINYINT NOT NULL, no_w_id INT NOT NULL,
  PRIMARY KEY (no_w_id, no_d_id, no_o_id)) ENGINE=InnoDB`,
		"no_o_id,no_d_id,no_w_id"},
	{"item", `CREATE TABLE item (
  i_id INT NOT NULL, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), i_data VARCHAR(50),
  PRIMARY KEY (i_id)) ENGINE=InnoDB`,
		"i_id,i_im_id,i_name,i_price,i_data"},
	{"stock", `CREATE TABLE stock (
  s_i_id INT NOT NULL, s_w_id INT NOT NULL, s_quantity SMALLINT, s_dist_01 CHAR(24), s_dist_02 CHAR(24),
  s_dist_03 CHAR(24), s_dist_04 CHAR(24), s_dist_05 CHAR(24), s_dist_06 CHAR(24), s_dist_07 CHAR(24),
  s_dist_08 CHAR(24), s_dist_09 CHAR(24), s_dist_10 CHAR(24), s_ytd DECIMAL(8,0), s_order_cnt INT,
  s_remote_cnt INT, s_data VARCHAR(50),
  PRIMARY KEY (s_w_id, s_i_id)) ENGINE=InnoDB`,
		"s_i_id,s_w_id,s_quantity,s_dist_01,s_dist_02,s_dist_03,s_dist_04,s_dist_05,s_dist_06,s_dist_07,s_dist_08," +
			"s_dist_09,s_dist_10,s_ytd,s_order_cnt,s_remote_cnt,s_data"},
	{"order_line", `CREATE TABLE order_line (
  ol_o_id INT NOT NULL, ol_d_id TINYINT NOT NULL, ol_w_id INT NOT NULL, ol_number TINYINT NOT NULL, ol_i_id INT,
  ol_supply_w_id INT, ol_delivery_d DATETIME, ol_quantity TINYINT, ol_amount DECIMAL(6,2), ol_dist_info CHAR(24),
  PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)) ENGINE=InnoDB`,
		"ol_o_id,ol_d_id,ol_w_id,ol_number,ol_i_id,ol_supply_w_id,ol_delivery_d,ol_quantity,ol_amount,ol_dist_info"},
}

// foreignKeys are added after the load, when asked for. order_line's key on stock gets the index it
// needs.
var foreignKeys = []string{
	`ALTER TABLE district ADD CONSTRAINT fk_district FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id)`,
	`ALTER TABLE customer ADD CONSTRAINT fk_customer FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id)`,
	`ALTER TABLE history ADD CONSTRAINT fk_history_c FOREIGN KEY (h_c_w_id, h_c_d_id, h_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)`,
	`ALTER TABLE history ADD CONSTRAINT fk_history_d FOREIGN KEY (h_w_id, h_d_id) REFERENCES district (d_w_id, d_id)`,
	`ALTER TABLE orders ADD CONSTRAINT fk_orders FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)`,
	`ALTER TABLE new_order ADD CONSTRAINT fk_new_order FOREIGN KEY (no_w_id, no_d_id, no_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)`,
	`ALTER TABLE stock ADD CONSTRAINT fk_stock_w FOREIGN KEY (s_w_id) REFERENCES warehouse (w_id)`,
	`ALTER TABLE stock ADD CONSTRAINT fk_stock_i FOREIGN KEY (s_i_id) REFERENCES item (i_id)`,
	`ALTER TABLE order_line ADD CONSTRAINT fk_order_line_o FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)`,
	`ALTER TABLE order_line ADD CONSTRAINT fk_order_line_s FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock (s_w_id, s_i_id)`,
}

func tableByName(name string) table {
	for _, t := range tables {
		if t.name == name {
			return t
		}
	}
	panic("tpcc: no table " + name)
}

// existingTables returns which of the nine tables the database holds.
func existingTables(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, "SHOW TABLES")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		for _, t := range tables {
			if strings.EqualFold(t.name, name) {
				found = append(found, t.name)
			}
		}
	}
	return found, rows.Err()
}

// createTables drops the nine tables when force is set, refuses to touch them when they exist, and
// creates them.
func createTables(ctx context.Context, db *sql.DB, force bool) error {
	found, err := existingTables(ctx, db)
	if err != nil {
		return err
	}
	if len(found) > 0 && !force {
		return fmt.Errorf("tables exist already (%s): a load starts from nothing; --force drops them first",
			strings.Join(found, ", "))
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for i := len(tables) - 1; i >= 0 && len(found) > 0; i-- {
		if _, err := conn.ExecContext(ctx, "DROP TABLE IF EXISTS "+tables[i].name); err != nil {
			return fmt.Errorf("drop table %s: %w", tables[i].name, err)
		}
	}
	for _, t := range tables {
		if _, err := conn.ExecContext(ctx, t.ddl); err != nil {
			return fmt.Errorf("create table %s: %w", t.name, err)
		}
	}
	return nil
}

// addForeignKeys does so without a check of the rows, which the loader made right and which would
// copy every table.
func addForeignKeys(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, stmt := range append([]string{"SET foreign_key_checks = 0"}, foreignKeys...) {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			return fmt.Errorf("%s: %w", stmt, err)
		}
	}
	return nil
}

// countWarehouses tells how many warehouses are loaded. Each warehouse's row is the last one its
// loader writes, so a load that was cut short shows.
func countWarehouses(ctx context.Context, db *sql.DB) (int, error) {
	var n int
	err := db.QueryRowContext(ctx, "SELECT COUNT(*) FROM warehouse").Scan(&n)
	return n, err
}

// Loaded tells whether at least so many warehouses are there.
func Loaded(ctx context.Context, target bench.Target, warehouses int) (bool, error) {
	db, err := target.Open(true)
	if err != nil {
		return false, err
	}
	defer db.Close()
	n, err := countWarehouses(ctx, db)
	if bench.IsMissing(err) {
		return false, nil
	}
	return n >= warehouses, err
}
