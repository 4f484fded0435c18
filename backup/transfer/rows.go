package transfer

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// kind is how values of a type are read and written.
type kind int

const (
	number kind = iota // as it is
	float              // read as a DOUBLE: as a FLOAT its text has too few digits
	bits               // read as a number
	text               // in quotes, in the session's character set
	octets             // in quotes, as bytes
	digits             // as hexadecimal digits
)

var kinds = map[string]kind{
	"tinyint": number, "smallint": number, "mediumint": number, "int": number, "bigint": number, "decimal": number, "double": number, "year": number,
	"float": float, "bit": bits,
	"char": text, "varchar": text, "tinytext": text, "text": text, "mediumtext": text, "longtext": text, "enum": text, "set": text, "json": text,
	"date": text, "time": text, "datetime": text, "timestamp": text,
	"binary": octets, "varbinary": octets, "tinyblob": octets, "blob": octets, "mediumblob": octets, "longblob": octets, "vector": digits,
	"geometry": octets, "point": octets, "linestring": octets, "polygon": octets, "multipoint": octets, "multilinestring": octets,
	"multipolygon": octets, "geomcollection": octets, "geometrycollection": octets,
}

// expression is what a column is read as.
func (c *column) expression() string {
	switch c.kind {
	case float:
		return name(c.name) + " + 0e0"
	case bits:
		return name(c.name) + " + 0"
	}
	return name(c.name)
}

// appendValue writes a value that is not NULL.
func (c *column) appendValue(out, v []byte) []byte {
	switch c.kind {
	case text:
		return appendQuoted(out, v)
	case octets:
		return appendQuoted(append(out, "_binary"...), v)
	case digits:
		return hex.AppendEncode(append(out, "0x"...), v)
	}
	return append(out, v...)
}

// appendQuoted writes a string constant.
func appendQuoted(out, v []byte) []byte {
	out = append(out, '\'')
	for _, b := range v {
		switch b {
		case '\\', '\'':
			out = append(out, '\\')
		case 0:
			out, b = append(out, '\\'), '0'
		}
		out = append(out, b)
	}
	return append(out, '\'')
}

// batchBytes is how long an INSERT statement gets, unless one row is longer or the server takes
// less.
const batchBytes = 1 << 20

// batch is a statement that inserts rows.
type batch struct {
	of        *table
	statement []byte
	rows      int64
}

// copyRows copies the rows of all tables. Several are read at a time, the largest first, and
// batches of one table are written side by side.
func (t *transfer) copyRows(ctx context.Context) error {
	limit, err := t.statementLimit(ctx)
	if err != nil {
		return err
	}
	order := slices.Clone(t.tables)
	slices.SortStableFunc(order, func(a, b *table) int { return int(b.estimate - a.estimate) })
	var total int64
	for _, one := range order {
		total += one.estimate
	}
	batches := make(chan batch)
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error {
		defer close(batches)
		readers, ctx := errgroup.WithContext(ctx)
		readers.SetLimit(t.o.Parallel)
		for _, one := range order {
			readers.Go(func() error {
				if err := t.read(ctx, one, limit, batches); err != nil {
					return fmt.Errorf("%s of the backup: %w", one, err)
				}
				return nil
			})
		}
		return readers.Wait()
	})
	var done atomic.Int64
	for range t.o.Parallel {
		work.Go(func() error {
			for b := range batches {
				if err := t.write(ctx, &b); err != nil {
					return fmt.Errorf("%s: %w", b.of, err)
				}
				n := done.Add(b.rows)
				t.o.Progress(n, max(total, n), b.of.String())
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	t.result.Rows = done.Load()
	return nil
}

// statementLimit is how long statements may get.
func (t *transfer) statementLimit(ctx context.Context) (int, error) {
	rows, err := texts(ctx, t.control, "SELECT @@max_allowed_packet")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(rows[0][0])
	return min(batchBytes, n/2), err
}

// read reads a table and makes batches of its rows.
func (t *transfer) read(ctx context.Context, one *table, limit int, out chan<- batch) error {
	names, expressions := make([]string, len(one.columns)), make([]string, len(one.columns))
	for i := range one.columns {
		names[i], expressions[i] = name(one.columns[i].name), one.columns[i].expression()
	}
	if len(names) == 0 {
		return errors.New("all columns are generated")
	}
	head := "INSERT INTO " + qualified(one.into, one.staged) + " (" + strings.Join(names, ", ") + ") VALUES "
	rows, err := t.from.QueryContext(ctx, "SELECT "+strings.Join(expressions, ", ")+" FROM "+qualified(one.schema, one.name))
	if err != nil {
		return err
	}
	defer rows.Close()
	values, into := make([]sql.RawBytes, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	b := batch{of: one}
	send := func() error {
		if b.rows == 0 {
			return nil
		}
		select {
		case out <- b:
			one.rows += b.rows
			b = batch{of: one}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var row []byte
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row = append(row[:0], '(')
		for i, v := range values {
			if i > 0 {
				row = append(row, ',')
			}
			if v == nil {
				row = append(row, "NULL"...)
			} else {
				row = one.columns[i].appendValue(row, v)
			}
		}
		if len(b.statement)+len(row)+2 > limit {
			if err := send(); err != nil {
				return err
			}
		}
		if b.rows == 0 {
			b.statement = append(make([]byte, 0, max(limit, len(head)+len(row)+1)), head...)
		} else {
			b.statement = append(b.statement, ',')
		}
		b.statement = append(append(b.statement, row...), ')')
		b.rows++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return send()
}

// write inserts the rows of a batch. A deadlock with neighbouring batches is tried again.
func (t *transfer) write(ctx context.Context, b *batch) error {
	for {
		res, err := t.to.ExecContext(ctx, string(b.statement))
		if retriable(err) {
			continue
		}
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err == nil && n != b.rows {
			err = fmt.Errorf("%d of %d rows were inserted", n, b.rows)
		}
		return err
	}
}

// compare fails if the rows of a staged table are not those of the source: by their number, and by
// the server's checksum if both servers are of one make.
func (t *transfer) compare(ctx context.Context) error {
	const of = "SELECT @@version_comment"
	make1, err := texts(ctx, t.from, of)
	if err != nil {
		return err
	}
	make2, err := texts(ctx, t.control, of)
	if err != nil {
		return err
	}
	query := "CHECKSUM TABLE "
	column := 1
	if make1[0][0] != make2[0][0] {
		query, column = "SELECT COUNT(*) FROM ", 0
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(t.o.Parallel)
	for _, one := range t.tables {
		work.Go(func() error {
			a, err := texts(ctx, t.from, query+qualified(one.schema, one.name))
			if err != nil {
				return err
			}
			b, err := texts(ctx, t.to, query+qualified(one.into, one.staged))
			if err == nil && a[0][column] != b[0][column] {
				err = fmt.Errorf("%s: the rows that the server has are not those of the backup (%s%s, %s)", one, query, a[0][column], b[0][column])
			}
			return err
		})
	}
	return work.Wait()
}
