package equality

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// The tables and SELECTs of sysbench's OLTP scripts, of TPC-C as sysbench and as bench/tpcc run it,
// and of the kinds object mappers write. All must be compiled.

var oltpTables = []string{
	"CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT, k INT DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id), KEY k_1 (k))",
	`CREATE TABLE warehouse (w_id SMALLINT NOT NULL, w_name VARCHAR(10), w_street_1 VARCHAR(20), w_street_2 VARCHAR(20), w_city VARCHAR(20), w_state CHAR(2), w_zip CHAR(9),
		w_tax DECIMAL(4,2), w_ytd DECIMAL(12,2), PRIMARY KEY (w_id))`,
	`CREATE TABLE district (d_id TINYINT NOT NULL, d_w_id SMALLINT NOT NULL, d_name VARCHAR(10), d_street_1 VARCHAR(20), d_street_2 VARCHAR(20), d_city VARCHAR(20),
		d_state CHAR(2), d_zip CHAR(9), d_tax DECIMAL(4,2), d_ytd DECIMAL(12,2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id))`,
	`CREATE TABLE customer (c_id INT NOT NULL, c_d_id TINYINT NOT NULL, c_w_id SMALLINT NOT NULL, c_first VARCHAR(16), c_middle CHAR(2), c_last VARCHAR(16),
		c_street_1 VARCHAR(20), c_street_2 VARCHAR(20), c_city VARCHAR(20), c_state CHAR(2), c_zip CHAR(9), c_phone CHAR(16), c_since DATETIME, c_credit CHAR(2),
		c_credit_lim BIGINT, c_discount DECIMAL(4,2), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), c_payment_cnt SMALLINT, c_delivery_cnt SMALLINT, c_data TEXT,
		PRIMARY KEY (c_w_id, c_d_id, c_id), KEY idx_customer (c_w_id, c_d_id, c_last, c_first))`,
	"CREATE TABLE new_orders (no_o_id INT NOT NULL, no_d_id TINYINT NOT NULL, no_w_id SMALLINT NOT NULL, PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
	`CREATE TABLE orders (o_id INT NOT NULL, o_d_id TINYINT NOT NULL, o_w_id SMALLINT NOT NULL, o_c_id INT, o_entry_d DATETIME, o_carrier_id TINYINT, o_ol_cnt TINYINT,
		o_all_local TINYINT, PRIMARY KEY (o_w_id, o_d_id, o_id), KEY idx_orders (o_w_id, o_d_id, o_c_id, o_id))`,
	`CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id TINYINT NOT NULL, ol_w_id SMALLINT NOT NULL, ol_number TINYINT NOT NULL, ol_i_id INT, ol_supply_w_id SMALLINT,
		ol_delivery_d DATETIME, ol_quantity TINYINT, ol_amount DECIMAL(6,2), ol_dist_info CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number),
		KEY fkey_order_line_2 (ol_supply_w_id, ol_i_id))`,
	"CREATE TABLE item (i_id INT NOT NULL, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), i_data VARCHAR(50), PRIMARY KEY (i_id))",
	`CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id SMALLINT NOT NULL, s_quantity SMALLINT, s_dist_01 CHAR(24), s_ytd DECIMAL(8,0), s_order_cnt SMALLINT,
		s_remote_cnt SMALLINT, s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id), KEY fkey_stock_2 (s_i_id))`,
	`CREATE TABLE users (id BIGINT NOT NULL AUTO_INCREMENT, email VARCHAR(255) NOT NULL, name VARCHAR(100), active TINYINT(1) NOT NULL DEFAULT 1, role ENUM('user','admin') NOT NULL,
		created_at TIMESTAMP NULL, settings JSON, PRIMARY KEY (id), UNIQUE KEY email (email), KEY created (created_at))`,
	`CREATE TABLE posts (id BIGINT NOT NULL AUTO_INCREMENT, user_id BIGINT NOT NULL, title VARCHAR(200), status VARCHAR(20) NOT NULL, post_date DATETIME(3) NOT NULL, body TEXT,
		PRIMARY KEY (id), KEY user (user_id), KEY status_date (status, post_date))`,
}

func fillOLTP(t *testing.T, s *side) {
	run := func(format string, args ...any) {
		_, err := s.Execute(fmt.Sprintf(format, args...))
		require.NoError(t, err, format)
	}
	for _, q := range oltpTables {
		run("%s", q)
	}
	for i := 1; i <= 40; i++ {
		run("INSERT INTO sbtest1 VALUES (%d, %d, 'c%d-%d', 'pad%d')", i, i*7%20, i%9, i%4, i)
		run("INSERT INTO item VALUES (%d, %d, 'item %d', %d.%02d, 'data %d')", i, i, i, i, i, i)
		run("INSERT INTO stock VALUES (%d, 1, %d, 'dist %d', %d, 0, 0, 'stock %d')", i, i, i, i, i)
		run("INSERT INTO orders VALUES (%d, %d, 1, %d, '2024-01-02 03:04:%02d', NULL, 5, 1)", i, 1+i%2, 1+i%5, i)
		for n := 1; n <= 3; n++ {
			run("INSERT INTO order_line VALUES (%d, %d, 1, %d, %d, 1, %s, 5, %d.%02d, 'info')", i, 1+i%2, n, 1+(i*n)%40, []string{"NULL", "'2024-01-02 03:04:05'"}[i%2], i, n)
		}
		run("INSERT INTO users VALUES (%d, 'u%d@example.org', 'name %d', %d, '%s', '2024-02-%02d 10:00:00', '{\"n\": %d}')", i, i, i%6, i%2, []string{"user", "admin"}[i%2], 1+i%28, i)
		run("INSERT INTO posts VALUES (%d, %d, 'title %d', '%s', '2024-03-%02d 11:12:13.%03d', 'body %d')", i, 1+i%7, i, []string{"draft", "published"}[i%2], 1+i%28, i, i)
	}
	run("INSERT INTO warehouse VALUES (1, 'w', 's1', 's2', 'c', 'st', '123456789', 0.07, 300000)")
	for d := 1; d <= 2; d++ {
		run("INSERT INTO district VALUES (%d, 1, 'd', 's1', 's2', 'c', 'st', '123456789', 0.1%d, 30000, 41)", d, d)
		for c := 1; c <= 10; c++ {
			run("INSERT INTO customer VALUES (%d, %d, 1, 'first%d', 'OE', 'LAST%d', 's1', 's2', 'c', 'st', 'zip', 'phone', '2024-01-01 00:00:00', 'GC', 50000, 0.1, %d.5, 10, 1, 0, 'data')", c, d, 10-c, c%3, -c)
		}
		for o := 31; o <= 40; o++ {
			run("INSERT INTO new_orders VALUES (%d, %d, 1)", o, d)
		}
	}
}

// oltpReads have a question mark for each parameter; the sets of parameters are tried one after the
// other.
var oltpReads = []struct {
	group, text string
	args        [][]any
}{
	{"sysbench", "SELECT c FROM sbtest1 WHERE id=?", [][]any{{1}, {20}, {99}}},
	{"sysbench", "SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?", [][]any{{1, 9}, {30, 50}, {9, 1}}},
	{"sysbench", "SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN ? AND ?", [][]any{{1, 9}, {30, 50}, {90, 99}}},
	{"sysbench", "SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c", [][]any{{1, 9}, {30, 50}, {9, 1}}},
	{"sysbench", "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN ? AND ? ORDER BY c", [][]any{{1, 20}, {30, 50}, {9, 1}}},
	{"sysbench", "SELECT id, k, c, pad FROM sbtest1 WHERE k IN (?, ?, ?)", [][]any{{1, 7, 14}, {3, 3, 99}}},
	{"sysbench", "SELECT count(k) FROM sbtest1 WHERE k BETWEEN ? AND ? OR k BETWEEN ? AND ?", [][]any{{1, 4, 10, 12}, {5, 5, 7, 90}}},

	{"tpcc", "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?", [][]any{{1, 1, 3}, {1, 2, 9}, {2, 1, 1}}},
	{"tpcc", "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE", [][]any{{1, 1}, {1, 2}, {1, 3}}},
	{"tpcc", "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?", [][]any{{1}, {40}, {41}}},
	{"tpcc", "SELECT s_quantity, s_data, s_dist_01 s_dist FROM stock WHERE s_i_id = ? AND s_w_id= ? FOR UPDATE", [][]any{{1, 1}, {40, 1}, {41, 1}}},
	{"tpcc", "SELECT s_quantity, s_data, s_dist_01 FROM stock WHERE s_i_id = ? AND s_w_id = ? FOR UPDATE", [][]any{{1, 1}, {40, 1}, {41, 1}}},
	{"tpcc", "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?", [][]any{{1}, {2}}},
	{"tpcc", "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = ? AND d_id = ?", [][]any{{1, 1}, {1, 3}}},
	{"tpcc", "SELECT count(c_id) namecnt FROM customer WHERE c_w_id = ? AND c_d_id= ? AND c_last=?", [][]any{{1, 1, "LAST1"}, {1, 2, "last2"}, {1, 1, "x"}}},
	{"tpcc", "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id= ? AND c_last=? ORDER BY c_first", [][]any{{1, 1, "LAST1"}, {1, 2, "last2"}, {1, 1, "x"}}},
	{"tpcc", "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_since" +
		" FROM customer WHERE c_w_id = ? AND c_d_id= ? AND c_id=? FOR UPDATE", [][]any{{1, 1, 1}, {1, 2, 9}, {1, 1, 99}}},
	{"tpcc", "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id=? AND c_id= ?", [][]any{{1, 1, 1}, {1, 2, 9}}},
	{"tpcc", "SELECT c_balance, c_first, c_middle, c_id FROM customer WHERE c_w_id = ? AND c_d_id= ? AND c_last=? ORDER BY c_first", [][]any{{1, 1, "LAST1"}, {1, 2, "last2"}}},
	{"tpcc", "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id=? AND c_id=?", [][]any{{1, 1, 1}, {1, 2, 9}}},
	{"tpcc", "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC", [][]any{{1, 1, 1}, {1, 2, 4}}},
	{"tpcc", "SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT 1", [][]any{{1, 1, 1}, {1, 2, 4}}},
	{"tpcc", "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?", [][]any{{1, 1, 2}, {1, 2, 5}}},
	{"tpcc", "SELECT no_o_id FROM new_orders WHERE no_d_id = ? AND no_w_id = ? ORDER BY no_o_id ASC LIMIT 1 FOR UPDATE", [][]any{{1, 1}, {2, 1}, {3, 1}}},
	{"tpcc", "SELECT o_c_id FROM orders WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?", [][]any{{2, 1, 1}, {3, 2, 1}}},
	{"tpcc", "SELECT SUM(ol_amount) sm FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?", [][]any{{2, 1, 1}, {3, 2, 1}, {99, 1, 1}}},
	{"tpcc", "SELECT d_next_o_id FROM district WHERE d_id = ? AND d_w_id= ?", [][]any{{1, 1}, {2, 1}}},
	{"tpcc", "SELECT COUNT(DISTINCT (s_i_id)) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ? AND s_w_id= ? AND s_i_id=ol_i_id AND s_quantity < ?",
		[][]any{{1, 1, 40, 20, 1, 15}, {1, 2, 41, 1, 1, 30}, {1, 1, 1, 0, 1, 9}}},
	{"tpcc", "SELECT DISTINCT ol_i_id FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ?", [][]any{{1, 1, 40, 20}, {1, 2, 41, 1}}},
	{"tpcc", "SELECT count(*) FROM stock WHERE s_w_id = ? AND s_i_id = ? AND s_quantity < ?", [][]any{{1, 3, 15}, {1, 30, 15}}},

	{"orm", "SELECT `users`.* FROM `users` WHERE `users`.`id` = ? LIMIT 1", [][]any{{1}, {2}, {99}}},
	{"orm", "SELECT `users`.* FROM `users` WHERE `users`.`email` = ? LIMIT 1", [][]any{{"u3@example.org"}, {"U4@EXAMPLE.ORG"}, {"none"}}},
	{"orm", "SELECT 1 AS one FROM `users` WHERE `users`.`email` = ? LIMIT 1", [][]any{{"u3@example.org"}, {"none"}}},
	{"orm", "SELECT (1) AS `a` FROM `users` WHERE `users`.`id` = ? LIMIT 1", [][]any{{3}, {99}}},
	{"orm", "SELECT COUNT(*) AS `__count` FROM `users` WHERE (`users`.`active` = ? AND `users`.`role` = 'admin')", [][]any{{1}, {0}}},
	{"orm", "SELECT COUNT(1) AS n FROM users WHERE NOT (active = ?)", [][]any{{1}, {0}}},
	{"orm", "SELECT `users`.* FROM `users` ORDER BY `users`.`id` ASC LIMIT 1", [][]any{{}, {}}},
	{"orm", "SELECT `users`.* FROM `users` ORDER BY `users`.`created_at` DESC, `users`.`id` DESC LIMIT 5 OFFSET 5", [][]any{{}, {}}},
	{"orm", "SELECT * FROM users WHERE created_at >= ? AND created_at < ? ORDER BY created_at, id", [][]any{{"2024-02-03 00:00:00", "2024-02-09 00:00:00"}, {"2024-02-20 10:00:00", "2025-01-01 00:00:00"}}},
	{"orm", "SELECT `posts`.* FROM `posts` WHERE `posts`.`user_id` IN (?, ?, ?)", [][]any{{1, 2, 3}, {5, 5, 99}}},
	{"orm", "SELECT posts.* FROM posts WHERE 1=1 AND (posts.status = ?) ORDER BY posts.post_date DESC, posts.id DESC LIMIT 0, 10", [][]any{{"draft"}, {"published"}}},
	{"orm", "SELECT u1_0.id, u1_0.name, p1_0.id, p1_0.title, p1_0.post_date FROM users u1_0 LEFT JOIN posts p1_0 ON u1_0.id = p1_0.user_id WHERE u1_0.id = ?", [][]any{{1}, {30}, {99}}},
	{"orm", "SELECT p.id, p.title, u.name, u.role FROM posts p INNER JOIN users u ON u.id = p.user_id WHERE p.status = ? ORDER BY p.id LIMIT 10", [][]any{{"draft"}, {"published"}}},
	{"orm", "SELECT p.user_id, COUNT(*) AS n FROM posts p WHERE p.status = ? GROUP BY p.user_id ORDER BY n DESC, p.user_id LIMIT 3", [][]any{{"draft"}, {"published"}}},
	{"orm", "SELECT status, COUNT(*) FROM posts GROUP BY status ORDER BY status", [][]any{{}, {}}},
	{"orm", "SELECT MAX(id) FROM posts", [][]any{{}, {}}},
	{"orm", "SELECT MIN(post_date), MAX(post_date) FROM posts WHERE status = ?", [][]any{{"draft"}, {"x"}}},
	{"orm", "SELECT id, title FROM posts WHERE title LIKE ? ORDER BY id", [][]any{{"title 1%"}, {"%2"}, {"x"}}},
	{"orm", "SELECT id FROM users WHERE name LIKE ? OR email LIKE ? ORDER BY id", [][]any{{"name 1%", "u2%"}, {"x", "y"}}},
	{"orm", "SELECT id, UPPER(name), CHAR_LENGTH(email) FROM users WHERE id = ?", [][]any{{1}, {2}}},
	{"orm", "SELECT SUM(id), AVG(id), COUNT(name) FROM users WHERE id < ?", [][]any{{10}, {0}}},
	{"orm", "SELECT id FROM posts WHERE user_id = ? AND id > ? ORDER BY id LIMIT 3 FOR UPDATE SKIP LOCKED", [][]any{{1, 0}, {2, 20}}},
}

func TestKnownReadsAreCompiled(t *testing.T) {
	srv := emberd.Start(t)
	fast, slow := connect(t, srv, "oltp", true), connect(t, srv, "oltp", false)
	fillOLTP(t, slow)
	taken, all := map[string]int{}, map[string]int{}
	for _, r := range oltpReads {
		for _, prepared := range []bool{false, true} {
			ordered := strings.Contains(r.text, "ORDER BY")
			fast.run(statement{text: r.text, args: given(r.args[0])}, prepared) // learned from
			before := counted(t, slow)["Ember_compiled_executions"]
			for _, args := range r.args {
				q := statement{text: r.text, args: given(args), ordered: ordered}
				a := fast.run(q, prepared)
				require.NotContains(t, a, "error", "%s %v, prepared %v", r.text, args, prepared)
				require.Equal(t, slow.run(q, prepared), a, "%s %v, prepared %v", r.text, args, prepared)
			}
			done := counted(t, slow)["Ember_compiled_executions"] - before
			if all[r.group]++; done == len(r.args) {
				taken[r.group]++
			} else {
				t.Errorf("%d of %d executions were compiled, prepared %v: %s", done, len(r.args), prepared, r.text)
			}
		}
	}
	for group, n := range all {
		t.Logf("%s: %d of %d statements compiled", group, taken[group], n)
	}
}

// given makes integers those the client library sends.
func given(args []any) (out []any) {
	for _, a := range args {
		if n, ok := a.(int); ok {
			a = int64(n)
		}
		out = append(out, a)
	}
	return out
}
