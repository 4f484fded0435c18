// mysql2 against the server in EMBER_HOST, EMBER_PORT, EMBER_SOCKET as EMBER_USER with EMBER_PASSWORD.
// Rejects, and so exits with 1, at the first difference from what MySQL does.
'use strict';
const assert = require('node:assert').strict;
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const mysql = require('mysql2/promise');

const env = process.env;
const db = 'client_mysql2';
const tcp = { host: env.EMBER_HOST, port: Number(env.EMBER_PORT), user: env.EMBER_USER, password: env.EMBER_PASSWORD };

async function fails(promise, errno, sqlState) {
  await assert.rejects(promise, (e) => {
    assert.equal(e.errno, errno, e.message);
    if (sqlState) assert.equal(e.sqlState, sqlState);
    return true;
  });
}

async function waysIn() {
  for (const options of [tcp, { ...tcp, ssl: { rejectUnauthorized: false } },
    { socketPath: env.EMBER_SOCKET, user: env.EMBER_USER, password: env.EMBER_PASSWORD }]) {
    const c = await mysql.createConnection(options);
    const [[row]] = await c.query("show status like 'Ssl_cipher'");
    assert.equal(row.Value !== '', options.ssl !== undefined);
    await c.ping();
    await c.end();
  }
  await fails(mysql.createConnection({ ...tcp, password: 'wrong' }), 1045, '28000');
}

async function types(c) {
  await c.query(`create table types (id int primary key auto_increment, ti tinyint, bi bigint, bu bigint unsigned,
    de decimal(20,6), fl float, db double, bt bit(9), da date, dt datetime(6), tm time(3), ye year,
    ch char(5), vc varchar(100), tx text, bl blob, js json, en enum('small','large'), se set('a','b','c'))`);
  const row = { ti: -128, bi: '-9223372036854775808', bu: '18446744073709551615', de: '-12345678901234.567890', fl: 1.5,
    db: 2.718281828459045, bt: Buffer.from([1, 0x55]), da: '2024-02-29', dt: '2024-02-29 23:59:59.123456',
    tm: '-800:00:00.125', ye: 2024, ch: 'abc', vc: "snow \u2603 fire \u{1F525} quote ' \\ \"", tx: 'long '.repeat(30),
    bl: Buffer.from(Array.from({ length: 256 }, (_, i) => i)), js: { a: [1, 2.5, null, 'x'] }, en: 'large', se: 'a,c' };
  const names = Object.keys(row);
  const values = names.map((n) => (n === 'js' ? JSON.stringify(row[n]) : row[n]));
  const marks = names.map(() => '?').join(',');
  const [text] = await c.query(`insert into types (${names}) values (${marks})`, values);
  assert.equal(text.insertId, 1);
  const [binary] = await c.execute(`insert into types (${names}) values (${marks})`, values);
  assert.equal(binary.insertId, 2);
  assert.equal(binary.affectedRows, 1);
  await c.execute(`insert into types (${names}) values (${marks})`, names.map(() => null));
  const nothing = Object.fromEntries(names.map((n) => [n, null]));
  for (const how of ['query', 'execute']) {
    const [rows] = await c[how](`select ${names} from types order by id`);
    const want = [row, row, nothing];
    for (const [i, r] of rows.entries()) for (const n of names) assert.deepEqual(r[n], want[i][n], `${how} row ${i} column ${n}`);
    assert.equal(rows.length, want.length);
  }
}

async function transactions(c) {
  await c.query('create table tx (id int primary key, v varchar(10))');
  await c.beginTransaction();
  await c.execute('insert into tx values (?, ?)', [1, 'one']);
  await c.rollback();
  assert.deepEqual((await c.query('select * from tx'))[0], []);
  await c.beginTransaction();
  await c.execute('insert into tx values (?, ?)', [1, 'one']);
  await c.query('savepoint s');
  await c.execute('insert into tx values (?, ?)', [2, 'two']);
  await c.query('rollback to savepoint s');
  await c.commit();
  assert.deepEqual((await c.execute('select id, v from tx'))[0], [{ id: 1, v: 'one' }]);
  const [r] = await c.query('insert into tx values ?', [Array.from({ length: 1000 }, (_, i) => [10 + i, String(i)])]);
  assert.equal(r.affectedRows, 1000);
  const [u] = await c.execute("update tx set v = 'x' where id < ?", [20]);
  assert.equal(u.changedRows, 11);
}

async function errors(c) {
  await fails(c.execute('insert into tx values (1, ?)', ['again']), 1062, '23000');
  await fails(c.query('select * from missing'), 1146, '42S02');
  await fails(c.query('selec 1'), 1064, '42000');
  await fails(c.execute('select nothing from tx'), 1054, '42S22');
  await fails(c.query("insert into tx values (3, 'far too long for it')"), 1406, '22001');
}

async function results(c) {
  const [sets] = await c.query("select 1 as a; select 2 as b; insert into tx values (5, 'five'); select v from tx where id = 5");
  assert.deepEqual([sets[0][0].a, sets[1][0].b].map(Number), [1, 2]);
  assert.equal(sets[2].affectedRows, 1);
  assert.deepEqual(sets[3], [{ v: 'five' }]);
  await c.query('create procedure two (x int) begin select x; select x + 1 as y; end');
  const [called] = await c.query('call two(7)');
  assert.deepEqual([called[0], called[1]], [[{ x: 7 }], [{ y: '8' }]]);
  const stmt = await c.prepare('select ? + ? as sum');
  for (let i = 0; i < 10; i++) {
    const [[row]] = await stmt.execute([i, 1]);
    assert.equal(Number(row.sum), i + 1);
  }
  await stmt.close();
}

async function loadData(c) {
  await c.query('create table loaded (id int primary key, name varchar(20))');
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ember-')), 'rows.tsv');
  fs.writeFileSync(file, Array.from({ length: 2000 }, (_, i) => `${i}\tname ${i}\n`).join(''));
  const [r] = await c.query({ sql: `load data local infile '${file}' into table loaded`,
    infileStreamFactory: () => fs.createReadStream(file) });
  assert.equal(r.affectedRows, 2000);
  fs.rmSync(path.dirname(file), { recursive: true });
  assert.deepEqual((await c.query('select name from loaded where id = 1999'))[0], [{ name: 'name 1999' }]);
}

async function pool() {
  const p = mysql.createPool({ ...tcp, database: db, connectionLimit: 5 });
  const sums = await Promise.all(Array.from({ length: 50 }, (_, i) => p.execute('select ? * 2 as n', [i])));
  assert.deepEqual(sums.map(([[r]]) => Number(r.n)), Array.from({ length: 50 }, (_, i) => 2 * i));
  await p.end();
}

async function main() {
  await waysIn();
  const setup = await mysql.createConnection(tcp);
  await setup.query(`drop database if exists ${db}`);
  await setup.query(`create database ${db}`);
  const c = await mysql.createConnection({ ...tcp, database: db, multipleStatements: true, dateStrings: true,
    supportBigNumbers: true, bigNumberStrings: true });
  for (const check of [types, transactions, errors, results, loadData]) await check(c);
  await pool();
  await c.end();
  await setup.query(`drop database ${db}`);
  await setup.end();
}

main();
