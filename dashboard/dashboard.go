package dashboard

import (
	"context"
	"embed"
	"encoding/json"
	"net/http"
)

// Snapshot is what the page shows of one moment. Times are in seconds.
type Snapshot struct {
	State     State              `json:"state"`
	Version   string             `json:"version"`
	Host      string             `json:"host"`
	Uptime    float64            `json:"uptime"`
	ReadOnly  bool               `json:"readOnly"`
	Failed    string             `json:"failed"` // why nothing is written any more; "" while all is well
	Counts    map[string]float64 `json:"counts"` // of SHOW STATUS, those the page reads
	Histogram []Bucket           `json:"histogram"`
	Tables    []Table            `json:"tables"`
	Starts    []Start            `json:"starts"` // oldest first
	Recovery  Recovery           `json:"recovery"`
	Digests   []Digest           `json:"digests"` // those that took most time
	Plans     bool               `json:"plans"`   // plans are given to who asks
	Threads   []Thread           `json:"threads"`
	Waits     []Wait             `json:"waits"`
	Replica   []Field            `json:"replica"`
	Backups   []string           `json:"backups"`
	Disk      Disk               `json:"disk"`
}

// State is how far the start has come.
type State struct {
	Status  string  `json:"status"`
	Ready   bool    `json:"ready"`
	Percent float64 `json:"percent"`
	ETA     float64 `json:"eta"`
	Text    string  `json:"text"`
}

// Bucket counts statements that took up to End seconds, and longer than the bucket before.
type Bucket struct {
	End   float64 `json:"end"`
	Count uint64  `json:"count"`
}

// Table is a table's part of the buffer pool.
type Table struct {
	Name     string  `json:"name"`
	Listed   int     `json:"listed"`   // pages of the list that a restart would load
	Resident int     `json:"resident"` // pages in memory
	Warm     float64 `json:"warm"`     // percent of the listed pages that are in memory
}

// Start is where a start spent its time.
type Start struct {
	Began  string  `json:"began"`
	Phases []Phase `json:"phases"`
}

// Phase is a part of a start.
type Phase struct {
	Name string  `json:"name"`
	At   float64 `json:"at"`
	Took float64 `json:"took"`
	Done bool    `json:"done"`
}

// Recovery is what a kill would cost now, and what the last recovery cost.
type Recovery struct {
	Estimate float64 `json:"estimate"`
	Last     float64 `json:"last"`
}

// Digest is a kind of statement.
type Digest struct {
	Schema   string  `json:"schema"`
	ID       string  `json:"digest"`
	Text     string  `json:"text"`
	Sample   string  `json:"sample"`
	Count    uint64  `json:"count"`
	Total    float64 `json:"total"`
	Mean     float64 `json:"mean"`
	P95      float64 `json:"p95"`
	Max      float64 `json:"max"`
	Errors   uint64  `json:"errors"`
	Sent     uint64  `json:"sent"`
	Examined uint64  `json:"examined"`
}

// Thread is a connection.
type Thread struct {
	ID      uint32 `json:"id"`
	User    string `json:"user"`
	Host    string `json:"host"`
	DB      string `json:"db"`
	Command string `json:"command"`
	Seconds int64  `json:"seconds"`
	State   string `json:"state"`
	Query   string `json:"query"`
}

// Wait is a connection that waits for another's lock.
type Wait struct {
	Waiting  uint32  `json:"waiting"`
	Blocking uint32  `json:"blocking"`
	Table    string  `json:"table"`
	Index    string  `json:"index"`
	Mode     string  `json:"mode"`
	Seconds  float64 `json:"seconds"`
	Query    string  `json:"query"`
}

// Field is a line of a list.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Disk is the file system of the data directory.
type Disk struct {
	Free   int64 `json:"free"`
	Redo   int64 `json:"redo"`
	Binlog int64 `json:"binlog"`
}

//go:embed page
var page embed.FS

// Plans gives plans of statements.
type Plans struct {
	Guard func(http.Handler) http.Handler // decides who gets them
	Of    func(ctx context.Context, schema, digest string) (string, error)
}

// planAnswer is the answer to a request for a plan.
type planAnswer struct {
	Plan  string `json:"plan"`
	Error string `json:"error"` // why there is none
}

// Register adds the page and its data to mux. guard decides who is let in.
func Register(mux *http.ServeMux, guard func(http.Handler) http.Handler, source func() Snapshot, plans Plans) {
	serve := func(pattern, file, kind string) {
		body, err := page.ReadFile("page/" + file)
		if err != nil {
			panic(err) // it is part of the program
		}
		mux.Handle(pattern, guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			protect(w, kind)
			_, _ = w.Write(body) // the client is gone
		})))
	}
	serve("GET /{$}", "index.html", "text/html; charset=utf-8")
	serve("GET /dashboard/page.js", "page.js", "text/javascript; charset=utf-8")
	serve("GET /dashboard/page.css", "page.css", "text/css; charset=utf-8")
	mux.Handle("GET /dashboard/data", guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		protect(w, "application/json")
		_ = json.NewEncoder(w).Encode(source())
	})))
	mux.Handle("GET /dashboard/plan", plans.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a planAnswer
		var err error
		if a.Plan, err = plans.Of(r.Context(), r.FormValue("schema"), r.FormValue("digest")); err != nil {
			a.Error = err.Error()
		}
		protect(w, "application/json")
		_ = json.NewEncoder(w).Encode(a)
	})))
}

func protect(w http.ResponseWriter, kind string) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
}
