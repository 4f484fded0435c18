package operand

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadingADocumentEnds reads a text of many values for a statement that has ended.
func TestReadingADocumentEnds(t *testing.T) {
	ended, end := context.WithCancel(context.Background())
	end()
	text := "[" + strings.Repeat("1,", 2*interruptSteps) + "1]"
	_, err := ParseDocument(ended, text)
	require.ErrorIs(t, err, context.Canceled)
	d := NewDocument([]byte(text))
	_, err = d.ToInterface(ended)
	require.ErrorIs(t, err, context.Canceled)
	v, err := d.ToInterface(context.Background())
	require.NoError(t, err, "another statement reads the document")
	require.Len(t, v, 2*interruptSteps+1)
}
