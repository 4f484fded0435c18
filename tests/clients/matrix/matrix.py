# The matrix of values through a Python driver: matrix.py DRIVER WAY. See matrix_test.go.
import importlib
import json
import os
import sys

driver, way = sys.argv[1], sys.argv[2]
env = os.environ


def connect():
    who = {'host': env['EMBER_HOST'], 'port': int(env['EMBER_PORT']), 'user': env['EMBER_USER'], 'password': env['EMBER_PASSWORD'],
           'database': env['EMBER_DATABASE']}
    if driver == 'connector':
        who.update(use_pure=True, compress='compressed' in way, charset='utf8mb4', collation='utf8mb4_0900_ai_ci')
        return importlib.import_module('mysql.connector').connect(**who)
    if driver == 'pymysql':
        return importlib.import_module('pymysql').connect(charset='utf8mb4', **who)
    return importlib.import_module('MySQLdb').connect(charset='utf8mb4', **who)


def shown(v):
    if isinstance(v, (bytes, bytearray)):
        return '%s %s' % (type(v).__name__, v.hex())
    if isinstance(v, (set, frozenset)):
        return 'set %r' % sorted(v)
    return '%s %r' % (type(v).__name__, v)


def told(e):
    return '%s %s' % (type(e).__name__, e)


conn = connect()
text, marks = conn.cursor(), '%s'
for q in json.loads(env['EMBER_SETUP']):
    text.execute(q)
prepared = 'prepared' in way
cursor = conn.cursor(prepared=True) if prepared else text
marks = '?' if prepared else '%s'
for cell in json.load(open(env['EMBER_CELLS'])):
    table, row = cell['Table'], cell['Row']
    try:
        cursor.execute('SELECT v FROM t%d WHERE id = %s' % (table, marks), (row,))
        value = cursor.fetchone()[0]
        answer = shown(value)
        try:
            cursor.execute('INSERT INTO b%d VALUES (%s, %s)' % (table, marks, marks), (row, value))
        except Exception as e:
            answer += ' | ' + told(e)
    except Exception as e:
        answer = told(e)
    print(json.dumps({'Name': cell['Name'], 'Answer': answer}))
    if prepared:  # each statement is a new one: the types of its parameters are the values' own
        cursor.close()
        cursor = conn.cursor(prepared=True)
conn.commit()
