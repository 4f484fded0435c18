package sources

import (
	"math"
	"strconv"
	"strings"
	"time"

	"emberdb/binlog"
	"emberdb/replication"
	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// SourceChange is what the options of a CHANGE REPLICATION SOURCE TO make of a source.
type SourceChange struct {
	Src           replication.Source
	Moved, Placed bool // another server; a place was named
	Auto          bool // AUTO_POSITION was named
	connects      bool // options of the receiver were named
	applies       bool // options of the applier were
	Secret        bool // a user or password was
}

// Check refuses what does not go together, and changes under running threads.
func (c *SourceChange) Check(channel string, running replication.Threads) error {
	switch {
	case c.Auto && running != 0:
		return sqlerr.NewError(3085, "This operation cannot be performed with running replication threads; run STOP REPLICA FOR CHANNEL '%s' first", channel)
	case c.connects && running&replication.Receiver != 0:
		return sqlerr.NewError(3021, "This operation cannot be performed with a running replica io thread; run STOP REPLICA IO_THREAD FOR CHANNEL '%s' first.", channel)
	case (c.applies || c.Placed) && running&replication.Applier != 0:
		return sqlerr.NewError(3017, "This operation cannot be performed with a running replica sql thread; run STOP REPLICA SQL_THREAD FOR CHANNEL '%s' first", channel)
	case c.Src.Auto && c.Placed:
		return sqlerr.NewError(1776, "Parameters SOURCE_LOG_FILE, SOURCE_LOG_POS, RELAY_LOG_FILE and RELAY_LOG_POS cannot be set when SOURCE_AUTO_POSITION is active.")
	case c.Src.Auto && c.Src.Anonymous != "":
		return sqlerr.NewError(4068, "Replication channel cannot use ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS together with SOURCE_AUTO_POSITION = 1")
	case c.Auto && c.Src.Auto && strings.EqualFold(sysvar.GlobalText("gtid_mode"), "OFF"):
		return sqlerr.NewError(1777, "CHANGE REPLICATION SOURCE TO ... SOURCE_AUTO_POSITION = 1 cannot be executed because @@GLOBAL.GTID_MODE = OFF.")
	}
	return nil
}

// optionValue reads the value of an option, and notes whether it is one.
type optionValue struct {
	text string
	bad  bool
}

func (v *optionValue) number(max uint64) uint64 {
	n, err := strconv.ParseUint(v.text, 0, 64)
	v.bad = v.bad || err != nil || n > max
	return n
}

func (v *optionValue) on() bool { return v.number(1) == 1 }

func (v *optionValue) seconds(most float64) time.Duration {
	f, err := strconv.ParseFloat(v.text, 64)
	v.bad = v.bad || err != nil || f < 0 || f > most
	return time.Duration(f * float64(time.Second))
}

func (c *SourceChange) Set(o *ast.SourceOption) error {
	v := &optionValue{text: o.Word}
	if o.Text != nil {
		v.text = o.Text.Text
	} else if o.Number != nil {
		v.text = o.Number.Text
	}
	option := strings.TrimPrefix(o.Name, "SOURCE_")
	switch {
	case c.setPlace(option, v):
	case c.setConnection(option, v, o):
		c.connects = true
	case c.setTLS(option, v, o):
		c.connects = true
	case c.setApplier(option, v):
		c.applies = true
	default:
		return sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", o.Name)
	}
	if v.bad {
		return sqlerr.NewError(1210, "Incorrect arguments to %s", o.Name)
	}
	return nil
}

// setPlace sets whom to follow, and from where.
func (c *SourceChange) setPlace(option string, v *optionValue) bool {
	switch option {
	case "HOST":
		v.bad = v.text == "" || len(v.text) > 255
		c.Src.Host, c.Moved, c.connects = v.text, true, true
	case "PORT":
		c.Src.Port, c.Moved, c.connects = uint16(v.number(math.MaxUint16)), true, true
	case "LOG_FILE":
		c.Src.Place.File, c.Placed, c.connects = v.text, true, true
	case "LOG_POS":
		c.Src.Place.Position, c.Placed, c.connects = max(4, uint32(v.number(math.MaxUint32))), true, true
	case "AUTO_POSITION":
		c.Src.Auto, c.Auto = v.on(), true
	default:
		return false
	}
	return true
}

// setConnection sets how to connect.
func (c *SourceChange) setConnection(option string, v *optionValue, o *ast.SourceOption) bool {
	switch option {
	case "USER":
		v.bad = len(v.text) > 96
		c.Src.User, c.Secret = v.text, true
	case "PASSWORD":
		v.bad = len(v.text) > 32
		c.Src.Password, c.Secret = v.text, true
	case "BIND":
		c.Src.Bind = v.text
	case "CONNECT_RETRY":
		c.Src.ConnectRetry = v.seconds(math.MaxUint32)
	case "RETRY_COUNT":
		c.Src.RetryCount = int(v.number(math.MaxInt32))
	case "HEARTBEAT_PERIOD":
		c.Src.Heartbeat = v.seconds(4294967)
	case "GET_SOURCE_PUBLIC_KEY":
		c.Src.AskPublicKey = v.on()
	case "PUBLIC_KEY_PATH":
		c.Src.PublicKey = v.text
	case "COMPRESSION_ALGORITHMS":
		for _, name := range strings.Split(v.text, ",") {
			name = strings.TrimSpace(name)
			v.bad = v.bad || name != "zlib" && name != "zstd" && name != "uncompressed"
		}
		c.Src.Compression = v.text
	case "ZSTD_COMPRESSION_LEVEL":
		c.Src.ZstdLevel = int(v.number(22))
	case "IGNORE_SERVER_IDS":
		c.Src.IgnoreIDs = nil
		for _, id := range o.IDs {
			n, err := strconv.ParseUint(id.Text, 10, 32)
			v.bad = v.bad || err != nil
			c.Src.IgnoreIDs = append(c.Src.IgnoreIDs, uint32(n))
		}
	case "NETWORK_NAMESPACE", "CONNECTION_AUTO_FAILOVER":
		return v.text == "" || v.text == "0"
	default:
		return false
	}
	return true
}

// setTLS sets how the connection is encrypted.
func (c *SourceChange) setTLS(option string, v *optionValue, o *ast.SourceOption) bool {
	t := &c.Src.TLS
	texts := map[string]*string{"SSL_CA": &t.CA, "SSL_CAPATH": &t.CAPath, "SSL_CERT": &t.Cert, "SSL_KEY": &t.Key, "SSL_CIPHER": &t.Cipher,
		"SSL_CRL": &t.CRL, "SSL_CRLPATH": &t.CRLPath, "TLS_VERSION": &t.Versions}
	switch option {
	case "SSL":
		t.On = v.on()
	case "SSL_VERIFY_SERVER_CERT":
		t.Verify = v.on()
	case "TLS_CIPHERSUITES":
		t.Suites = nil
		if o.Text != nil {
			t.Suites = &v.text
		}
	default:
		into := texts[option]
		if into == nil {
			return false
		}
		*into = v.text
	}
	return true
}

// setApplier sets how what comes is applied.
func (c *SourceChange) setApplier(option string, v *optionValue) bool {
	switch option {
	case "DELAY":
		c.Src.Delay = time.Duration(v.number(math.MaxInt32)) * time.Second
	case "REQUIRE_ROW_FORMAT":
		c.Src.RowFormat = v.on()
	case "GTID_ONLY":
		c.Src.GTIDOnly = v.on()
	case "REQUIRE_TABLE_PRIMARY_KEY_CHECK":
		if v.text == "GENERATE" {
			return false
		}
		c.Src.KeyCheck = v.text
	case "ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS":
		c.Src.Anonymous = v.text
		if v.text == "OFF" {
			c.Src.Anonymous = ""
		} else if v.text != "LOCAL" {
			id, err := binlog.ParseUUID(v.text)
			v.bad = err != nil
			c.Src.Anonymous = id.String()
		}
	case "PRIVILEGE_CHECKS_USER":
		return v.text == "NULL"
	default:
		return false
	}
	return true
}
