package geometry

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestRelations compares relations and distances with MySQL's.
func TestRelations(t *testing.T) {
	golden, err := os.ReadFile("testdata/relations.golden")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	var planes []Plane
	function, first, compared := "", 0, 0
	for line := range strings.Lines(string(golden)) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
			continue
		case word == "geometry":
			g, err := FromText(rest, 0)
			if err != nil {
				t.Fatal(rest, err)
			}
			p, err := PlaneOf(g)
			if err != nil {
				t.Fatal(rest, err)
			}
			texts, planes = append(texts, rest), append(planes, p)
			continue
		case word == "function":
			function, first = rest, 0
			continue
		case word == "distances":
			function, first = "", 0
			continue
		}
		for second, p := range planes {
			compared++
			got, want := "", ""
			if function == "" {
				got, want = distanceText(planes[first], p), strings.Fields(line)[second]
				if x, err := strconv.ParseFloat(want, 64); err == nil {
					if y, err := strconv.ParseFloat(got, 64); err == nil && math.Abs(x-y) <= 1e-9*math.Max(1, x) {
						got = want
					}
				}
			} else {
				got, want = relationText(t, function, planes[first], p), line[second:second+1]
			}
			if got != want {
				t.Errorf("%s(%s, %s) is %s, in MySQL %s", function, texts[first], texts[second], got, want)
			}
		}
		first++
	}
	if want := len(planes) * len(planes) * (len(Relations) + 1); compared != want {
		t.Errorf("%d answers compared, want %d", compared, want)
	}
}

func distanceText(a, b Plane) string {
	d, known := Distance(a, b)
	if !known {
		return "-"
	}
	return strconv.FormatFloat(d, 'g', -1, 64)
}

func relationText(t *testing.T, function string, a, b Plane) string {
	holds, known, err := Relations[function](a, b)
	switch {
	case err != nil:
		t.Error(function, err)
	case !known:
		return "-"
	case holds:
		return "1"
	}
	return "0"
}

// TestCombinations compares the sets of points that MySQL makes, whatever the order of their
// corners.
func TestCombinations(t *testing.T) {
	square, corner := "POLYGON((0 0,4 0,4 4,0 4,0 0))", "POLYGON((2 2,6 2,6 6,2 6,2 2))"
	for _, c := range []struct{ function, a, b, want string }{
		{"st_union", square, corner, "POLYGON((4 2,6 2,6 6,2 6,2 4,0 4,0 0,4 0,4 2))"},
		{"st_intersection", square, corner, "POLYGON((4 2,4 4,2 4,2 2,4 2))"},
		{"st_difference", square, corner, "POLYGON((4 2,2 2,2 4,0 4,0 0,4 0,4 2))"},
		{"st_symdifference", square, square, "GEOMETRYCOLLECTION EMPTY"},
		{"st_intersection", "LINESTRING(0 0,4 4)", "LINESTRING(0 4,4 0)", "POINT(2 2)"},
		{"st_difference", "LINESTRING(0 0,4 4)", "POINT(9 9)", "LINESTRING(0 0,4 4)"},
		{"st_union", "POINT(5 5)", "MULTIPOINT((1 1),(9 9))", "MULTIPOINT((5 5),(1 1),(9 9))"},
	} {
		got, err := Combinations[c.function](planeText(t, c.a), planeText(t, c.b))
		if err != nil {
			t.Fatal(c, err)
		}
		if same, known, err := Relations["st_equals"](got, planeText(t, c.want)); !same || !known || err != nil {
			t.Errorf("%s(%s, %s) is %s, want %s", c.function, c.a, c.b, got.AsText(), c.want)
		}
	}
}

func planeText(t *testing.T, text string) Plane {
	t.Helper()
	g, err := FromText(text, 0)
	if err != nil {
		t.Fatal(text, err)
	}
	p, err := PlaneOf(g)
	if err != nil {
		t.Fatal(text, err)
	}
	return p
}

// TestComplexity compares combs whose teeth cross each other: a few edges cross very often.
func TestComplexity(t *testing.T) {
	comb := func(teeth int, upright bool) Plane {
		var text strings.Builder
		text.WriteString("LINESTRING(")
		for i := range teeth {
			for _, end := range []int{0, teeth} {
				x, y := i, end
				if upright {
					x, y = y, x
				}
				if text.Len() > len("LINESTRING(") {
					text.WriteByte(',')
				}
				text.WriteString(strconv.Itoa(x) + " " + strconv.Itoa(y))
			}
		}
		return planeText(t, text.String()+")")
	}
	if crosses, _, err := Relations["st_crosses"](comb(50, false), comb(50, true)); err != nil || !crosses {
		t.Error(crosses, err)
	}
	if _, err := Combinations["st_intersection"](comb(500, false), comb(500, true)); !errors.Is(err, ErrComplex) {
		t.Error(err)
	}
	if _, _, err := Relations["st_contains"](comb(MostEdges/2+1, false), planeText(t, "POINT(1 1)")); !errors.Is(err, ErrComplex) {
		t.Error(err)
	}
}

// FuzzPlane compares any two geometries: whatever they are, there is an answer or an error.
func FuzzPlane(f *testing.F) {
	for _, text := range []string{"POINT(0 0)", "LINESTRING(0 0,4 4,4 0,0 4)", "POLYGON((0 0,4 4,4 0,0 4,0 0))", "POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,4 1,4 4,1 4,1 1))", "LINESTRING(1e308 -1e308,-1e308 1e308)",
		"GEOMETRYCOLLECTION(POINT(1 1),GEOMETRYCOLLECTION(LINESTRING(0 0,4 4)))", "GEOMETRYCOLLECTION EMPTY", "MULTIPOLYGON(((0 0,1 0,1 1,0 1,0 0)),((0 0,6 5,6 6,5 6,0 0)))", "POLYGON((0 0,0 0,0 0,0 0))"} {
		f.Add(text, "LINESTRING(0 4,4 0)")
		f.Add("POLYGON((1 1,2 1,2 2,1 2,1 1))", text)
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		if len(one) > 1000 || len(other) > 1000 {
			return
		}
		var planes []Plane
		for _, text := range []string{one, other} {
			g, err := FromText(text, 0)
			if err != nil {
				return
			}
			p, err := PlaneOf(g)
			if err != nil {
				return
			}
			planes = append(planes, p)
		}
		for _, relate := range Relations {
			_, _, _ = relate(planes[0], planes[1])
		}
		for _, combine := range Combinations {
			if out, err := combine(planes[0], planes[1]); err == nil {
				if _, err := out.Value(0); err != nil {
					t.Error(err)
				}
			}
		}
		for _, distance := range []float64{1.5, -0.5} {
			if how, ok := NewBuffering(planes[0], nil); ok {
				if out, err := planes[0].Buffer(distance, how); err == nil {
					if _, err := out.Value(0); err != nil {
						t.Error(err)
					}
				}
			}
		}
		_, _ = planes[0].IsSimple()
		_ = planes[0].IsValid()
		_, _ = Distance(planes[0], planes[1])
	})
}
