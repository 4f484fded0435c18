package measure

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Loss is the share of something that is lost beside something else, both measured in turns: 0.1 is
// a tenth less.
type Loss struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // of a 90 % interval
	High  float64 `json:"high"`
	Turns int     `json:"turns"`
}

func (l *Loss) String() string {
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*l.Share, 100*l.Low, 100*l.High)
}

const resamples = 2000

// LossOf is what the mean of rates is less than the mean of those they are held against, which were
// measured in the same turns; nil if there are none. The interval is that of the bootstrap over
// turns (Efron 1979): turns are drawn again and again, each with what was measured in it.
func LossOf(rates, against []float64) *Loss {
	n := min(len(rates), len(against))
	if n == 0 {
		return nil
	}
	share := func(turn func(i int) int) float64 {
		a, b := 0.0, 0.0
		for i := range n {
			at := turn(i)
			a, b = a+against[at], b+rates[at]
		}
		return 1 - Ratio(b, a)
	}
	draws, r := make([]float64, resamples), rand.New(rand.NewPCG(1, 2))
	for i := range draws {
		draws[i] = share(func(int) int { return r.IntN(n) })
	}
	slices.Sort(draws)
	return &Loss{Share: share(func(i int) int { return i }), Low: draws[resamples/20], High: draws[resamples-1-resamples/20], Turns: n}
}
