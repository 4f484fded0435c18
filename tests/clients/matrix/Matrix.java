// The matrix of values through Connector/J: Matrix WAY. See matrix_test.go.

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.*;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Matrix {
    static String shown(Object v) {
        if (v == null) {
            return "null";
        }
        if (v instanceof byte[] b) {
            return "byte[] " + HexFormat.of().formatHex(b);
        }
        return v.getClass().getSimpleName() + " " + v;
    }

    static String told(Throwable e) {
        return e.getClass().getSimpleName() + " " + e.getMessage();
    }

    static String quoted(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\' || c < 0x20 || c > 0x7e) {
                b.append(String.format("\\u%04x", (int) c));
            } else {
                b.append(c);
            }
        }
        return b.append('"').toString();
    }

    /** asText gives the value as a person would read it. */
    static String asText(ResultSet r) {
        try {
            return r.getString(1);
        } catch (SQLException e) {
            return told(e);
        }
    }

    static String cell(Connection c, int table, int row) throws SQLException {
        try (PreparedStatement read = c.prepareStatement("SELECT v FROM t" + table + " WHERE id = ?")) {
            read.setInt(1, row);
            ResultSet r = read.executeQuery();
            r.next();
            String text = asText(r);
            Object value = r.getObject(1);
            String answer = shown(value) + " as " + text;
            try (PreparedStatement back = c.prepareStatement("INSERT INTO b" + table + " VALUES (?, ?)")) {
                back.setInt(1, row);
                back.setObject(2, value);
                back.executeUpdate();
            } catch (SQLException e) {
                answer += " | " + told(e);
            }
            return answer;
        } catch (SQLException e) {
            return told(e);
        }
    }

    public static void main(String[] args) throws Exception {
        String way = args[0];
        String url = "jdbc:mysql://" + System.getenv("EMBER_HOST") + ":" + System.getenv("EMBER_PORT") + "/"
                + System.getenv("EMBER_DATABASE") + "?sslMode=PREFERRED&connectionTimeZone=UTC&useServerPrepStmts="
                + way.contains("prepared") + "&useCompression=" + way.contains("compressed") + "&sendFractionalSeconds=true";
        try (Connection c = DriverManager.getConnection(url, System.getenv("EMBER_USER"), System.getenv("EMBER_PASSWORD"))) {
            Matcher setup = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(System.getenv("EMBER_SETUP"));
            while (setup.find()) {
                try (Statement s = c.createStatement()) {
                    s.execute(setup.group(1));
                }
            }
            String cells = Files.readString(Path.of(System.getenv("EMBER_CELLS")));
            Matcher m = Pattern.compile("\"Name\":(\"(?:[^\"\\\\]|\\\\.)*\"),\"Table\":(\\d+),\"Row\":(\\d+)").matcher(cells);
            while (m.find()) {
                String answer = cell(c, Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)));
                System.out.println("{\"Name\":" + m.group(1) + ",\"Answer\":" + quoted(answer) + "}");
            }
        }
    }
}
