package histogram

import (
	"strconv"
	"strings"
)

// Text is the document of a histogram, as MySQL prints it.
func (h *Histogram) Text() string {
	var b strings.Builder
	b.WriteString(`{"buckets": [`)
	for i := range h.Buckets {
		k := &h.Buckets[i]
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("[" + k.Low)
		if h.EquiHeight {
			b.WriteString(", " + k.High)
		}
		b.WriteString(", " + number(k.Cumulative))
		if h.EquiHeight {
			b.WriteString(", " + strconv.FormatUint(k.Distinct, 10))
		}
		b.WriteByte(']')
	}
	kind := "singleton"
	if h.EquiHeight {
		kind = "equi-height"
	}
	b.WriteString(`], "data-type": "` + h.Type + `", "auto-update": ` + strconv.FormatBool(h.Auto) + `, "null-values": ` + number(h.Nulls) +
		`, "collation-id": ` + strconv.Itoa(int(h.Collation)) + `, "last-updated": "` + h.Updated + `", "sampling-rate": ` + number(h.Rate) +
		`, "histogram-type": "` + kind + `", "number-of-buckets-specified": ` + strconv.Itoa(h.Specified) + `}`)
	return b.String()
}
