package parse

import (
	"testing"

	"emberdb/sql/token"
)

// benchmarkTexts are the statements of point and range work, of order entry, and of reports.
var benchmarkTexts = []struct{ name, text string }{
	{"point", "SELECT c FROM sbtest1 WHERE id=5046"},
	{"range", "SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN 5000 AND 5099 ORDER BY c"},
	{"sum", "SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN 5000 AND 5099"},
	{"update", "UPDATE sbtest1 SET k=k+1 WHERE id=5046"},
	{"delete", "DELETE FROM sbtest1 WHERE id=5046"},
	{"insert", "INSERT INTO sbtest1 (id, k, c, pad) VALUES (5046, 4993, '68487932199-96439406143', '67847967377-48000963322')"},
	{"begin", "BEGIN"},
	{"prepared", "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?"},
	{"stock", "SELECT s_quantity, s_data, s_dist_01 s_dist FROM stock WHERE s_i_id = 88 AND s_w_id = 1 FOR UPDATE"},
	{"orderline", "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info) VALUES (3001, 1, 1, 1, 88, 1, 5, 173.25, 'oxCkTjzXz')"},
	{"stocklevel", "SELECT COUNT(DISTINCT(s_i_id)) FROM order_line, stock WHERE ol_w_id = 1 AND ol_d_id = 1 AND ol_o_id < 3001 AND ol_o_id >= 3001 - 20 AND s_w_id = 1 AND s_i_id = ol_i_id AND s_quantity < 15"},
	{"report", "SELECT l_returnflag, l_linestatus, SUM(l_quantity) AS sum_qty, SUM(l_extendedprice * (1 - l_discount)) AS sum_disc_price, AVG(l_quantity) AS avg_qty, COUNT(*) AS count_order FROM lineitem WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL 90 DAY GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus"},
}

func BenchmarkParse(b *testing.B) {
	for _, c := range benchmarkTexts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(c.text, Options{Mode: token.Prepared}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
