package run

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const loadedXML = `<?xml version="1.0"?>
<list z="all">
  <row a="1" b="x&amp;y"><c>inner</c></row>
  <row><a>2</a><b>two</b></row>
  <row><field name="a">3</field><field name='b'>three</field></row>
  <row a="4"/>
  <row a='5'><b>&lt;&#65;&quot;&apos;&unknown;</b><c/></row>
  <!-- comment <row a="99"/> -->
  <row a="6"><b><![CDATA[<cd>]]></b></row>
  <person a="7"><b>p</b></person>
  <row a = "8" b="eight" /><row><a> 9 </a><b>
 nine
</b></row>
  <row a="cut">`

// readXML reads all rows of an element.
func readXML(t *testing.T, text, tag string, names ...string) (rows []string) {
	r := newXMLReader(strings.NewReader(text), tag, names, 1<<20)
	for {
		line, err := r.next()
		if err == io.EOF {
			return rows
		}
		require.NoError(t, err)
		var row []string
		for _, f := range line {
			text := string(f.text)
			if f.null {
				text = "NULL"
			}
			row = append(row, text)
		}
		rows = append(rows, strings.Join(row, "|"))
	}
}

func TestXMLRows(t *testing.T) {
	require.Equal(t, []string{"1|x&y|inner", "2|two|NULL", "3|three|NULL", "4|NULL|NULL", "5|<&#65;\"'&unknown;|NULL", "6|<cd>|NULL", "8|eight|NULL", "9 |nine\n|NULL"},
		readXML(t, loadedXML, "<row>", "a", "b", "c"))
	require.Equal(t, []string{"7|p"}, readXML(t, loadedXML, "<person>", "a", "b"))
	require.Equal(t, []string{"7|all"}, readXML(t, loadedXML, "<person>", "a", "z"))
	require.Empty(t, readXML(t, loadedXML, "row", "a"))
	require.Empty(t, readXML(t, "", "<row>", "a"))
}

func TestXMLIsBounded(t *testing.T) {
	r := newXMLReader(strings.NewReader("<row><a>"+strings.Repeat("x", 1000)+"</a></row>"), "<row>", []string{"a"}, 500)
	_, err := r.next()
	require.ErrorContains(t, err, "max_allowed_packet")
	r = newXMLReader(strings.NewReader("<l>"+strings.Repeat("<row a='1'/>", 100)+"</l>"), "<row>", []string{"a"}, 50)
	for range 100 {
		more, err := r.skipLine()
		require.NoError(t, err)
		require.True(t, more)
	}
	more, err := r.skipLine()
	require.NoError(t, err)
	require.False(t, more)
}
