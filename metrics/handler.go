package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// maxScrapes is how many scrapes run at once; more get 503.
const maxScrapes = 4

// Handler answers a scrape with a snapshot of source.
func Handler(source func() Snapshot) http.Handler {
	r := prometheus.NewRegistry()
	r.MustRegister(collector{source}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes})
}
