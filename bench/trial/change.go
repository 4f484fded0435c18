package trial

import (
	"context"
	"fmt"
)

// change updates rows that lie beside each other, until about so much of the data of a workload has
// changed.
func (l *Load) change(ctx context.Context, s *Server, workload string, part float64) error {
	database, tables, column, set := l.target(s, workload).Database, []string{"stock"}, "s_i_id", "s_quantity = s_quantity + 1"
	if workload != TPCC {
		tables, column, set = nil, "id", "pad = REVERSE(pad)"
		for n := range l.Tables {
			tables = append(tables, fmt.Sprintf("sbtest%d", n+1))
		}
	}
	db, conn, err := s.session(ctx, database)
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	var all, here float64
	const sizes = "SELECT SUM(data_length + index_length), SUM(IF(table_name LIKE ?, data_length, 0)) FROM information_schema.tables WHERE table_schema = ?"
	if err := conn.QueryRowContext(ctx, sizes, tables[0][:5]+"%", database).Scan(&all, &here); err != nil {
		return err
	}
	if here > 0 {
		part = min(1, part*all/here)
	}
	for _, t := range tables {
		var last int64
		if err := conn.QueryRowContext(ctx, fmt.Sprintf("SELECT MAX(%s) FROM %s", column, t)).Scan(&last); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("UPDATE %s SET %s WHERE %s <= %d", t, set, column, int64(part*float64(last)))); err != nil {
			return err
		}
	}
	return nil
}
