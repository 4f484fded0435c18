package geometry

import (
	"context"
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// Lines as ways through their points: simplified, walked along, and held against each other.

func apart(p, q types.Point) float64 {
	dx, dy := p.X-q.X, p.Y-q.Y
	return math.Sqrt(dx*dx + dy*dy)
}

// Simplified leaves out points of lines that are no farther than some distance from the line
// without them, by Douglas and Peucker. A line of which one point is left is nothing: ok is false,
// as for a collection without parts. Areas are not known.
func Simplified(ctx context.Context, g types.GeometryValue, distance float64) (out types.GeometryValue, ok, known bool, err error) {
	switch g := g.(type) {
	case types.Point, types.MultiPoint:
		return g, true, true, nil
	case types.LineString:
		g.Points, err = simplified(ctx, g.Points, distance)
		return g, len(g.Points) > 1, true, err
	case types.MultiLineString:
		var lines []types.LineString
		for _, l := range g.Lines {
			if l.Points, err = simplified(ctx, l.Points, distance); err != nil {
				return nil, false, true, err
			}
			if len(l.Points) > 1 {
				lines = append(lines, l)
			}
		}
		g.Lines = lines
		return g, len(lines) > 0, true, nil
	case types.GeomColl:
		var parts []types.GeometryValue
		for _, part := range g.Geoms {
			part, ok, known, err := Simplified(ctx, part, distance)
			if err != nil || !known {
				return nil, false, known, err
			}
			if ok {
				parts = append(parts, part)
			}
		}
		g.Geoms = parts
		return g, len(parts) > 0, true, nil
	}
	return nil, false, false, nil
}

func simplified(ctx context.Context, points []types.Point, distance float64) ([]types.Point, error) {
	if len(points) < 2 {
		return points, nil
	}
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	todo := [][2]int{{0, len(points) - 1}}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, to := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		farthest, at := distance, -1
		for i := from + 1; i < to; i++ {
			if d := fromSegment(points[i], points[from], points[to]); d > farthest {
				farthest, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			todo = append(todo, [2]int{from, at}, [2]int{at, to})
		}
	}
	var out []types.Point
	for i, p := range points {
		if keep[i] {
			out = append(out, p)
		}
	}
	if len(out) == 2 && out[0] == out[1] {
		out = out[:1]
	}
	return out, nil
}

// fromSegment is how far a point is from the nearest point of a segment.
func fromSegment(p, a, b types.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	along, long := (p.X-a.X)*dx+(p.Y-a.Y)*dy, dx*dx+dy*dy
	switch {
	case along <= 0:
		return apart(p, a)
	case along >= long:
		return apart(p, b)
	}
	f := along / long
	return apart(p, types.Point{X: a.X + f*dx, Y: a.Y + f*dy})
}

// Length is how long a line is.
func Length(line types.LineString) (sum float64) {
	for i := 1; i < len(line.Points); i++ {
		sum += apart(line.Points[i-1], line.Points[i])
	}
	return sum
}

// Along gives the points of a line at every multiple of a distance, at most some.
func Along(ctx context.Context, line types.LineString, distance float64, most int) (out []types.Point, err error) {
	first := types.Point{SRID: line.SRID, X: line.Points[0].X, Y: line.Points[0].Y}
	if !(distance > 0) {
		return []types.Point{first}, nil
	}
	before, next := 0.0, distance
	for i := 1; i < len(line.Points); i++ {
		p, q := line.Points[i-1], line.Points[i]
		long := apart(p, q)
		for ; before+long >= next && len(out) < most; next += distance {
			if len(out)%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			at := q
			if f := (next - before) / long; f < 1 {
				at = types.Point{X: p.X + (q.X-p.X)*f, Y: p.Y + (q.Y-p.Y)*f}
			}
			out = append(out, types.Point{SRID: line.SRID, X: at.X, Y: at.Y})
		}
		before += long
	}
	if len(out) == 0 { // the sum of the parts missed the end by its last digit
		end := line.Points[len(line.Points)-1]
		out = append(out, types.Point{SRID: line.SRID, X: end.X, Y: end.Y})
	}
	return out, nil
}

// Frechet is the discrete distance of Fréchet between two lines.
func Frechet(ctx context.Context, a, b types.LineString) (float64, error) {
	row := make([]float64, len(b.Points))
	for i, p := range a.Points {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		before := row[0] // of the row before, one point to the left
		for j, q := range b.Points {
			d, above := apart(p, q), row[j]
			switch {
			case i == 0 && j == 0:
				row[j] = d
			case i == 0:
				row[j] = max(row[j-1], d)
			case j == 0:
				row[j] = max(above, d)
			default:
				row[j] = max(min(above, before, row[j-1]), d)
			}
			before = above
		}
	}
	return row[len(row)-1], nil
}

// Hausdorff is how far the points of a geometry are at most from the nearest point of another,
// where these are points or lines; of several lines, the greatest of all pairs.
func Hausdorff(ctx context.Context, a, b types.GeometryValue) (d float64, known bool, err error) {
	from, isPoints := pointSets(a)
	to, ofPoints := pointSets(b)
	switch a.(type) {
	case types.MultiPoint:
		if _, single := b.(types.Point); single {
			from, to = to, from
		}
	case types.MultiLineString:
		if _, single := b.(types.LineString); single {
			from, to = to, from
		}
	case types.Point:
		if _, single := b.(types.Point); single {
			return 0, false, nil
		}
	}
	if from == nil || to == nil || isPoints != ofPoints {
		return 0, false, nil
	}
	for _, set := range from {
		for _, other := range to {
			one, err := farthest(ctx, set, other)
			if err != nil {
				return 0, true, err
			}
			d = max(d, one)
		}
	}
	return d, true, nil
}

// pointSets are the points of a geometry: together if it is made of points, those of each line of
// lines; nil for others.
func pointSets(g types.GeometryValue) (sets [][]types.Point, points bool) {
	switch g := g.(type) {
	case types.Point:
		return [][]types.Point{{g}}, true
	case types.MultiPoint:
		return [][]types.Point{g.Points}, true
	case types.LineString:
		return [][]types.Point{g.Points}, false
	case types.MultiLineString:
		for _, l := range g.Lines {
			sets = append(sets, l.Points)
		}
		return sets, false
	}
	return nil, false
}

func farthest(ctx context.Context, from, to []types.Point) (d float64, err error) {
	for _, p := range from {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		nearest := slices.MinFunc(to, func(q, r types.Point) int {
			switch a, b := apart(p, q), apart(p, r); {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		})
		d = max(d, apart(p, nearest))
	}
	return d, nil
}
