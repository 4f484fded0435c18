package explain

import "math"

// MySQL's estimates where no histogram tells more. Costs are MySQL's: a page read from memory, a
// row looked at.
const (
	costRow  = 0.1
	costPage = 0.25

	selectEqual = 0.1
	selectRange = 1.0 / 3
)

// What conditions let pass.
const (
	PassEqual   = selectEqual
	PassRange   = selectRange
	PassBetween = 1.0 / 9
)

// Passing are about how many of some rows a condition lets pass: at least one, of a table.
func Passing(rows, share float64) float64 {
	return max(rows*share, min(rows, 1))
}

// CostScan is what reading all rows of a table or index costs.
func CostScan(pages, rows float64) float64 { return costPage*max(pages, 1) + costRow*rows }

// CostRange is what reading ranges costs, of the clustered index if it is that, or of another one.
func CostRange(ranges, rows, tableRows, pages float64, clustered, covering bool) float64 {
	read := ranges + rows
	switch {
	case covering:
		read = math.Ceil(rows / entriesOfPage)
	case clustered && rows <= 2:
		read = rows
	case clustered:
		read = ranges + min(rows/max(tableRows, 1), 1)*max(pages, 1)
	}
	return costPage*read + 2*costRow*rows + 0.01
}

// entriesOfPage is about how many entries of an index a page has.
const entriesOfPage = 500

// CostLookup is what reading the rows of one key costs.
func CostLookup(rows float64, covering bool) float64 {
	read := rows
	if covering {
		read = math.Ceil(rows / entriesOfPage)
	}
	return costPage*max(read, 1) + costRow*rows
}
