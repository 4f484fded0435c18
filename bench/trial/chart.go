package trial

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Series is one line, or the bars of one colour.
type Series struct {
	Name   string
	Colour int       // of a line
	Values []float64 // of a line: one per step; of bars: one per group
	Dash   float64   // of a line: length of its dashes; 0: it is whole
}

// Colours that stay apart for most eyes and in grey.
var palette = []color.RGBA{
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, {R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, {R: 0x00, G: 0x9e, B: 0x73, A: 0xff},
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, {R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, {R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
	{R: 0x33, G: 0x33, B: 0x33, A: 0xff}, {R: 0xb0, G: 0xa4, B: 0x00, A: 0xff},
}

func colour(i int) color.RGBA { return palette[i%len(palette)] }

const (
	chartWidth  = 26 * vg.Centimeter
	chartHeight = 13 * vg.Centimeter
)

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(3)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color = color.Gray{Y: 0xdd}
	p.Add(grid)
	p.Y.Min = 0
	return p
}

// save writes path.png and path.svg.
func save(p *plot.Plot, path string) error {
	for _, ext := range []string{".png", ".svg"} {
		if err := p.Save(chartWidth, chartHeight, path+ext); err != nil {
			return fmt.Errorf("chart %s%s: %w", path, ext, err)
		}
	}
	return nil
}

// drawLines draws values over time, each that of a stretch of time step long. The first begins at
// from.
func drawLines(path, title, x, y string, from, step float64, series []Series) error {
	p := newPlot(title, x, y)
	top := 0.0
	for _, s := range series {
		points := make(plotter.XYs, len(s.Values))
		for j, v := range s.Values {
			points[j] = plotter.XY{X: from + (float64(j)+0.5)*step, Y: v}
			top = math.Max(top, v)
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return fmt.Errorf("chart %s: %s: %w", path, s.Name, err)
		}
		l.Color, l.Width = colour(s.Colour), vg.Points(1.6)
		if s.Dash > 0 {
			l.Dashes = []vg.Length{vg.Points(2 * s.Dash), vg.Points(s.Dash)}
		}
		p.Add(l)
		p.Legend.Add(s.Name, l)
	}
	p.Y.Max = headroom(top, len(series))
	return save(p, path)
}

// headroom leaves space for the legend above the highest value.
func headroom(top float64, entries int) float64 {
	if top == 0 {
		top = 1
	}
	return top * (1.05 + 0.05*float64(entries))
}

// drawBars draws groups of bars, one of each series in each group.
func drawBars(path, title, x, y string, groups []string, series []Series) error {
	p := newPlot(title, x, y)
	width := chartWidth * 0.7 / vg.Length(len(groups)*len(series))
	top := 0.0
	for i, s := range series {
		bars, err := plotter.NewBarChart(plotter.Values(s.Values), width)
		if err != nil {
			return fmt.Errorf("chart %s: %s: %w", path, s.Name, err)
		}
		bars.Color, bars.LineStyle.Width = colour(i), 0
		bars.Offset = width * (vg.Length(i) - vg.Length(len(series)-1)/2)
		p.Add(bars)
		p.Legend.Add(s.Name, bars)
		for _, v := range s.Values {
			top = math.Max(top, v)
		}
	}
	p.NominalX(groups...)
	if len(groups) > 6 {
		p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign = math.Pi/6, -1
	}
	p.Y.Max = headroom(top, len(series))
	return save(p, path)
}
