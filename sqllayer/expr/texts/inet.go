package texts

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// The functions of internet addresses. go-mysql-server reads and writes them by Go's package net,
// which takes no leading zeros and shortens other groups of zeros.

func init() {
	bytes16 := types.MustCreateBinary(sqltypes.VarBinary, 16)
	text := func(n int64) sql.Type { return types.MustCreateString(sqltypes.VarChar, n, sql.Collation_Default) }
	operand.Register(
		operand.NewScalar("inet_aton", 1, 1, types.Uint64, inetAton),
		operand.NewScalar("inet_ntoa", 1, 1, text(31), inetNtoa),
		operand.NewScalar("inet6_aton", 1, 1, bytes16, inet6Aton),
		operand.NewScalar("inet6_ntoa", 1, 1, text(39), inet6Ntoa),
		operand.NewScalar("is_ipv4", 1, 1, types.Int32, isText(func(s string) bool { return ipv4(s) != nil })),
		operand.NewScalar("is_ipv6", 1, 1, types.Int32, isText(func(s string) bool { return ipv6(s) != nil })),
		operand.NewScalar("is_ipv4_compat", 1, 1, types.Int32, isAddress(func(b []byte) bool {
			return bytes.Equal(b[:12], make([]byte, 12)) && binary.BigEndian.Uint32(b[12:]) > 1
		})),
		operand.NewScalar("is_ipv4_mapped", 1, 1, types.Int32, isAddress(func(b []byte) bool {
			return bytes.Equal(b[:12], []byte{10: 0xff, 11: 0xff})
		})),
	)
}

func inetAton(ctx *sql.Context, a []any) (any, error) {
	address, ok, err := operand.TextOf(ctx, a[0])
	if !ok || err != nil {
		return nil, err
	}
	n, ok := addressNumber(address)
	if !ok {
		return noAddress(ctx, a[0], "inet_aton")
	}
	return n, nil
}

// inetNtoa writes numbers of 32 bits.
func inetNtoa(ctx *sql.Context, a []any) (any, error) {
	n, null, err := operand.NumberOf(ctx, a[0], types.Text)
	if null || err != nil {
		return nil, err
	}
	whole, large, ok := n.AsInteger()
	if !ok || large || whole < 0 || whole >= 1<<32 {
		return nil, nil
	}
	return dotted(binary.BigEndian.AppendUint32(nil, uint32(whole))), nil
}

func inet6Aton(ctx *sql.Context, a []any) (any, error) {
	if s, ok := addressText(a[0]); ok {
		if b := ipv4(s); b != nil {
			return b, nil
		}
		if b := ipv6(s); b != nil {
			return b, nil
		}
	}
	return noAddress(ctx, a[0], "inet6_aton")
}

func inet6Ntoa(ctx *sql.Context, a []any) (any, error) {
	switch b, _ := a[0].([]byte); len(b) {
	case 4:
		return dotted(b), nil
	case 16:
		return coloned(b), nil
	}
	return noAddress(ctx, a[0], "inet6_ntoa")
}

func isText(of func(string) bool) func(*sql.Context, []any) (any, error) {
	return func(_ *sql.Context, a []any) (any, error) {
		s, ok := addressText(a[0])
		return truth(ok && of(s)), nil
	}
}

// addressText is a text, which may be one of bytes.
func addressText(v any) (string, bool) {
	if b, ok := v.([]byte); ok {
		return string(b), true
	}
	s, ok := v.(string)
	return s, ok
}

func isAddress(of func([]byte) bool) func(*sql.Context, []any) (any, error) {
	return func(_ *sql.Context, a []any) (any, error) {
		b, _ := a[0].([]byte)
		return truth(len(b) == 16 && of(b)), nil
	}
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// noAddress is NULL in the place of what is no address, with a warning.
func noAddress(ctx *sql.Context, v any, function string) (any, error) {
	shown := fmt.Sprint(v)
	switch v := v.(type) {
	case string:
		shown = "'" + v + "'"
	case []byte:
		shown = "0x" + strings.ToUpper(hex.EncodeToString(v))
	}
	ctx.Warn(1411, "Incorrect string value: '%s' for function %s", shown, function)
	return nil, nil
}

// addressNumber reads an address of up to four numbers. Those that lack stand in front of the last
// one; one without digits is zero, but for the last.
func addressNumber(address string) (n uint64, ok bool) {
	part, dots := uint64(0), 0
	for _, c := range []byte(address) {
		switch {
		case c >= '0' && c <= '9':
			part = part*10 + uint64(c-'0')
		case c == '.':
			n, part = n<<8|part, 0
			dots++
		default:
			return 0, false
		}
		if part > 255 || dots > 3 {
			return 0, false
		}
	}
	if address == "" || address[len(address)-1] == '.' {
		return 0, false
	}
	if dots > 0 {
		n <<= 8 * (3 - dots)
	}
	return n<<8 | part, true
}

// ipv4 reads four numbers of up to three digits; nil: it is something else.
func ipv4(s string) []byte {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return nil
	}
	out := make([]byte, 4)
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(p) > 3 {
			return nil
		}
		out[i] = byte(n)
	}
	return out
}

// ipv6 reads eight groups of hexadecimal digits, :: for groups of zeros, and an address of version
// 4 as the last two; nil: it is something else.
func ipv6(s string) []byte {
	if at := strings.LastIndexByte(s, ':'); at >= 0 && strings.Contains(s[at:], ".") {
		last := ipv4(s[at+1:])
		if last == nil {
			return nil
		}
		s = s[:at+1] + fmt.Sprintf("%x:%x", binary.BigEndian.Uint16(last), binary.BigEndian.Uint16(last[2:]))
	}
	a, err := netip.ParseAddr(s)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return nil
	}
	b := a.As16()
	return b[:]
}

func dotted(b []byte) string { return fmt.Sprintf("%d.%d.%d.%d", b[0], b[1], b[2], b[3]) }

// coloned writes an address of version 6: the first of the longest runs of zeros is ::, also a run
// of one. The last two groups are an address of version 4 behind six zeros, or five and ffff.
func coloned(b []byte) string {
	var groups [8]uint16
	from, most := 0, 0
	for i, run := 0, 0; i < 8; i++ {
		if groups[i] = binary.BigEndian.Uint16(b[2*i:]); groups[i] != 0 {
			run = 0
		} else if run++; run > most {
			from, most = i+1-run, run
		}
	}
	if from == 0 && (most == 6 || most == 5 && groups[5] == 0xffff) {
		prefix := "::"
		if most == 5 {
			prefix = "::ffff:"
		}
		return prefix + dotted(b[12:])
	}
	join := func(groups []uint16) string {
		out := make([]string, len(groups))
		for i, g := range groups {
			out[i] = strconv.FormatUint(uint64(g), 16)
		}
		return strings.Join(out, ":")
	}
	if most == 0 {
		return join(groups[:])
	}
	return join(groups[:from]) + "::" + join(groups[from+most:])
}
