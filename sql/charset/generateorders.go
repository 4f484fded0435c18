//go:build ignore

package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// roots are the collations from which those of languages differ in a few characters.
var roots = []string{"utf8mb4_0900_as_cs", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_ci"}

// weighed are the weights of a character, or of several that weigh otherwise together, a list a
// level. Those that weigh nothing there have an empty list.
type weighed [][]uint16

type order map[string]weighed

// allOrders writes what characters weigh under the collations of Unicode; package charset's
// orders.go tells how.
func allOrders(z *zip.Writer) {
	known := map[string]order{}
	for _, c := range roots {
		known[c] = singles(c, nil)
		contractions(c, known[c], nil)
		putOrder(z, c, "", nil, order{}, known[c])
	}
	for _, c := range list("SELECT collation_name, '' FROM information_schema.collations WHERE collation_name LIKE 'utf8mb4\\_%' ORDER BY 1") {
		rest := strings.TrimPrefix(c[0], "utf8mb4_")
		plain := strings.HasPrefix(rest, "general_") || rest == "bin" || rest == "0900_bin" || strings.HasPrefix(rest, "0900_")
		less := strings.HasSuffix(rest, "_0900_ai_ci") || rest == "ja_0900_as_cs" // another one has these weights and more
		if plain || less || slices.Contains(roots, c[0]) {
			continue
		}
		root := roots[0]
		if !strings.Contains(rest, "_0900_") {
			root = roots[1]
		}
		from, lifts := lifted(c[0], known[root])
		own := singles(c[0], from)
		contractions(c[0], own, from)
		putOrder(z, c[0], root, lifts, from, own)
	}
	putOrder(z, german, "", nil, order{}, bytesAlone(german))
}

// german is the collation of a set of one byte in which characters weigh as much as several.
const german = "latin1_german2_ci"

// bytesAlone are the weights of the characters of a set of one byte, each weight a byte.
func bytesAlone(collation string) order {
	set, _, _ := strings.Cut(collation, "_")
	all, runes := order{}, make([]string, 256)
	code := "CONVERT(CAST(CHAR(i) AS BINARY) USING " + set + ")"
	ask("HEX(CONVERT(c USING utf8mb4))", 0, 255, code, func(n int, s string) {
		b, err := hex.DecodeString(s)
		if err != nil {
			log.Fatal(s, err)
		}
		runes[n] = string(b)
	})
	ask("HEX(WEIGHT_STRING(c COLLATE "+collation+"))", 0, 255, code, func(n int, s string) {
		b, err := hex.DecodeString(s)
		if err != nil {
			log.Fatal(s, err)
		}
		var w []uint16
		for _, x := range b {
			w = append(w, uint16(x))
		}
		all[runes[n]] = weighed{w}
	})
	return all
}

// apart are the texts that weigh otherwise in own than in root.
func apart(root, own order) (out []string) {
	for s := range own {
		if differ(root, own, s) {
			out = append(out, s)
		}
	}
	for s := range root {
		if _, ok := own[s]; !ok {
			log.Fatalf("%+q weighs something in the root alone", s)
		}
	}
	slices.Sort(out)
	return out
}

// differ tells whether a text weighs otherwise in own than in root.
func differ(root, own order, s string) bool {
	old, ok := root[s]
	w := own[s]
	return !ok || !slices.EqualFunc(old, w[:len(old)], slices.Equal) || len(w) > 3 && len(w[3]) > 0
}

// lifted is a root whose weights of the third level are those of a collation, in which capitals come
// first for one; lifts tells what became of them.
func lifted(collation string, root order) (out order, lifts map[uint16]uint16) {
	if len(root["a"]) < 3 {
		return root, nil
	}
	asked := map[uint16]bool{}
	lifts = map[uint16]uint16{}
	for r := rune(0); r < 0x10000; r++ {
		w := root[string(r)]
		if len(w) < 3 || len(w[2]) != 1 || asked[w[2][0]] {
			continue
		}
		var got string
		if err := db.QueryRow(fmt.Sprintf("SELECT HEX(WEIGHT_STRING(_utf8mb4 X'%X' COLLATE %s))", string(r), collation)).Scan(&got); err != nil {
			log.Fatal(err)
		}
		own := levels(got, collation)
		if !slices.Equal(own[0], w[0]) {
			continue // a letter of the language
		}
		if asked[w[2][0]] = true; own[2][0] != w[2][0] {
			lifts[w[2][0]] = own[2][0]
		}
	}
	if len(lifts) == 0 {
		return root, nil
	}
	out = order{}
	for s, w := range root {
		own := slices.Clone(w)
		own[2] = slices.Clone(own[2])
		for i, x := range own[2] {
			if to, ok := lifts[x]; ok {
				own[2][i] = to
			}
		}
		out[s] = own
	}
	return out, lifts
}

// singles are the weights of all characters. Blocks that weigh what is expected of them are asked for
// as a whole.
func singles(collation string, root order) order {
	var sample string
	if err := db.QueryRow("SELECT HEX(WEIGHT_STRING(_utf8mb4 X'61' COLLATE " + collation + "))").Scan(&sample); err != nil {
		log.Fatal(err)
	}
	all := order{"a": levels(sample, collation)}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		w, ok := root[string(r)]
		switch {
		case r >= 0xD800 && r <= 0xDFFF:
			continue
		case !ok:
			w = weighed{{0xFBC0 + uint16(r>>15), uint16(r&0x7FFF) | 0x8000}}
			for i := 1; i < min(len(all["a"]), len(common)); i++ {
				w = append(w, []uint16{common[i]})
			}
			fallthrough
		case len(w) < len(all["a"]):
			w = w.filled(collation)
		}
		all[string(r)] = w
	}
	const size = 256
	for first := rune(0); first <= unicode.MaxRune; first += size {
		var block strings.Builder
		for r := first; r < first+size && (first < 0xD800 || first > 0xDFFF); r++ {
			block.WriteRune(r)
		}
		if same(collation, all, block.String()) {
			continue
		}
		ask("HEX(WEIGHT_STRING(c COLLATE "+collation+"))", int(first), int(first)+size-1, "CONVERT(CHAR(i USING utf32) USING utf8mb4)", func(n int, s string) {
			all[string(rune(n))] = levels(s, collation)
		})
	}
	log.Print(collation)
	return all
}

// common are the weights that most characters have behind the first level.
var common = []uint16{0, 0x20, 2}

// same tells whether a text weighs what is expected.
func same(collation string, all order, text string) bool {
	var got string
	if err := db.QueryRow(fmt.Sprintf("SELECT SHA2(WEIGHT_STRING(_utf8mb4 X'%X' COLLATE %s), 256)", text, collation)).Scan(&got); err != nil {
		log.Fatalf("%.100q %v", text, err)
	}
	sum := sha256.Sum256(bytesOf(expected(all, text)))
	return hex.EncodeToString(sum[:]) == got
}

func levels(s, collation string) weighed {
	b, err := hex.DecodeString(s)
	if err != nil {
		log.Fatal(s, err)
	}
	out := weighed{nil}
	for ; len(b) > 0; b = b[2:] {
		w := binary.BigEndian.Uint16(b)
		if w == 0 {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], w)
	}
	if len(out) > 3 && len(out[1]) == 0 {
		out = append(weighed{append(out[0], 0)}, out[2:]...) // an accent of Lithuanian, whose first weight counts
	}
	return out.filled(collation)
}

// filled gives characters without weights on the last level an empty list: only kana have some.
func (w weighed) filled(collation string) weighed {
	if strings.HasSuffix(collation, "_ks") && len(w) == 3 {
		return append(slices.Clone(w), nil)
	}
	return w
}

// blocks are characters that may weigh otherwise together: within a block every two are asked for.
func blocks() (out [][]rune) {
	add := func(bounds ...rune) {
		var b []rune
		for ; len(bounds) > 0; bounds = bounds[2:] {
			for r := bounds[0]; r <= bounds[1]; r++ {
				if unicode.IsLetter(r) || unicode.IsMark(r) {
					b = append(b, r)
				}
			}
		}
		out = append(out, b)
	}
	add('A', 'Z', 'a', 'z', 0xB7, 0xB7, 0xC0, 0x1BF, 0x1C4, 0x233, 0x300, 0x33F)
	add('A', 'Z', 'a', 'z', 0x1EA0, 0x1EF9, 0x300, 0x30F, 0x323, 0x323)
	add(0x370, 0x3FF, 0x300, 0x314, 0x342, 0x345)
	add(0x400, 0x4FF, 0x300, 0x314)
	for first := rune(0x580); first < 0x1200; first += 0x80 { // Armenian to Myanmar, Georgian and Jamo
		add(first, first+0x7F)
	}
	add(0x3041, 0x30FF, 0x31F0, 0x31FF, 0xFF66, 0xFF9F)
	return out
}

// contractions adds the texts that weigh otherwise than their characters one by one.
func contractions(collation string, all, root order) {
	found := map[string]bool{}
	for i, b := range blocks() {
		if i > 0 && root != nil && !slices.ContainsFunc(b, func(r rune) bool { return r > 0x344 && differ(root, all, string(r)) }) {
			continue // as in the root
		}
		var heads []string
		for _, r := range b {
			heads = append(heads, string(r))
		}
		differing(collation, all, heads, b, found)
	}
	for n := 2; len(found) > 0 && len(found) < 200 && n < 5; n++ { // kana have pairs alone
		log.Print(collation, " ", len(found), " of ", n, ": ", fmt.Sprintf("%.300q", slices.Sorted(maps.Keys(found))))
		var letters []rune
		for s := range found {
			letters = append(letters, []rune(s)...)
		}
		slices.Sort(letters)
		letters = slices.Compact(letters)
		heads := map[string]bool{}
		for s := range found {
			heads[s] = true
			for _, r := range letters {
				heads[string(r)+string([]rune(s)[:n-1])] = true
			}
		}
		found = map[string]bool{}
		differing(collation, all, slices.Sorted(maps.Keys(heads)), letters, found)
	}
}

// differing asks for heads with each of the tails behind them.
func differing(collation string, all order, heads []string, tails []rune, found map[string]bool) {
	var texts []string
	for _, head := range heads {
		for _, r := range tails {
			texts = append(texts, head+string(r)+"0")
		}
	}
	for part := range slices.Chunk(texts, 16<<10) {
		narrow(collation, all, part, found)
	}
}

// narrow looks for texts that weigh otherwise in halves of a list.
func narrow(collation string, all order, texts []string, found map[string]bool) {
	whole := strings.Join(texts, "")
	if same(collation, all, whole) {
		return
	}
	if n := len(texts) / 2; n > 0 {
		narrow(collation, all, texts[:n], found)
		narrow(collation, all, texts[n:], found)
		return
	}
	text := strings.TrimSuffix(whole, "0")
	var got string
	if err := db.QueryRow(fmt.Sprintf("SELECT HEX(WEIGHT_STRING(_utf8mb4 X'%X' COLLATE %s))", text, collation)).Scan(&got); err != nil {
		log.Fatalf("%.100q %v", text, err)
	}
	all[text], found[text] = levels(got, collation), true
}

// expected are the weights of a text, made of the longest parts that are known.
func expected(all order, s string) weighed {
	out := make(weighed, len(all["a"]))
	for rs := []rune(s); len(rs) > 0; {
		for n := min(len(rs), 5); n > 0; n-- {
			if w, ok := all[string(rs[:n])]; ok {
				for i, l := range w {
					out[i] = append(out[i], l...)
				}
				rs = rs[n:]
				break
			}
		}
	}
	return out
}

func bytesOf(w weighed) (out []byte) {
	for i, l := range w {
		if i == 3 && len(l) == 0 {
			break
		}
		if i > 0 {
			out = append(out, 0, 0)
		}
		for _, x := range l {
			out = binary.BigEndian.AppendUint16(out, x)
		}
	}
	return out
}

// single says that the characters of a run have one weight.
const single = 0x10000

// implicit is what most characters weigh that a table does not name: their codes behind a number
// that stands for a range of them.
func implicit(s string, w weighed) (lead int, ok bool) {
	r := []rune(s)
	if r[0] > 0xFFFF && len(w) == 1 && len(w[0]) == 1 {
		return single | int(w[0][0]), true
	}
	if len(r) != 1 || len(w[0]) != 2 || w[0][1] != uint16(r[0]&0x7FFF)|0x8000 {
		return 0, false
	}
	for i, l := range w[1:] {
		if i == 2 && len(l) == 0 {
			continue
		}
		if i == 2 || len(l) != 1 || l[0] != common[i+1] {
			return 0, false
		}
	}
	return int(w[0][0] - uint16(r[0]>>15)), true
}

// putOrder writes an order: the name of the root; what weights of the third level become; runs of characters with implicit weights, as their
// lead, length and distance from the run before; then the others with their weights.
func putOrder(z *zip.Writer, collation, root string, lifts map[uint16]uint16, from, own order) {
	var body []byte
	body = append(body, byte(len(root)))
	body = append(body, root...)
	body = append(body, byte(len(own["a"])))
	body = binary.AppendUvarint(body, uint64(len(lifts)))
	for _, w := range slices.Sorted(maps.Keys(lifts)) {
		body = binary.AppendUvarint(body, uint64(w))
		body = binary.AppendUvarint(body, uint64(lifts[w]))
	}
	type run struct{ first, behind, lead int }
	var runs []run
	var rest []string
	for _, s := range apart(from, own) {
		lead, ok := implicit(s, own[s])
		if !ok {
			rest = append(rest, s)
			continue
		}
		r := int([]rune(s)[0])
		if n := len(runs); n > 0 && runs[n-1].behind == r && runs[n-1].lead == lead {
			runs[n-1].behind++
			continue
		}
		runs = append(runs, run{r, r + 1, lead})
	}
	body = binary.AppendUvarint(body, uint64(len(runs)))
	last := 0
	for _, r := range runs {
		body = binary.AppendUvarint(body, uint64(r.first-last))
		body = binary.AppendUvarint(body, uint64(r.behind-r.first))
		body = binary.AppendUvarint(body, uint64(r.lead))
		last = r.behind
	}
	body = binary.AppendUvarint(body, uint64(len(rest)))
	at, weights := 0, make([]int, len(own["a"]))
	for _, s := range rest {
		rs := []rune(s)
		body = binary.AppendVarint(body, int64(int(rs[0])-at))
		at = int(rs[0])
		body = binary.AppendUvarint(body, uint64(len(rs)-1))
		for _, r := range rs[1:] {
			body = binary.AppendUvarint(body, uint64(r))
		}
		for i, l := range own[s] {
			body = binary.AppendUvarint(body, uint64(len(l)))
			for _, w := range l {
				body = binary.AppendVarint(body, int64(int(w)-weights[i]))
				weights[i] = int(w)
			}
		}
	}
	log.Print(collation, " from ", root, ": ", len(runs), " runs, ", len(rest), " texts, ", len(body), " bytes")
	put(z, collation, body)
}
