//go:build ignore

// Generate asks a MySQL server what each character of its character sets is, and writes the answers
// to tables.zip and the digests of tables_test.go to testdata/digests. What each character weighs
// under a collation goes to weights.zip; with -weights nothing else is written. With -orders nothing
// but orders.zip is, which holds the weights under the collations of Unicode.
//
//	go run generate.go generateorders.go -dsn 'root@unix(/path/to/mysqld.sock)/'
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	_ "github.com/go-sql-driver/mysql"
)

// several are collations under which a text weighs otherwise than its characters one by one.
var several = regexp.MustCompile(`_bin$|_czech_cs$|^tis620_thai_ci$|^gb18030_unicode_520_ci$`)

// allWeights writes what each character weighs, under the collations of sets that are tables and
// the plain ones of Unicode: how many positions there are, the number of bytes of each weight, and
// the weights as differences.
func allWeights(z *zip.Writer) {
	for _, c := range list("SELECT collation_name, character_set_name FROM information_schema.collations ORDER BY 1") {
		if skipped[c[1]] || several.MatchString(c[0]) {
			continue
		}
		all := make([]string, size(c[1]))
		expr := "IF(CHAR_LENGTH(c)=1, HEX(WEIGHT_STRING(c COLLATE " + c[0] + ")), NULL)"
		for _, p := range parts(c[1]) {
			ask(expr, p.first, p.last, "CONVERT("+p.code+" USING "+c[1]+")", func(n int, s string) { all[n] = s })
		}
		if c[1] == "gb18030" {
			ask(expr, 0x10000, 0x10FFFF, "CONVERT(CHAR(i USING utf32) USING gb18030)", func(_ int, s string) { all = append(all, s) })
		}
		putWeights(z, c[0], all)
	}
	for _, c := range []string{"utf8mb4_general_ci", "utf8mb3_general_mysql500_ci", "utf8mb3_tolower_ci"} {
		set, _, _ := strings.Cut(c, "_")
		all := make([]string, 0x10000)
		ask("HEX(WEIGHT_STRING(c COLLATE "+c+"))", 0, 0xFFFF, "CONVERT(CHAR(i USING utf32) USING "+set+")", func(n int, s string) { all[n] = s })
		putWeights(z, c, all)
	}
}

func putWeights(z *zip.Writer, collation string, all []string) {
	lengths, body, last := make([]byte, len(all)), []byte(nil), int64(0)
	for i, s := range all {
		b, err := hex.DecodeString(s)
		if err != nil || len(b) == 0 {
			continue // not a character
		}
		if len(b) > 8 {
			log.Fatal(collation, " ", i, " ", s)
		}
		var value int64
		for _, x := range b {
			value = value<<8 | int64(x)
		}
		lengths[i] = byte(len(b))
		body = binary.AppendVarint(body, value-last)
		last = value
	}
	put(z, collation, slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(all))), lengths, body))
	log.Print(collation)
}

const (
	invalid  = 0xFFFF // not a character
	unmapped = 0xFFFE // a character that Unicode does not have
)

// shape tells which codes a character set may have.
var shapes = map[string]string{
	"big5": "2", "cp932": "2", "sjis": "2", "euckr": "2", "gb2312": "2", "gbk": "2", "ujis": "3", "eucjpms": "3", "gb18030": "4",
}

// skipped are character sets that need no table.
var skipped = map[string]bool{"utf8mb3": true, "utf8mb4": true, "ucs2": true, "utf16": true, "utf16le": true, "utf32": true, "binary": true}

// known are collations whose weights the SQL library has, or that have those of another one.
var known = regexp.MustCompile(`^(armscii8|ascii|cp1256|cp1257|dec8|geostd8|latin1|latin7|swe7)_|_bin$|^gb18030_unicode_520_ci$`)

var db *sql.DB

// ask runs a query of two columns, a number and a text, for numbers from first to last.
func ask(expr string, first, last int, code string, take func(n int, s string)) {
	const chunk = 1 << 17
	for ; first <= last; first += chunk {
		end := min(last, first+chunk-1)
		q := fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i+1 FROM n WHERE i<%d), c AS (SELECT i, %s AS c FROM n) SELECT i, %s FROM c",
			first, end, code, expr)
		rows, err := db.Query(q)
		if err != nil {
			log.Fatal(q, err)
		}
		for rows.Next() {
			var n int
			var s sql.NullString
			if err := rows.Scan(&n, &s); err != nil {
				log.Fatal(err)
			}
			if !s.Valid {
				s.String = "-"
			}
			take(n, s.String)
		}
		if err := rows.Err(); err != nil {
			log.Fatal(q, err)
		}
	}
}

// part is a range of positions of a table, with the SQL that makes the bytes of position i.
type part struct {
	first, last int
	code        string
}

const linear = 39420 // four-byte codes of gb18030 for the basic plane

func parts(set string) []part {
	out := []part{{0, 255, "CAST(CHAR(i) AS BINARY)"}}
	shape := shapes[set]
	if shape == "" {
		return out
	}
	out = append(out, part{0x8000, 0xFFFF, "CAST(CHAR(i DIV 256, i MOD 256) AS BINARY)"})
	four := "CAST(CHAR(0x81 + j DIV 12600, 0x30 + j DIV 1260 MOD 10, 0x81 + j DIV 10 MOD 126, 0x30 + j MOD 10) AS BINARY)"
	switch shape {
	case "3":
		out = append(out, part{0x10000, 0x1FFFF, "CAST(CHAR(0x8F, (i-65536) DIV 256, (i-65536) MOD 256) AS BINARY)"})
	case "4":
		out = append(out, part{0x10000, 0x10000 + linear - 1, strings.ReplaceAll(four, "j", "(i-65536)")})
	}
	return out
}

func size(set string) int {
	p := parts(set)
	return p[len(p)-1].last + 1
}

func main() {
	dsn := flag.String("dsn", "root@tcp(127.0.0.1:3306)/", "the server")
	only := flag.Bool("weights", false, "write weights.zip alone")
	orders := flag.Bool("orders", false, "write orders.zip alone")
	flag.Parse()
	var err error
	if db, err = sql.Open("mysql", *dsn+"?charset=utf8mb4"); err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, q := range []string{"SET cte_max_recursion_depth = 2000000", "SET max_error_count = 0"} {
		if _, err := db.Exec(q); err != nil {
			log.Fatal(err)
		}
	}
	if *orders {
		archive("orders.zip", allOrders)
		return
	}
	archive("weights.zip", allWeights)
	if *only {
		return
	}
	var digests bytes.Buffer
	archive("tables.zip", func(z *zip.Writer) {
		for _, set := range list("SELECT character_set_name, '' FROM information_schema.character_sets ORDER BY 1") {
			if skipped[set[0]] {
				continue
			}
			generate(z, &digests, set[0])
			log.Print(set[0])
		}
	})
	if err := os.WriteFile("testdata/digests", digests.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// archive writes an archive.
func archive(name string, fill func(z *zip.Writer)) {
	out, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	z := zip.NewWriter(out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	fill(z)
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}

func list(q string) (out [][2]string) {
	rows, err := db.Query(q)
	if err != nil {
		log.Fatal(err)
	}
	for rows.Next() {
		var a [2]string
		if err := rows.Scan(&a[0], &a[1]); err != nil {
			log.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

func put(z *zip.Writer, name string, body []byte) {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write(body); err != nil {
		log.Fatal(err)
	}
}

func generate(z *zip.Writer, digests io.Writer, set string) {
	in := decoded(set)
	var body []byte
	last := uint16(0)
	for _, r := range in {
		body = binary.BigEndian.AppendUint16(body, r-last)
		last = r
	}
	put(z, set, body)
	outward(z, digests, set, in)
	cases(z, set, in)
	for _, c := range list("SELECT collation_name, character_set_name FROM information_schema.collations WHERE character_set_name = '" + set + "' ORDER BY id") {
		if !known.MatchString(c[0]) {
			weights(z, c[0], set, in)
		}
	}
}

// decoded is the character of each position.
func decoded(set string) []uint16 {
	in := make([]uint16, size(set))
	for i := range in {
		in[i] = invalid
	}
	for _, p := range parts(set) {
		ask("IF(CHAR_LENGTH(c)=1, HEX(CONVERT(c USING utf32)), NULL)", p.first, p.last, "CONVERT("+p.code+" USING "+set+")", func(n int, s string) {
			switch {
			case s == "-" || s == "": // eucjpms counts the first byte of a longer code for a character
			case s == "0000003F" && n != 0x3F:
				in[n] = unmapped
			default:
				b, err := hex.DecodeString(s)
				if err != nil || len(b) != 4 || b[0] != 0 || b[1] != 0 {
					log.Fatal(set, n, s)
				}
				in[n] = binary.BigEndian.Uint16(b[2:])
			}
		})
	}
	return in
}

// position is the place of a code in a table.
func position(set string, b []byte) int {
	switch len(b) {
	case 1:
		return int(b[0])
	case 2:
		return int(b[0])<<8 | int(b[1])
	case 3:
		return 0x10000 | int(b[1])<<8 | int(b[2])
	}
	n := ((int(b[0])-0x81)*10+int(b[1])-0x30)*1260 + (int(b[2])-0x81)*10 + int(b[3]) - 0x30
	return 0x10000 + n
}

// outward writes what a character is in the set where that is not the first code that is the
// character, and the digests of both directions.
func outward(z *zip.Writer, digests io.Writer, set string, in []uint16) {
	first := map[uint16]int{}
	sum := sha256.New()
	for i, r := range in {
		fmt.Fprintf(sum, "%X=%X\n", i, r)
		if _, ok := first[r]; !ok && r < unmapped {
			first[r] = i
		}
	}
	inward := sum.Sum(nil)
	sum = sha256.New()
	var body []byte
	ask("IF(i BETWEEN 55296 AND 57343, NULL, HEX(CONVERT(c USING "+set+")))", 0, 0xFFFF, "CHAR(i USING utf32)", func(n int, s string) {
		if s == "-" {
			return
		}
		if s == "3F" && n != 0x3F {
			s = ""
		}
		fmt.Fprintf(sum, "%X=%s\n", n, s)
		at, want := -1, -1
		if s != "" {
			b, err := hex.DecodeString(s)
			if err != nil {
				log.Fatal(err)
			}
			at = position(set, b)
		}
		if i, ok := first[uint16(n)]; ok {
			want = i
		}
		if at != want {
			body = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(body, uint32(n)), uint32(at))
		}
	})
	put(z, set+".out", body)
	for first := 0x10000; first <= 0x10FFFF; first += 0x20000 {
		ask("HEX(CONVERT(c USING "+set+"))", first, min(first+0x1FFFF, 0x10FFFF), "CHAR(i USING utf32)", func(n int, s string) {
			if set != "gb18030" && s != "3F" && set != "tis620" { // tis620 takes U+10041 for U+0041
				log.Fatal(set, n, s)
			}
			if set != "gb18030" {
				s = ""
			}
			fmt.Fprintf(sum, "%X=%s\n", n, s)
		})
	}
	fmt.Fprintf(digests, "%s %X %X\n", set, inward, sum.Sum(nil))
}

// cases writes the characters whose other case is not Unicode's.
func cases(z *zip.Writer, set string, in []uint16) {
	for _, way := range []struct {
		name string
		to   func(rune) rune
	}{{"UPPER", unicode.ToUpper}, {"LOWER", unicode.ToLower}} {
		var body []byte
		for _, p := range parts(set) {
			ask("HEX(CONVERT("+way.name+"(c) USING utf32))", p.first, p.last, "CONVERT("+p.code+" USING "+set+")", func(n int, s string) {
				if in[n] >= unmapped || s == "-" || len(s) != 8 {
					return
				}
				b, err := hex.DecodeString(s)
				if err != nil {
					log.Fatal(err)
				}
				if r := rune(binary.BigEndian.Uint32(b)); r != way.to(rune(in[n])) {
					body = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(body, uint32(in[n])), uint32(r))
				}
			})
		}
		put(z, set+"."+strings.ToLower(way.name), body)
	}
}

// weights writes the rank of each character under a collation, in the order of positions, as
// differences. Behind the table of gb18030 follow the ranks of the other planes.
func weights(z *zip.Writer, collation, set string, in []uint16) {
	seen := map[string]bool{}
	var all []string
	add := func(_ int, s string) {
		seen[s] = true
		all = append(all, s)
	}
	take := func(n int, s string) {
		if in[n] != invalid {
			add(n, s)
		}
	}
	expr := "HEX(WEIGHT_STRING(c COLLATE " + collation + "))"
	for _, p := range parts(set) {
		ask(expr, p.first, p.last, "CONVERT("+p.code+" USING "+set+")", take)
	}
	if set == "gb18030" {
		ask(expr, 0x10000, 0x10FFFF, "CONVERT(CHAR(i USING utf32) USING gb18030)", add)
	}
	var order []string
	for s := range seen {
		order = append(order, s)
	}
	sort.Strings(order)
	for i := 1; i < len(order); i++ {
		if strings.HasPrefix(order[i], order[i-1]) {
			log.Printf("%s: weight %s begins with %s", collation, order[i], order[i-1])
		}
	}
	var body []byte
	last := int64(0)
	for _, s := range all {
		rank, _ := slices.BinarySearch(order, s)
		body = binary.AppendVarint(body, int64(rank)-last)
		last = int64(rank)
	}
	put(z, collation, body)
}
