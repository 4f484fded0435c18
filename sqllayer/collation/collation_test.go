package collation

import (
	"bytes"
	"encoding/hex"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
)

func key(collation uint16, codes row.Codes, s string) []byte {
	return row.AppendKeyPart(nil, row.Column{Type: row.TVarchar, Collation: collation, Codes: codes}, row.KeyPart{}, row.BytesValue([]byte(s)))
}

// Keys with short codes sort like those with long ones, also where spaces are padded.
func TestShortKeysSortAlike(t *testing.T) {
	seed := rand.Int63()
	rng := rand.New(rand.NewSource(seed))
	t.Logf("seed %d", seed)
	alphabet := []rune("aAbB zZ~ \x01\t0 9é ÉßßæЖжλΩ中文字😀\u3000한\u00a0")
	text := func() string {
		out := make([]rune, rng.Intn(6))
		for i := range out {
			out[i] = alphabet[rng.Intn(len(alphabet))]
		}
		return string(out)
	}
	for name, id := range map[string]uint16{
		"utf8mb4_0900_ai_ci": 255, "utf8mb4_0900_as_cs": 278, "utf8mb4_general_ci": 45, "utf8mb4_unicode_ci": 224,
		"utf8mb3_general_ci": 33, "latin1_swedish_ci": 8, "latin1_german2_ci": 31, "utf8mb4_ja_0900_as_cs": 303,
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, row.LongCodes, row.NewestCodes(id))
			for range 20_000 {
				a, b := text(), text()
				want := bytes.Compare(key(id, row.LongCodes, a), key(id, row.LongCodes, b))
				require.Equal(t, want, bytes.Compare(key(id, row.ShortCodes, a), key(id, row.ShortCodes, b)), "%q and %q", a, b)
			}
			require.Len(t, key(id, row.ShortCodes, "Hello, World"), 1+12+len(key(id, row.ShortCodes, ""))-1, "a byte a character")
		})
	}
}

// Keys are on disk: those of a collation never change.
func TestKeysAreFixed(t *testing.T) {
	for id, want := range map[uint16][2]string{255: {"01e1ae85e1ae9e0ae1af96d2ace1b982e9a8910001", "014f5102573782c6fe02120001"}, 45: {"014243214665c9b8e4a7b4210001", "012324022746491590d8020001"}, 8: {"014243214665f7bfbfbef7bfbfbe210001", "012324022746ff1f88b8ff1f88b8020001"}} {
		for i, codes := range []row.Codes{row.LongCodes, row.ShortCodes} {
			require.Equal(t, want[i], hex.EncodeToString(key(id, codes, "Ab é~Ж中")), "collation %d, %s codes", id, codes)
		}
	}
}

// Whole keys are on disk, too.
func TestWholeKeysAreFixed(t *testing.T) {
	for id, want := range map[uint16]string{
		255: "014345024b350201030467677742ff02a83e0001",
		278: "014345024b350201030467677742ff02a83e00ff212121212521212121c4912121212500ff09030303030303030505050903030001",
		224: "014446024c36020000010304686877f4ff02b804020001",
	} {
		require.Equal(t, want, hex.EncodeToString(key(id, row.WholeCodes, "Ab \x00é~ \tßЖ中\u0301")), "collation %d", id)
	}
}
