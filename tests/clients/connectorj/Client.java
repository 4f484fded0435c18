// Connector/J against the server in EMBER_HOST and EMBER_PORT as EMBER_USER with EMBER_PASSWORD. Java has no Unix
// sockets in the driver, so this client comes by TCP only. Throws at the first difference from what MySQL does.

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Objects;

public class Client {
    static final String DB = "client_connectorj";
    static final String URL = "jdbc:mysql://" + System.getenv("EMBER_HOST") + ":" + System.getenv("EMBER_PORT") + "/";

    static Connection connect(String database, String options) throws SQLException {
        return DriverManager.getConnection(URL + database + "?" + options, System.getenv("EMBER_USER"),
                System.getenv("EMBER_PASSWORD"));
    }

    static void equal(Object got, Object want) {
        if (!Objects.deepEquals(got, want)) {
            throw new AssertionError("got " + got + ", want " + want);
        }
    }

    static void run(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute(sql);
        }
    }

    static String one(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery(sql)) {
            equal(r.next(), true);
            return r.getString(r.getMetaData().getColumnCount());
        }
    }

    static void fails(Connection c, String sql, int code, String state) throws SQLException {
        try {
            run(c, sql);
        } catch (SQLException e) {
            equal(e.getErrorCode(), code);
            equal(e.getSQLState(), state);
            return;
        }
        throw new AssertionError(sql + ": no error, want " + code);
    }

    static void waysIn() throws SQLException {
        try (Connection c = connect("", "sslMode=DISABLED&allowPublicKeyRetrieval=true")) {
            equal(one(c, "show status like 'Ssl_cipher'"), "");
        }
        try (Connection c = connect("", "sslMode=REQUIRED")) {
            equal(one(c, "show status like 'Ssl_cipher'").isEmpty(), false);
            equal(c.isValid(5), true);
            DatabaseMetaData m = c.getMetaData();
            equal(m.getDatabaseProductName(), "MySQL");
            equal(m.supportsTransactions(), true);
        }
    }

    static void types(Connection c) throws SQLException {
        run(c, "create table types (id int primary key auto_increment, ti tinyint, bi bigint, bu bigint unsigned,"
                + " de decimal(20,6), fl float, db double, bo boolean, da date, dt datetime(6), tm time, vc varchar(100),"
                + " tx text, bl blob, js json, en enum('small','large'))");
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        String text = "snow \u2603 fire \uD83D\uDD25 quote ' \\ \"";
        Object[] row = {-128, Long.MIN_VALUE, new BigInteger("18446744073709551615"),
            new BigDecimal("-12345678901234.567890"), 1.5f, 2.718281828459045, true, LocalDate.of(2024, 2, 29),
            LocalDateTime.of(2024, 2, 29, 23, 59, 59, 123456000), Time.valueOf("12:34:56"), text, "long ".repeat(1000), bytes,
            "{\"a\": 1}", "large"};
        try (PreparedStatement p = c.prepareStatement("insert into types (ti,bi,bu,de,fl,db,bo,da,dt,tm,vc,tx,bl,js,en)"
                + " values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < row.length; i++) {
                p.setObject(i + 1, row[i]);
            }
            equal(p.executeUpdate(), 1);
            try (ResultSet k = p.getGeneratedKeys()) {
                k.next();
                equal(k.getInt(1), 1);
            }
            for (int i = 0; i < row.length; i++) {
                p.setObject(i + 1, null);
            }
            equal(p.executeUpdate(), 1);
        }
        try (PreparedStatement p = c.prepareStatement("select ti,bi,bu,de,fl,db,bo,da,dt,tm,vc,tx,bl,js,en from types order by id");
                ResultSet r = p.executeQuery()) {
            r.next();
            equal(r.getInt(1), -128);
            equal(r.getLong(2), Long.MIN_VALUE);
            for (int i = 2; i < row.length; i++) {
                equal(r.getObject(i + 1, row[i].getClass()), row[i]);
            }
            r.next();
            for (int i = 0; i < row.length; i++) {
                equal(r.getObject(i + 1), null);
            }
            equal(r.next(), false);
        }
    }

    static void transactions(Connection c) throws SQLException {
        run(c, "create table tx (id int primary key, v varchar(10))");
        c.setAutoCommit(false);
        run(c, "insert into tx values (1, 'one')");
        c.rollback();
        equal(one(c, "select count(*) from tx"), "0");
        run(c, "insert into tx values (1, 'one')");
        Savepoint s = c.setSavepoint();
        run(c, "insert into tx values (2, 'two')");
        c.rollback(s);
        c.commit();
        c.setAutoCommit(true);
        equal(one(c, "select group_concat(v) from tx"), "one");
        for (int level : new int[] {Connection.TRANSACTION_READ_COMMITTED, Connection.TRANSACTION_SERIALIZABLE,
            Connection.TRANSACTION_REPEATABLE_READ}) {
            c.setTransactionIsolation(level);
            equal(c.getTransactionIsolation(), level);
        }
        try (PreparedStatement p = c.prepareStatement("insert into tx values (?, ?)")) {
            for (int i = 10; i < 1010; i++) {
                p.setInt(1, i);
                p.setString(2, "v" + i);
                p.addBatch();
            }
            equal(p.executeBatch().length, 1000);
        }
        equal(one(c, "select count(*) from tx"), "1001");
    }

    static void errors(Connection c) throws SQLException {
        fails(c, "insert into tx values (1, 'again')", 1062, "23000");
        fails(c, "select * from missing", 1146, "42S02");
        fails(c, "selec 1", 1064, "42000");
        fails(c, "insert into tx values (3, 'far too long for it')", 1406, "22001");
        try {
            run(c, "insert into tx values (1, 'again')");
            throw new AssertionError("no error");
        } catch (SQLIntegrityConstraintViolationException e) {
            equal(e.getMessage().startsWith("Duplicate entry '1' for key 'tx.PRIMARY'"), true);
        }
    }

    static void results(Connection c) throws SQLException {
        try (Statement s = c.createStatement()) {
            equal(s.execute("select 1; insert into tx values (5, 'five'); select v from tx where id = 5"), true);
            equal(s.getMoreResults(), false);
            equal(s.getUpdateCount(), 1);
            equal(s.getMoreResults(), true);
            try (ResultSet r = s.getResultSet()) {
                r.next();
                equal(r.getString(1), "five");
            }
        }
        run(c, "create procedure two (x int) begin select x; select x + 1; end");
        try (CallableStatement s = c.prepareCall("call two(?)")) {
            s.setInt(1, 7);
            equal(s.execute(), true);
            equal(s.getMoreResults(), true);
            try (ResultSet r = s.getResultSet()) {
                r.next();
                equal(r.getInt(1), 8);
            }
        }
        try (Statement s = c.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
            s.setFetchSize(Integer.MIN_VALUE); // streaming
            try (ResultSet r = s.executeQuery("select id from tx order by id")) {
                int n = 0;
                while (r.next()) {
                    n++;
                }
                equal(n, 1002);
            }
        }
        try (ResultSet r = c.getMetaData().getColumns(DB, null, "tx", "%")) {
            r.next();
            equal(r.getString("COLUMN_NAME"), "id");
            r.next();
            equal(r.getString("TYPE_NAME"), "VARCHAR");
            equal(r.getInt("COLUMN_SIZE"), 10);
        }
        try (ResultSet r = c.getMetaData().getPrimaryKeys(DB, null, "tx")) {
            r.next();
            equal(r.getString("COLUMN_NAME"), "id");
        }
    }

    static void loadData(Connection c) throws Exception {
        run(c, "create table loaded (id int primary key, name varchar(20))");
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            b.append(i).append("\tname ").append(i).append('\n');
        }
        Path file = Files.createTempFile("ember", ".tsv");
        try {
            Files.writeString(file, b);
            try (Statement s = c.createStatement()) {
                equal(s.executeUpdate("load data local infile '" + file + "' into table loaded"), 2000);
            }
        } finally {
            Files.delete(file);
        }
        equal(one(c, "select name from loaded where id = 1999"), "name 1999");
    }

    public static void main(String[] args) throws Exception {
        waysIn();
        try (Connection setup = connect("", "sslMode=REQUIRED")) {
            run(setup, "drop database if exists " + DB);
            run(setup, "create database " + DB);
            String common = "sslMode=REQUIRED&allowMultiQueries=true&allowLoadLocalInfile=true";
            for (String options : new String[] {common, common + "&useServerPrepStmts=true&cachePrepStmts=true",
                common + "&rewriteBatchedStatements=true"}) {
                try (Connection c = connect(DB, options)) {
                    types(c);
                    transactions(c);
                    errors(c);
                    results(c);
                    loadData(c);
                    run(c, "drop table types, tx, loaded");
                    run(c, "drop procedure two");
                }
            }
            run(setup, "drop database " + DB);
        }
    }
}
