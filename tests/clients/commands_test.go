package clients

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"
)

// commandDifferences are the cells in which Ember does not follow MySQL.
var commandDifferences = []difference{
	{regexp.MustCompile(`^connection attributes \d`), "an empty attribute is no NULL; an account may come back without its attributes"},
	{regexp.MustCompile(`"\\x03(SELECT|SHOW)|statement attributes.*SELECT`), "lengths, flags and decimals of columns"},
	{regexp.MustCompile(`^old commands`), "commands of old clients are served; unknown ones do not end the connection"},
	{regexp.MustCompile(`^set option \d "\\x1b|^field list 1|^init db 5|statement attributes.* "\\x0e"`), "the count of warnings, which nothing has left; a name with a zero byte"},
	{regexp.MustCompile(`^field list`), "the library answers COM_FIELD_LIST"},
	{regexp.MustCompile(`^change user, (cut|only|long)`), "what is missing of COM_CHANGE_USER is taken for empty"},
}

// rawConn is a connection that sends and shows packets as they are.
type rawConn struct {
	net.Conn
	caps        uint32
	seq         byte
	misnumbered bool // a packet had another number than the next
}

// usualCaps are the capabilities of a client that wants nothing special.
const usualCaps = mysql.CLIENT_PROTOCOL_41 | mysql.CLIENT_SECURE_CONNECTION | mysql.CLIENT_PLUGIN_AUTH | mysql.CLIENT_LONG_PASSWORD | mysql.CLIENT_TRANSACTIONS |
	mysql.CLIENT_MULTI_RESULTS

// dialRaw logs in as root, with attributes if the capabilities say so.
func dialRaw(t *testing.T, socket string, caps uint32, attributes string) *rawConn {
	t.Helper()
	sock, err := net.Dial("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { sock.Close() })
	c := &rawConn{Conn: sock, caps: caps}
	c.packet(t)
	login := binary.LittleEndian.AppendUint32(nil, caps)
	login = append(binary.LittleEndian.AppendUint32(login, 1<<24), 255)
	login = append(append(login, make([]byte, 23)...), "root\x00\x00caching_sha2_password\x00"...)
	if caps&mysql.CLIENT_CONNECT_ATTRS != 0 {
		login = append(append(login, byte(len(attributes))), attributes...)
	}
	c.write(login)
	require.Equal(t, byte(mysql.OK_HEADER), c.packet(t)[0])
	return c
}

// write sends a packet. Where the server has closed the connection, the next packet says so.
func (c *rawConn) write(payload []byte) {
	n := len(payload)
	_, _ = c.Write(append([]byte{byte(n), byte(n >> 8), byte(n >> 16), c.seq}, payload...))
	c.seq++
}

// packet reads a packet; nil: the connection is closed.
func (c *rawConn) packet(t *testing.T) []byte {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(answerLimit)))
	var h [4]byte
	if _, err := io.ReadFull(c, h[:]); err != nil {
		return nil
	}
	c.misnumbered = c.misnumbered || h[3] != c.seq
	c.seq = h[3] + 1
	p := make([]byte, int(h[0])|int(h[1])<<8|int(h[2])<<16)
	_, err := io.ReadFull(c, p)
	require.NoError(t, err)
	return p
}

// moreResults says in a status that another result follows.
const moreResults = 8

// answer reads what a command is answered with, all results of it.
func (c *rawConn) answer(t *testing.T, command byte) (packets [][]byte) {
	t.Helper()
	for {
		p := c.packet(t)
		if packets = append(packets, p); p == nil || p[0] == mysql.ERR_HEADER || command == mysql.COM_STATISTICS {
			return packets
		}
		var status uint16
		switch {
		case p[0] == mysql.OK_HEADER || p[0] == mysql.EOF_HEADER && len(p) > 5:
			_, _, n := mysql.LengthEncodedInt(p[1:])
			_, _, m := mysql.LengthEncodedInt(p[1+n:])
			status = binary.LittleEndian.Uint16(p[1+n+m:])
		case p[0] == mysql.EOF_HEADER:
			status = binary.LittleEndian.Uint16(p[3:])
		default:
			rows, last := c.result(t, p, command)
			if packets = append(packets, rows...); last == nil || last[0] == mysql.ERR_HEADER {
				return packets
			}
			if status = binary.LittleEndian.Uint16(last[3:]); len(last) > 5 {
				status = binary.LittleEndian.Uint16(last[3:])
			}
		}
		if status&moreResults == 0 {
			return packets
		}
	}
}

// result reads columns and rows behind their number, and the packet at their end.
func (c *rawConn) result(t *testing.T, first []byte, command byte) (packets [][]byte, last []byte) {
	t.Helper()
	columns := 0
	if command != mysql.COM_FIELD_LIST {
		n, _, _ := mysql.LengthEncodedInt(first)
		columns = int(n)
	}
	for range columns {
		packets = append(packets, c.packet(t))
	}
	if columns > 0 && c.caps&mysql.CLIENT_DEPRECATE_EOF == 0 {
		packets = append(packets, c.packet(t))
	}
	for {
		p := c.packet(t)
		packets = append(packets, p)
		if p == nil || p[0] == mysql.ERR_HEADER || p[0] == mysql.EOF_HEADER && len(p) < 1<<24-1 {
			return packets, p
		}
	}
}

// step is one command of a conversation.
type step struct {
	payload []byte
	then    []byte // what the client sends when it is asked for another answer to the salt
}

func com(command byte, parts ...string) step {
	return step{payload: append([]byte{command}, strings.Join(parts, "")...)}
}

func query(text string) step { return com(mysql.COM_QUERY, text) }

// conversation are the commands of one connection.
type conversation struct {
	name       string
	caps       uint32
	attributes string
	steps      []step
}

// volatile is what no two servers say alike.
var volatile = regexp.MustCompile(`\d+(\.\d+)?`)

// shownPackets are packets as text. The salt of a question is left out, and the figures of
// COM_STATISTICS.
func shownPackets(command byte, packets [][]byte) string {
	out := make([]string, len(packets))
	for i, p := range packets {
		switch {
		case p == nil:
			out[i] = "closed"
		case command == mysql.COM_STATISTICS && p[0] != mysql.ERR_HEADER:
			out[i] = volatile.ReplaceAllString(string(p), "N")
		case command == mysql.COM_CHANGE_USER && p[0] == mysql.EOF_HEADER:
			_, salt, _ := strings.Cut(string(p[1:]), "\x00") // MySQL asks for any plugin where there is no account
			out[i] = fmt.Sprintf("asks with %d bytes", len(salt))
		default:
			out[i] = strconv.QuoteToASCII(string(p))
		}
	}
	return strings.Join(out, " ")
}

// TestCommands holds conversations of commands beside COM_QUERY, packet by packet: what a reset
// leaves, another user, options, attributes of connections and statements, commands that are gone.
func TestCommands(t *testing.T) {
	p := openServer(t)
	admin := dialRaw(t, p.socket, usualCaps|mysql.CLIENT_MULTI_STATEMENTS, "")
	for _, q := range []string{"DROP DATABASE IF EXISTS cmd", "CREATE DATABASE cmd", "CREATE TABLE cmd.t (i INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(10))",
		"INSERT INTO cmd.t VALUES (1, 'one'), (2, NULL)", "DROP USER IF EXISTS cmd@localhost, low@localhost", "CREATE USER cmd@localhost", "CREATE USER low@localhost",
		"GRANT SELECT, CREATE TEMPORARY TABLES ON cmd.* TO cmd@localhost"} {
		admin.seq = 0
		admin.write(append([]byte{mysql.COM_QUERY}, q...))
		answer := admin.answer(t, mysql.COM_QUERY)
		require.Equal(t, byte(mysql.OK_HEADER), answer[0][0], "%s: %s", q, answer[0])
	}
	var out cells
	for _, talk := range conversations() {
		c := dialRaw(t, p.socket, talk.caps, talk.attributes)
		for i, s := range talk.steps {
			c.seq, c.misnumbered = 0, false
			c.write(s.payload)
			packets := c.answer(t, s.payload[0])
			if last := packets[len(packets)-1]; s.payload[0] == mysql.COM_CHANGE_USER && last != nil && last[0] == mysql.EOF_HEADER {
				c.write(s.then)
				packets = append(packets, c.answer(t, s.payload[0])...)
			}
			answer := shownPackets(s.payload[0], packets)
			if c.misnumbered {
				answer += " misnumbered"
			}
			out.add(t, fmt.Sprintf("%s %d %.60q", talk.name, i, s.payload), answer)
		}
		c.Close()
	}
	out.check(t, "commands", commandDifferences, false)
}

// changeTo is COM_CHANGE_USER; the salt is answered with nothing, as without a password.
func changeTo(user, database string) step {
	return com(mysql.COM_CHANGE_USER, user+"\x00\x00"+database+"\x00\xff\x00caching_sha2_password\x00")
}

// stateOf asks for what belongs to a session.
func stateOf() []step {
	return []step{
		query("SELECT DATABASE(), @v, LAST_INSERT_ID(), ROW_COUNT()"),
		query("SELECT @@autocommit, @@sql_mode = '', @@character_set_client, @@character_set_results, @@collation_connection, @@transaction_isolation"),
		query("SELECT CURRENT_USER(), USER()"),
		query("SELECT * FROM tmp"),
		query("SELECT IS_FREE_LOCK('cmd')"),
		query("SELECT COUNT(*) FROM cmd.t"),
		query("EXECUTE p"),
		query("SHOW WARNINGS"),
		com(mysql.COM_STMT_EXECUTE, "\x01\x00\x00\x00\x00\x01\x00\x00\x00"),
	}
}

// used gives a session state of every kind.
func used() []step {
	return []step{
		com(mysql.COM_STMT_PREPARE, "DO 5"),
		com(mysql.COM_INIT_DB, "cmd"),
		query("SET @v = 5, SESSION sql_mode = '', SESSION TRANSACTION_ISOLATION = 'SERIALIZABLE'"),
		query("SET NAMES latin1"),
		query("CREATE TEMPORARY TABLE tmp (i INT)"),
		query("PREPARE p FROM 'SELECT 7'"),
		query("SELECT GET_LOCK('cmd', 0)"),
		query("BEGIN"),
		query("INSERT INTO cmd.t (s) VALUES ('x')"),
		query("SELECT LAST_INSERT_ID() > 0"),
	}
}

func conversations() []conversation {
	attrs := func(pairs ...string) string {
		var b strings.Builder
		for _, s := range pairs {
			b.WriteByte(byte(len(s)))
			b.WriteString(s)
		}
		return b.String()
	}
	const withAttributes = usualCaps | mysql.CLIENT_QUERY_ATTRIBUTES
	return []conversation{
		{name: "ping", caps: usualCaps, steps: []step{com(mysql.COM_PING), com(mysql.COM_PING, "more"), query("SELECT 1"), query("SELECT i, s FROM cmd.t ORDER BY i"), query("DO 1")}},
		{name: "ping without EOF", caps: usualCaps | mysql.CLIENT_DEPRECATE_EOF, steps: []step{com(mysql.COM_PING), query("SELECT 1"), query("SELECT i, s FROM cmd.t ORDER BY i"),
			query("SELECT 1 FROM cmd.t WHERE i > 100")}},
		{name: "init db", caps: usualCaps, steps: []step{com(mysql.COM_INIT_DB, "cmd"), query("SELECT DATABASE()"), com(mysql.COM_INIT_DB, "absent"), com(mysql.COM_INIT_DB),
			com(mysql.COM_INIT_DB, strings.Repeat("x", 65)), com(mysql.COM_INIT_DB, "cmd\x00rest"), query("SELECT DATABASE()")}},
		{name: "set option", caps: usualCaps, steps: []step{query("SELECT 1; SELECT 2"), com(mysql.COM_SET_OPTION, "\x00\x00"), query("SELECT 1; SELECT 2"), com(mysql.COM_SET_OPTION, "\x01\x00"),
			query("SELECT 1; SELECT 2"), com(mysql.COM_SET_OPTION, "\x02\x00"), com(mysql.COM_SET_OPTION, "\x00\x00more"), query("DO 1"), com(mysql.COM_SET_OPTION, "\x01"),
			com(mysql.COM_SET_OPTION)}},
		{name: "set option without EOF", caps: usualCaps | mysql.CLIENT_DEPRECATE_EOF, steps: []step{com(mysql.COM_SET_OPTION, "\x00\x00"), query("SELECT 1; DO 2; SELECT 3")}},
		{name: "statistics", caps: usualCaps, steps: []step{com(mysql.COM_STATISTICS), com(mysql.COM_STATISTICS, "more")}},
		{name: "debug", caps: usualCaps, steps: []step{com(mysql.COM_DEBUG)}},
		{name: "debug without EOF", caps: usualCaps | mysql.CLIENT_DEPRECATE_EOF, steps: []step{com(mysql.COM_DEBUG)}},
		{name: "debug without rights", caps: usualCaps, steps: []step{changeTo("low", ""), com(mysql.COM_DEBUG), com(mysql.COM_STATISTICS), com(mysql.COM_INIT_DB, "cmd")}},
		{name: "field list", caps: usualCaps, steps: []step{com(mysql.COM_FIELD_LIST, "t\x00"), com(mysql.COM_INIT_DB, "cmd"), com(mysql.COM_FIELD_LIST, "t\x00"),
			com(mysql.COM_FIELD_LIST, "t\x00s"), com(mysql.COM_FIELD_LIST, "absent\x00"), com(mysql.COM_FIELD_LIST, "t")}},
		{name: "old commands", caps: usualCaps, steps: []step{com(mysql.COM_CREATE_DB, "cmd2"), com(mysql.COM_DROP_DB, "cmd2"), com(mysql.COM_PROCESS_KILL, "\xff\xff\xff\x7f"),
			com(mysql.COM_REFRESH, "\x01"), com(mysql.COM_SLEEP), com(mysql.COM_CONNECT), com(mysql.COM_TIME), com(mysql.COM_DELAYED_INSERT), com(mysql.COM_CONNECT_OUT),
			com(mysql.COM_DAEMON), com(33), com(34), com(99), com(255), com(mysql.COM_PING)}},
		{name: "reset", caps: usualCaps, steps: slices.Concat(used(), []step{com(mysql.COM_RESET_CONNECTION)}, stateOf())},
		{name: "reset without EOF", caps: usualCaps | mysql.CLIENT_DEPRECATE_EOF, steps: slices.Concat(used(), []step{com(mysql.COM_RESET_CONNECTION, "more")}, stateOf())},
		{name: "reset of a failed statement", caps: usualCaps, steps: []step{query("SELECT absent"), com(mysql.COM_RESET_CONNECTION), query("SHOW WARNINGS"), query("SHOW COUNT(*) ERRORS")}},
		{name: "change user", caps: usualCaps, steps: slices.Concat(used(), []step{changeTo("cmd", "cmd")}, stateOf())},
		{name: "change user without a database", caps: usualCaps, steps: slices.Concat(used(), []step{changeTo("cmd", "")}, stateOf())},
		{name: "change user and back", caps: usualCaps, steps: []step{changeTo("cmd", "cmd"), query("SELECT CURRENT_USER()"), changeTo("root", ""), query("SELECT CURRENT_USER(), DATABASE()")}},
		{name: "change user, unknown", caps: usualCaps, steps: []step{changeTo("absent", "cmd"), query("SELECT CURRENT_USER()")}},
		{name: "change user, unknown database", caps: usualCaps, steps: []step{changeTo("root", "absent"), query("SELECT CURRENT_USER()")}},
		{name: "change user, no right", caps: usualCaps, steps: []step{changeTo("low", "cmd"), query("SELECT CURRENT_USER()")}},
		{name: "change user, cut", caps: usualCaps, steps: []step{com(mysql.COM_CHANGE_USER), com(mysql.COM_PING)}},
		{name: "change user, only a name", caps: usualCaps, steps: []step{com(mysql.COM_CHANGE_USER, "root"), com(mysql.COM_PING)}},
		{name: "change user, long answer", caps: usualCaps, steps: []step{com(mysql.COM_CHANGE_USER, "root\x00\xffabc"), com(mysql.COM_PING)}},
		{name: "connection attributes", caps: usualCaps | mysql.CLIENT_CONNECT_ATTRS, attributes: attrs("program_name", "cells", "_os", "", "p\u00fc", "v\u00e4l"), steps: []step{
			query("SELECT ATTR_NAME, ATTR_VALUE, ORDINAL_POSITION FROM performance_schema.session_connect_attrs WHERE PROCESSLIST_ID = CONNECTION_ID() ORDER BY ORDINAL_POSITION"),
			com(mysql.COM_RESET_CONNECTION),
			query("SELECT ATTR_NAME, ATTR_VALUE FROM performance_schema.session_account_connect_attrs WHERE PROCESSLIST_ID = CONNECTION_ID() ORDER BY ORDINAL_POSITION"),
			changeTo("root", ""),
			query("SELECT COUNT(*) FROM performance_schema.session_account_connect_attrs WHERE PROCESSLIST_ID = CONNECTION_ID()")}},
		{name: "connection attributes, cut", caps: usualCaps | mysql.CLIENT_CONNECT_ATTRS, attributes: attrs("a", "b", "c") + "\x09", steps: []step{
			query("SELECT ATTR_NAME, ATTR_VALUE FROM performance_schema.session_connect_attrs WHERE PROCESSLIST_ID = CONNECTION_ID() ORDER BY ORDINAL_POSITION")}},
		{name: "no statement attributes", caps: withAttributes, steps: []step{query("\x00\x01SELECT 1"), query("\x00\x01SELECT i FROM cmd.t WHERE i = 1"), query("\x00\x01SELECT i FROM cmd.t WHERE i = 1"),
			query("\x00\x01DO 1"), query("\x00\x01"), com(mysql.COM_PING)}},
		{name: "statement attributes", caps: withAttributes, steps: []step{
			query("\x01\x01\x00\x01\xfe\x00\x01n\x03abcSELECT 5"),
			query("\x02\x01\x02\x01\x03\x00\x01n\x06\x00\x00\x07\x00\x00\x00SELECT 6"),
			query("\x01\x01\x01\x01\xfe\x00\x01nDO 7"),
			query("\x03\x01\x00\x01\x01\x80\x01a\x05\x00\x01b\x0c\x00\x01c\xff\x00\x00\x00\x00\x00\x00\xf0\x3f\x04\xea\x07\x01\x02SELECT 8")}},
		{name: "statement attributes, not bound", caps: withAttributes, steps: []step{query("\x01\x01\x00\x00SELECT 5"), com(mysql.COM_PING)}},
		{name: "statement attributes, two sets", caps: withAttributes, steps: []step{query("\x00\x02SELECT 5"), com(mysql.COM_PING)}},
		{name: "statement attributes, cut", caps: withAttributes, steps: []step{query("\x01\x01\x00\x01\xfe\x00\x01n\x20abc"), com(mysql.COM_PING)}},
		{name: "statement attributes, too many", caps: withAttributes, steps: []step{query("\xfd\xff\xff\xff\x01SELECT 5"), com(mysql.COM_PING)}},
		{name: "statement attributes, unknown type", caps: withAttributes, steps: []step{query("\x01\x01\x00\x01\x77\x00\x01n\x03abcSELECT 5"), com(mysql.COM_PING)}},
	}
}
