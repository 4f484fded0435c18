package logs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMaskSecrets(t *testing.T) {
	for in, want := range map[string]string{
		"CREATE USER u IDENTIFIED BY 'geheim'":                                                     "CREATE USER u IDENTIFIED BY <secret>",
		"alter user u identified with caching_sha2_password by \"ge\\\"heim\"":                     "alter user u identified with caching_sha2_password by <secret>",
		"SET PASSWORD FOR 'u'@'h' = 'it''s'":                                                       "SET PASSWORD FOR 'u'@'h' = <secret>",
		"SET PASSWORD = 'x'":                                                                       "SET PASSWORD = <secret>",
		"CREATE USER u IDENTIFIED WITH mysql_native_password AS '*ABC'":                            "CREATE USER u IDENTIFIED WITH mysql_native_password AS <secret>",
		"SELECT 'IDENTIFIED BY ''x'''":                                                             "SELECT 'IDENTIFIED BY ''x'''",
		"/* " + strings.Repeat("-", 200) + " */ create user u identified by 'x'":                   "/* " + strings.Repeat("-", 200) + " */ create user u identified by <secret>",
		"SELECT 1; ALTER USER u IDENTIFIED BY 'x' REPLACE 'y' RETAIN CURRENT PASSWORD; SELECT 'z'": "SELECT 1; ALTER USER u IDENTIFIED BY <secret> REPLACE <secret> RETAIN CURRENT PASSWORD; SELECT 'z'",
		"ALTER USER u IDENTIFIED/**/BY/**/0x78":                                                    "ALTER USER u IDENTIFIED/**/BY/**/<secret>",
		"ALTER USER u IDENTIFIED BY 'open":                                                         "ALTER USER u IDENTIFIED BY <secret>",
		"PREPARE s FROM 'ALTER USER u IDENTIFIED BY ''x'''":                                        "PREPARE s FROM 'ALTER USER u IDENTIFIED BY <secret>'",
		"CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (USER 'u', PASSWORD 'x')":              "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (USER 'u', PASSWORD <secret>)",
		"START REPLICA USER='u' PASSWORD='x'":                                                      "START REPLICA USER='u' PASSWORD=<secret>",
		"SELECT * FROM t WHERE password = 'x'":                                                     "SELECT * FROM t WHERE password = 'x'",
		"CHANGE REPLICATION SOURCE TO SOURCE_USER='u', SOURCE_PASSWORD='geheim'":                   "CHANGE REPLICATION SOURCE TO SOURCE_USER='u', SOURCE_PASSWORD=<secret>",
	} {
		require.Equal(t, want, MaskSecrets(in))
	}
}
