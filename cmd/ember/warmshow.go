package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// warmTable is how warm a table of a running server is.
type warmTable struct {
	Schema   string      `json:"schema"`
	Table    string      `json:"table"`
	Listed   int64       `json:"listed"`
	Back     int64       `json:"listed_resident"`
	Resident int64       `json:"resident"`
	Bytes    int64       `json:"bytes"`
	Young    int64       `json:"young"`
	Heat     float64     `json:"heat"`
	Indexes  []warmIndex `json:"indexes"`
}

type warmIndex struct {
	Name     string `json:"index"`
	Resident int64  `json:"resident"`
	Bytes    int64  `json:"bytes"`
}

// warmTables is a report.
type warmTables []*warmTable

func newWarmShow() *cobra.Command {
	var c client
	var asJSON bool
	var top int
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what is in the buffer pool, per table and index, and how much of the LRU list is back",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(db *sql.DB) error {
				t, err := readWarmTables(cmd.Context(), db)
				if err != nil {
					return err
				}
				if top > 0 && len(t) > top {
					t = t[:top]
				}
				return show(cmd, asJSON, t)
			})
		},
	}
	c.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&top, "top", 20, "tables shown (0 = all)")
	return cmd
}

func readWarmTables(ctx context.Context, db *sql.DB) (out warmTables, err error) {
	byName := map[string]*warmTable{}
	rows, err := db.QueryContext(ctx, `SELECT table_schema, table_name, listed_pages, listed_resident, resident_pages, resident_bytes, young_pages, heat
		FROM information_schema.EMBER_WARM_STATUS`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		t := &warmTable{Indexes: []warmIndex{}}
		if err := rows.Scan(&t.Schema, &t.Table, &t.Listed, &t.Back, &t.Resident, &t.Bytes, &t.Young, &t.Heat); err != nil {
			return nil, err
		}
		out = append(out, t)
		byName[t.Schema+"\x00"+t.Table] = t
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	rows, err = db.QueryContext(ctx, "SELECT table_schema, table_name, index_name, resident_pages, resident_bytes FROM information_schema.EMBER_WARM_INDEXES")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var schema, table string
		var i warmIndex
		if err := rows.Scan(&schema, &table, &i.Name, &i.Resident, &i.Bytes); err != nil {
			return nil, err
		}
		if t := byName[schema+"\x00"+table]; t != nil {
			t.Indexes = append(t.Indexes, i)
		}
	}
	return out, rows.Err()
}

// WriteText prints tables with their indexes below.
func (ts warmTables) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TABLE\tRESIDENT\tSIZE\tYOUNG\tLISTED\tBACK\tHEAT")
	for _, x := range ts {
		fmt.Fprintf(t, "%s.%s\t%d\t%s\t%d\t%d\t%s\t%.0f\n", x.Schema, x.Table, x.Resident, size(x.Bytes), x.Young, x.Listed, share(x.Back, x.Listed), x.Heat)
		for _, i := range x.Indexes {
			fmt.Fprintf(t, "  %s\t%d\t%s\t\t\t\t\n", i.Name, i.Resident, size(i.Bytes))
		}
	}
	return t.Flush()
}
