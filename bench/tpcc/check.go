package tpcc

import (
	"context"
	"database/sql"
	"fmt"
	"io"

	"emberdb/bench"
)

// CheckOptions says what Check verifies.
type CheckOptions struct {
	Target     bench.Target
	LedgerPath string // empty: conditions only
	JSON       bool
	Out        io.Writer
}

// Result is the verdict on one condition.
type Result struct {
	Condition  string   `json:"condition"` // "1" to "12", or "ledger"
	Text       string   `json:"text"`
	Passed     bool     `json:"passed"`
	Checked    int64    `json:"checked"`            // comparisons made
	Violations int64    `json:"violations"`         // comparisons failed
	Examples   []string `json:"examples,omitempty"` // the first few
}

const mostExamples = 5

func (r *Result) expect(ok bool, format string, args ...any) {
	r.Checked++
	if ok {
		return
	}
	r.Violations++
	r.Passed = false
	if len(r.Examples) < mostExamples {
		r.Examples = append(r.Examples, fmt.Sprintf(format, args...))
	}
}

// CheckReport is everything Check found.
type CheckReport struct {
	Passed     bool      `json:"passed"`
	Warehouses int       `json:"warehouses"`
	Ledger     string    `json:"ledger,omitempty"`
	Certain    int       `json:"acknowledged,omitempty"` // ledger entries
	Doubtful   int       `json:"in_doubt,omitempty"`
	Results    []*Result `json:"results"`
}

// Check reads every table once, within one consistent snapshot, and verifies the conditions on the
// client's side: the server is asked for plain reads and sums over one table only, so that its
// planner cannot hide a fault. It may run beside a running load. The error tells that the check
// could not be done; the verdict is in the report.
func Check(ctx context.Context, o CheckOptions) (CheckReport, error) {
	db, err := o.Target.Open(true)
	if err != nil {
		return CheckReport{}, err
	}
	defer db.Close()
	sc, warehouses, err := loadedScale(ctx, db)
	if err != nil {
		return CheckReport{}, err
	}
	rep := CheckReport{Warehouses: warehouses, Ledger: o.LedgerPath}
	var led *ledgerCheck
	if o.LedgerPath != "" {
		p, err := readLedger(o.LedgerPath)
		if err != nil {
			return CheckReport{}, err
		}
		rep.Certain, rep.Doubtful = p.certain, p.doubtful
		led = newLedgerCheck(p)
	}
	snap, err := openSnapshot(ctx, db)
	if err != nil {
		return CheckReport{}, err
	}
	defer snap.Close()
	conds := newConditions(sc)
	if err := checkWarehouses(ctx, snap, conds, led); err != nil {
		return CheckReport{}, err
	}
	rep.Results = conds.results
	if led != nil {
		rep.Results = append(rep.Results, led.finish())
	}
	rep.Passed = true
	for _, r := range rep.Results {
		rep.Passed = rep.Passed && r.Passed
	}
	return rep, rep.print(o)
}

func openSnapshot(ctx context.Context, db *sql.DB) (*sql.Conn, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for _, stmt := range []string{
		"SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
		"START TRANSACTION WITH CONSISTENT SNAPSHOT",
	} {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			conn.Close()
			return nil, fmt.Errorf("%s: %w", stmt, err)
		}
	}
	return conn, nil
}

func checkWarehouses(ctx context.Context, snap *sql.Conn, conds *conditions, led *ledgerCheck) error {
	hist, err := readHistory(ctx, snap, led)
	if err != nil {
		return err
	}
	ytd := map[int]int64{}
	var w int
	var amount money
	err = scan(ctx, snap, "SELECT w_id, w_ytd FROM warehouse", nil, []any{&w, &amount}, func() { ytd[w] = int64(amount) })
	if err != nil {
		return err
	}
	for w, y := range ytd {
		wh := &warehouseData{id: w, ytd: y, districts: map[int]*districtData{}, paid: hist.warehouse[w]}
		if err := wh.read(ctx, snap, hist); err != nil {
			return fmt.Errorf("warehouse %d: %w", w, err)
		}
		conds.check(wh)
		if led != nil {
			led.check(wh)
		}
	}
	return nil
}

// print writes the report.
func (r CheckReport) print(o CheckOptions) error {
	if o.JSON {
		return writeJSON(o.Out, r)
	}
	for _, c := range r.Results {
		verdict := "pass"
		if !c.Passed {
			verdict = "FAIL"
		}
		fmt.Fprintf(o.Out, "%-6s  %s  %-74s  %d checked", c.Condition, verdict, c.Text, c.Checked)
		if !c.Passed {
			fmt.Fprintf(o.Out, ", %d violations", c.Violations)
		}
		fmt.Fprintln(o.Out)
		for _, e := range c.Examples {
			fmt.Fprintf(o.Out, "        %s\n", e)
		}
	}
	if r.Ledger != "" {
		fmt.Fprintf(o.Out, "ledger %s: %d acknowledged, %d in doubt\n", r.Ledger, r.Certain, r.Doubtful)
	}
	verdict := "consistent"
	if !r.Passed {
		verdict = "NOT CONSISTENT"
	}
	_, err := fmt.Fprintf(o.Out, "%d warehouses: %s\n", r.Warehouses, verdict)
	return err
}
