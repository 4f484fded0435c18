// The matrix of values through mysql2: matrix.js WAY. See matrix_test.go.
'use strict';
const fs = require('node:fs');
const mysql = require('mysql2/promise');

const env = process.env;
const way = process.argv[2];

function shown(v) {
  if (v === null) return 'null';
  if (Buffer.isBuffer(v)) return `Buffer ${v.toString('hex')}`;
  if (v instanceof Date) return `Date ${Number.isNaN(v.getTime()) ? 'invalid' : v.toISOString()}`;
  if (Object.is(v, -0)) return 'number -0';
  return `${typeof v} ${typeof v === 'object' ? JSON.stringify(v) : v}`;
}

(async () => {
  const c = await mysql.createConnection({ host: env.EMBER_HOST, port: Number(env.EMBER_PORT), user: env.EMBER_USER,
    password: env.EMBER_PASSWORD, database: env.EMBER_DATABASE, timezone: 'Z', supportBigNumbers: true, bigNumberStrings: true,
    dateStrings: way.includes('strings'), compress: way.includes('compressed') });
  const run = way.includes('prepared') ? (q, p) => c.execute(q, p) : (q, p) => c.query(q, p);
  for (const q of JSON.parse(env.EMBER_SETUP)) await c.query(q);
  for (const cell of JSON.parse(fs.readFileSync(env.EMBER_CELLS))) {
    let answer;
    try {
      const [[row]] = await run(`SELECT v FROM t${cell.Table} WHERE id = ?`, [cell.Row]);
      answer = shown(row.v);
      try {
        await run(`INSERT INTO b${cell.Table} VALUES (?, ?)`, [cell.Row, row.v]);
      } catch (e) {
        answer += ` | ${e.message}`;
      }
    } catch (e) {
      answer = e.message;
    }
    console.log(JSON.stringify({ Name: cell.Name, Answer: answer }));
  }
  await c.end();
})();
