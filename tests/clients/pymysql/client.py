"""PyMySQL against the server in EMBER_HOST, EMBER_PORT, EMBER_SOCKET as EMBER_USER with EMBER_PASSWORD.

Exits with a traceback at the first difference from what MySQL does.
"""
import datetime
import decimal
import os
import ssl
import tempfile

import pymysql
from pymysql.constants import CLIENT

HOST, PORT = os.environ["EMBER_HOST"], int(os.environ["EMBER_PORT"])
SOCKET = os.environ["EMBER_SOCKET"]
USER, PASSWORD = os.environ["EMBER_USER"], os.environ["EMBER_PASSWORD"]
DB = "client_pymysql"


def connect(**kw):
    kw.setdefault("host", HOST)
    kw.setdefault("port", PORT)
    return pymysql.connect(user=USER, password=PASSWORD, charset="utf8mb4", **kw)


def equal(got, want):
    assert got == want, f"got {got!r}, want {want!r}"


def query(conn, text, args=None):
    with conn.cursor() as cur:
        cur.execute(text, args)
        return cur.fetchall()


def fails(code, conn, text, args=None):
    try:
        query(conn, text, args)
    except pymysql.err.MySQLError as e:
        equal(e.args[0], code)
        return
    raise AssertionError(f"{text}: no error, want {code}")


def ways_in():
    plain = connect(ssl_disabled=True)
    equal(query(plain, "select 1"), ((1,),))
    equal(query(plain, "show status like 'Ssl_cipher'"), (("Ssl_cipher", ""),))
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    secure = connect(ssl=context)
    assert query(secure, "show status like 'Ssl_cipher'")[0][1] != ""
    local = connect(unix_socket=SOCKET)
    equal(query(local, "select 1"), ((1,),))
    for c in (plain, secure, local):
        c.ping(reconnect=False)
        c.close()
    try:
        pymysql.connect(host=HOST, port=PORT, user=USER, password="wrong")
    except pymysql.err.OperationalError as e:
        equal(e.args[0], 1045)
    else:
        raise AssertionError("a wrong password was accepted")


def types(conn):
    query(conn, """create table types (
        id int primary key auto_increment, ti tinyint, su smallint unsigned, mi mediumint, bi bigint, bu bigint unsigned,
        de decimal(20,6), fl float, do double, bo bool, bt bit(9),
        da date, dt datetime(6), ts timestamp null, tm time(3), ye year,
        ch char(5), vc varchar(100), tx text, bl blob, vb varbinary(10), js json,
        en enum('small','large'), se set('a','b','c'))""")
    row = (-128, 65535, -8388608, -2**63, 2**64 - 1, decimal.Decimal("-12345678901234.567890"), 1.5, 2.718281828459045,
           1, b"\x01\x55", datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 23, 59, 59, 123456),
           datetime.datetime(2024, 1, 2, 3, 4, 5), datetime.timedelta(hours=-800, milliseconds=-250), 2024,
           "abc", "snow \u2603 fire \U0001F525 quote ' \\ \"", "long " * 1000, bytes(range(256)), b"\x00\xff",
           '{"a": [1, 2.5, null, "x"]}', "large", "a,c")
    names = "ti,su,mi,bi,bu,de,fl,do,bo,bt,da,dt,ts,tm,ye,ch,vc,tx,bl,vb,js,en,se"
    with conn.cursor() as cur:
        cur.execute(f"insert into types ({names}) values ({','.join(['%s'] * len(row))})", row)
        equal(cur.lastrowid, 1)
        equal(cur.rowcount, 1)
        cur.execute(f"insert into types ({names}) values ({','.join(['null'] * len(row))})")
    equal(query(conn, f"select {names} from types order by id"), (row, (None,) * len(row)))


def transactions(conn):
    query(conn, "create table tx (id int primary key, v varchar(10))")
    conn.begin()
    query(conn, "insert into tx values (1, 'one')")
    conn.rollback()
    equal(query(conn, "select count(*) from tx"), ((0,),))
    query(conn, "insert into tx values (1, 'one')")
    query(conn, "savepoint s")
    query(conn, "insert into tx values (2, 'two')")
    query(conn, "rollback to savepoint s")
    conn.commit()
    equal(query(conn, "select * from tx"), ((1, "one"),))
    conn.autocommit(True)
    with conn.cursor() as cur:
        equal(cur.executemany("insert into tx values (%s, %s)", [(i, str(i)) for i in range(10, 1010)]), 1000)
        equal(cur.execute("update tx set v = 'x' where id < 20"), 11)
        equal(cur.execute("delete from tx where id >= 10"), 1000)


def errors(conn):
    fails(1062, conn, "insert into tx values (1, 'again')")
    fails(1146, conn, "select * from missing")
    fails(1064, conn, "selec 1")
    fails(1054, conn, "select nothing from tx")
    fails(1406, conn, "insert into tx values (3, 'far too long for it')")
    fails(1049, conn, "use missing")
    equal(query(conn, "select 1"), ((1,),))


def results(conn):
    with conn.cursor() as cur:
        cur.execute("select 1; select 2, 3; insert into tx values (5, 'five'); select v from tx where id = 5")
        equal(cur.fetchall(), ((1,),))
        assert cur.nextset()
        equal(cur.fetchall(), ((2, 3),))
        assert cur.nextset()
        equal(cur.rowcount, 1)
        assert cur.nextset()
        equal(cur.fetchall(), (("five",),))
        assert not cur.nextset()
    query(conn, "create procedure two (x int) begin select x; select x + 1; end")
    with conn.cursor() as cur:
        cur.execute("call two(7)")
        equal(cur.fetchall(), ((7,),))
        assert cur.nextset()
        equal(cur.fetchall(), ((8,),))
    with conn.cursor(pymysql.cursors.SSDictCursor) as cur:
        cur.execute("with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000) select i from n")
        equal(sum(r["i"] for r in cur), 500500)


def load_data(conn):
    query(conn, "create table loaded (id int primary key, name varchar(20), amount decimal(8,2))")
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        f.write("id,name,amount\n" + "".join(f'{i},"name, {i}",{i}.50\n' for i in range(1, 2001)))
        f.flush()
        with conn.cursor() as cur:
            n = cur.execute(f"load data local infile '{f.name}' into table loaded fields terminated by ','"
                            " optionally enclosed by '\"' lines terminated by '\\n' ignore 1 lines")
            equal(n, 2000)
    equal(query(conn, "select count(*), sum(amount), max(name) from loaded where id <= 9"),
          ((9, decimal.Decimal("49.50"), "name, 9"),))


def large(conn):
    query(conn, "create table large (id int primary key, b longblob)")
    blob = os.urandom(1 << 20) * 3
    query(conn, "insert into large values (1, %s)", (blob,))
    equal(query(conn, "select length(b), b from large"), ((len(blob), blob),))


ways_in()
setup = connect(ssl_disabled=True)
query(setup, f"drop database if exists {DB}")
query(setup, f"create database {DB}")
main = connect(database=DB, local_infile=True, client_flag=CLIENT.MULTI_STATEMENTS, autocommit=False)
for check in (types, transactions, errors, results, load_data, large):
    check(main)
query(setup, f"drop database {DB}")
