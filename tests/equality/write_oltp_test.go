package equality

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// What the usual benchmarks and drivers write and control, with parameters as their drivers send
// them. All of it must run compiled from its third execution on.
var written = []statement{
	// sysbench
	{text: "UPDATE sbtest1 SET k=k+1 WHERE id=?", args: []any{int64(5)}},
	{text: "UPDATE sbtest1 SET c=? WHERE id=?", args: []any{"68487932199-96439406143", int64(5)}},
	{text: "DELETE FROM sbtest1 WHERE id=?", args: []any{int64(5)}},
	{text: "REPLACE INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)", args: []any{int64(5), int64(7), "x", "y"}},
	{text: "INSERT IGNORE INTO sbtest1 (id, k, c, pad) VALUES (?, ?, ?, ?)", args: []any{int64(5), int64(7), "x", "y"}},
	{text: "INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, ?, ?, ?),(0, ?, ?, ?)", args: []any{int64(7), "x", "y", int64(8), "x", "y"}},
	// TPC-C
	{text: "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", args: []any{12.5, int64(1)}},
	{text: "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", args: []any{decimal("1234"), int64(1)}},
	{text: "UPDATE district SET d_next_o_id = ? + 1 WHERE d_id = ? AND d_w_id= ?", args: []any{int64(3), int64(1), int64(1)}},
	{text: "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) VALUES (?,1,1,?,NOW(),?,?) ON DUPLICATE KEY UPDATE o_c_id = VALUES(o_c_id)",
		args: []any{int64(9), int64(3), int64(10), int64(1)}},
	{text: "REPLACE INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d) VALUES (?,1,1,?,?)", args: []any{int64(9), int64(3), "2024-01-02 03:04:05"}},
	{text: "UPDATE orders SET o_carrier_id = ? WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?", args: []any{int64(2), int64(9), int64(1), int64(1)}},
	{text: "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, s_remote_cnt = s_remote_cnt + ? WHERE s_i_id = ? AND s_w_id= ?",
		args: []any{int64(40), int64(5), int64(0), int64(1), int64(1)}},
	{text: "INSERT INTO order_line (ol_o_id, ol_w_id, ol_quantity, ol_amount, ol_delivery_d) VALUES (?, 1, ?, ?, NULL)", args: []any{int64(4), int64(5), "12.75"}},
	{text: "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_o_id = ? AND ol_w_id = ?", args: []any{int64(4), int64(1)}},
	{text: "UPDATE customer SET c_balance=?, c_ytd_payment=? WHERE c_w_id = ? AND c_id=?", args: []any{-10.25, 10.5, int64(1), int64(1)}},
	{text: "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_id=?",
		args: []any{3.25, 3.25, "1 2 3 \"quoted\" 'twice' \\", int64(1), int64(1)}},
	{text: "DELETE FROM order_line WHERE ol_o_id = ? AND ol_w_id = ? ORDER BY ol_o_id, ol_w_id LIMIT 3", args: []any{int64(77), int64(1)}},
	// what mappers of objects write
	{text: "INSERT INTO things (name, price, kind, tags, made, data, flag) VALUES (?, ?, ?, ?, ?, ?, ?)",
		args: []any{"a \"name\"", "10.50", "big", "x,y", "2024-05-06 07:08:09.123456", `{"a": [1, 2]}`, int64(1)}},
	{text: "INSERT INTO things (name) VALUES (?)", args: []any{"only"}},
	{text: "INSERT INTO things () VALUES ()"},
	{text: "INSERT INTO things (id, name) VALUES (DEFAULT, ?)", args: []any{"it's"}},
	{text: "INSERT INTO things (id, name, price) VALUES (1, ?, ?) AS new ON DUPLICATE KEY UPDATE name = new.name, price = things.price + new.price", args: []any{"n", "1.5"}},
	{text: "UPDATE things SET name = ?, price = price * ? WHERE id = ?", args: []any{"m", int64(1), int64(1)}},
	{text: "UPDATE things SET made = CURRENT_TIMESTAMP, flag = ? WHERE name = ? ORDER BY id LIMIT 10", args: []any{int64(0), "only"}},
	{text: "DELETE FROM things WHERE id > ? ORDER BY id DESC LIMIT 2", args: []any{int64(3)}},
	// control
	{text: "SET autocommit = 0"}, {text: "SELECT 1"}, {text: "SET autocommit=1"}, {text: "SET NAMES utf8mb4"}, {text: "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED"},
	{text: "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"}, {text: "SELECT @@session.transaction_isolation"}, {text: "SELECT @@autocommit, @@max_allowed_packet"},
	{text: "SET sql_mode = 'STRICT_TRANS_TABLES'"}, {text: "SELECT DATABASE()"}, {text: "SELECT LAST_INSERT_ID()"}, {text: "BEGIN"}, {text: "SAVEPOINT sp1"},
	{text: "ROLLBACK TO SAVEPOINT sp1"}, {text: "SAVEPOINT `quoted`"}, {text: "ROLLBACK"}, {text: "START TRANSACTION"}, {text: "SAVEPOINT a"}, {text: "RELEASE SAVEPOINT a"}, {text: "COMMIT"},
	{text: "START TRANSACTION READ ONLY"}, {text: "COMMIT"}, {text: "START TRANSACTION WITH CONSISTENT SNAPSHOT"}, {text: "COMMIT"},
}

func TestWritesRunCompiled(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "wfast", true), connect(t, srv, "wslow", false)
	for _, q := range []string{
		"CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0, c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id), KEY k_1 (k))",
		"INSERT INTO sbtest1 (k, c, pad) VALUES (1,'a','b'),(2,'a','b'),(3,'a','b'),(4,'a','b'),(5,'a','b'),(6,'a','b')",
		"CREATE TABLE warehouse (w_id SMALLINT NOT NULL PRIMARY KEY, w_ytd DECIMAL(12,2))", "INSERT INTO warehouse VALUES (1, 300000)",
		"CREATE TABLE district (d_id TINYINT NOT NULL, d_w_id SMALLINT NOT NULL, d_next_o_id INT, PRIMARY KEY (d_w_id, d_id))", "INSERT INTO district VALUES (1, 1, 3001)",
		`CREATE TABLE orders (o_id INT NOT NULL, o_d_id TINYINT NOT NULL, o_w_id SMALLINT NOT NULL, o_c_id INT, o_entry_d DATETIME, o_carrier_id TINYINT, o_ol_cnt TINYINT, o_all_local TINYINT,
		 PRIMARY KEY (o_w_id, o_d_id, o_id))`,
		"CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id SMALLINT NOT NULL, s_quantity SMALLINT, s_ytd DECIMAL(8,0), s_order_cnt SMALLINT, s_remote_cnt SMALLINT, PRIMARY KEY (s_w_id, s_i_id))",
		"INSERT INTO stock VALUES (1, 1, 50, 0, 0, 0)",
		"CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_w_id SMALLINT NOT NULL, ol_quantity TINYINT, ol_amount DECIMAL(6,2), ol_delivery_d DATETIME, KEY o (ol_o_id, ol_w_id))",
		"CREATE TABLE customer (c_w_id SMALLINT NOT NULL, c_id INT NOT NULL, c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt SMALLINT, c_data TEXT, PRIMARY KEY (c_w_id, c_id))",
		"INSERT INTO customer VALUES (1, 1, -10, 10, 1, 'data')",
		`CREATE TABLE things (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50) NOT NULL DEFAULT 'none', price DECIMAL(10,2) DEFAULT '0.00', kind ENUM('big','small') DEFAULT 'small',
		 tags SET('x','y'), made DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), data JSON, flag TINYINT(1) DEFAULT 0, KEY n (name))`,
	} {
		for _, s := range []*side{fast, slow} {
			_, err := s.Execute(q)
			require.NoError(t, err, q)
		}
	}
	count := func() int { return counters(t, slow)["Ember_compiled_executions"] }
	runs, compiled := 0, 0
	for _, q := range written {
		for _, prepared := range []bool{false, true} {
			for i := range 3 {
				before := count()
				require.Equal(t, slow.run(q, prepared), fast.run(q, prepared), "%s prepared %v", q.text, prepared)
				took := count() - before
				runs, compiled = runs+1, compiled+took
				require.True(t, i < 2 || took == 1 || prepared && len(q.args) == 0, "not compiled: %s, prepared %v", q.text, prepared)
			}
		}
	}
	for _, table := range []string{"sbtest1", "warehouse", "district", "orders", "stock", "order_line", "customer", "things"} {
		q := statement{text: "SELECT * FROM " + table}
		require.Equal(t, slow.run(q, false), fast.run(q, false))
	}
	t.Logf("%d executions, %d compiled", runs, compiled)
}
