package account

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/parse"
)

// Statements print as MySQL writes them in its binary log, and read the same again.
func TestPrint(t *testing.T) {
	for in, want := range map[string]string{
		"create user a": "CREATE USER 'a'@'%'",
		"CREATE USER IF NOT EXISTS a@localhost IDENTIFIED WITH 'p' AS 'h', b DEFAULT ROLE r, s@h REQUIRE SUBJECT 'x' AND ISSUER 'y' WITH MAX_QUERIES_PER_HOUR 1 MAX_USER_CONNECTIONS 2 " +
			"PASSWORD EXPIRE INTERVAL 3 DAY ACCOUNT LOCK PASSWORD HISTORY DEFAULT FAILED_LOGIN_ATTEMPTS 4 PASSWORD_LOCK_TIME UNBOUNDED COMMENT 'it''s'": "CREATE USER IF NOT EXISTS 'a'@'localhost' " +
			"IDENTIFIED WITH 'p' AS 'h', 'b'@'%' DEFAULT ROLE 'r'@'%', 's'@'h' REQUIRE SUBJECT 'x' ISSUER 'y' WITH MAX_QUERIES_PER_HOUR 1 MAX_USER_CONNECTIONS 2 " +
			"PASSWORD EXPIRE INTERVAL 3 DAY ACCOUNT LOCK PASSWORD HISTORY DEFAULT FAILED_LOGIN_ATTEMPTS 4 PASSWORD_LOCK_TIME UNBOUNDED COMMENT 'it''s'",
		"ALTER USER a IDENTIFIED WITH p AS 0x6100 RETAIN CURRENT PASSWORD PASSWORD REQUIRE CURRENT OPTIONAL": "ALTER USER 'a'@'%' IDENTIFIED WITH 'p' AS 0x6100 RETAIN CURRENT PASSWORD PASSWORD REQUIRE CURRENT OPTIONAL",
		"grant select (a, `b c`), insert(a), create temporary tables on table d.t to u with grant option":    "GRANT SELECT (`a`, `b c`), INSERT (`a`), CREATE TEMPORARY TABLES ON `d`.`t` TO 'u'@'%' WITH GRANT OPTION",
		"REVOKE IF EXISTS ALL ON d.* FROM u, CURRENT_USER IGNORE UNKNOWN USER":                               "REVOKE IF EXISTS ALL PRIVILEGES ON `d`.* FROM 'u'@'%', CURRENT_USER() IGNORE UNKNOWN USER",
		"GRANT execute ON FUNCTION f TO u AS v WITH ROLE ALL EXCEPT r":                                       "GRANT EXECUTE ON FUNCTION `f` TO 'u'@'%' AS 'v'@'%' WITH ROLE ALL EXCEPT 'r'@'%'",
		"GRANT backup_admin, 'audit_admin' ON *.* TO u":                                                      "GRANT BACKUP_ADMIN, AUDIT_ADMIN ON *.* TO 'u'@'%'",
		"GRANT r, s@h TO u WITH ADMIN OPTION;":                                                               "GRANT 'r'@'%', 's'@'h' TO 'u'@'%' WITH ADMIN OPTION",
		"GRANT PROXY ON ''@'' TO u":                                                                          "GRANT PROXY ON ''@'' TO 'u'@'%'",
		"REVOKE ALL PRIVILEGES, GRANT OPTION FROM u":                                                         "REVOKE ALL PRIVILEGES, GRANT OPTION FROM 'u'@'%'",
		"rename user a to b, c@d to e":                                                                       "RENAME USER 'a'@'%' TO 'b'@'%', 'c'@'d' TO 'e'@'%'",
		"SET DEFAULT ROLE ALL TO a, b":                                                                       "SET DEFAULT ROLE ALL TO 'a'@'%', 'b'@'%'",
		"DROP /* x */ ROLE IF EXISTS r -- y\n":                                                               "DROP ROLE IF EXISTS 'r'@'%'",
		"GRANT USAGE ON *.* TO 'a\nb'@'%'":                                                                   "GRANT USAGE ON *.* TO `a\nb`@'%'",
		"SHOW GRANTS FOR u USING r":                                                                          "SHOW GRANTS FOR 'u'@'%' USING 'r'@'%'",
	} {
		s, err := Parse(in, false)
		require.NoError(t, err, in)
		require.Equal(t, want, s.String(), in)
		again, err := Parse(want, false)
		require.NoError(t, err, want)
		require.Equal(t, want, again.String())
	}
}

// No password is ever printed.
func TestPrintHidesPasswords(t *testing.T) {
	for _, in := range []string{"CREATE USER u IDENTIFIED BY 'geheim'", "ALTER USER u IDENTIFIED BY 'geheim' REPLACE 'geheim'", "SET PASSWORD = 'geheim' REPLACE 'geheim'"} {
		s, err := Parse(in, false)
		require.NoError(t, err)
		require.NotContains(t, s.String(), "geheim")
	}
}

func TestSyntaxErrors(t *testing.T) {
	for in, at := range map[string]string{
		"CREATE USER": "", "CREATE USER a@ b": "b", "CREATE USER 'open": "'open", "GRANT SELECT ON d.t u": "u", "GRANT SELECT(a ON d.t TO u": "ON d.t TO u",
		"GRANT ALL, SELECT ON d.* TO u": ", SELECT ON d.* TO u", "GRANT SELECT TO u": "SELECT TO u", "GRANT r@h ON d.* TO u": "r@h ON d.* TO u", "ALTER USER USER() ACCOUNT LOCK": "ACCOUNT LOCK",
		"CREATE USER a REQUIRE": "", "DROP USER a b": "b", "SET DEFAULT ROLE r TO CURRENT_USER()": "CURRENT_USER()", "GRANT SELECT ON *.t TO u": "t TO u",
	} {
		_, err := Parse(in, false)
		e, ok := err.(*parse.Error)
		require.True(t, ok, "%s: %v", in, err)
		require.Equal(t, uint16(1064), e.Code, in)
		require.Contains(t, e.Text, " near '"+at+"' at line 1", in)
	}
}

// Whatever the text, the parser returns.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"CREATE USER a@b IDENTIFIED BY 'x' REQUIRE SSL", "GRANT SELECT(a) ON d.t TO u", "REVOKE ALL, GRANT OPTION FROM u", "SET PASSWORD FOR u TO RANDOM", "GRANT r@'%' TO u", "x'4", "0x", "`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		MaskSecrets(text)
		s, err := Parse(text, false)
		if err != nil || s == nil {
			return
		}
		printed := s.String()
		if strings.Contains(printed, secret) {
			return // in the place of a password, which no statement gets back
		}
		again, err := Parse(printed, false)
		if err != nil || again.String() != printed {
			t.Fatalf("%q prints as %q, which reads as %v %v", text, printed, again, err)
		}
	})
}
