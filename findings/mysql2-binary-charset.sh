#!/usr/bin/env bash
# mysql2 3.24.6
#
# Expectation: `charset: 'BINARY'` (SET NAMES binary) makes the server hand out each column as it is stored, and concerns what comes back. A statement
#   goes out in UTF-8 as before, as the mysql command of the same charset sends the bytes that its file has.
# What happens: the driver writes statements in the encoding of the connection as well, and takes one byte of each letter for BINARY: 茶 (U+8336) goes
#   out as the digit 6, é as one byte e9. There is no error; the statement is another one.
# Seen: usual 27e88cb6c3a927 / BINARY 2736e927
# Why it matters: this charset is the one to read an old forum by, whose tables hold GBK, or UTF-8 under the name of Latin-1. A condition on a name in
#   Chinese then finds nothing, or another row. Compare with hexadecimal literals (X'e88cb6'), or send Buffers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --ignore-scripts --no-audit --no-fund mysql2@3.24.6
cat >send.js <<'JS'
import { once } from 'node:events'
import { createConnection, createServer } from 'mysql2'

// The package's own server notes what its own client sends.
const protocol41 = 0xffffff
let received = Buffer.alloc(0)
const server = createServer((client) => {
  client.on('error', () => undefined)
  const handshake = { protocolVersion: 4, serverVersion: '8.0.0', connectionId: 1, statusFlags: 2, characterSet: 63, capabilityFlags: protocol41 }
  client.serverHandshake({ ...handshake, authCallback: (_, proceed) => proceed(null) })
  client.stream.on('data', (bytes) => (received = bytes))
  client.on('query', () => client.writeOk())
})
server.listen(0, '127.0.0.1')
await once(server._server, 'listening')
const { port } = server._server.address()
const sent = []
for (const charset of [undefined, 'BINARY']) {
  const client = createConnection({ host: '127.0.0.1', port, user: 'finder', ...(charset && { charset }) })
  await client.promise().query("select '茶é'")
  sent.push(`${charset ?? 'usual'} ${received.subarray(received.indexOf("'")).toString('hex')}`)
  client.destroy()
}
const seen = sent.join(' / ')
console.log(seen)
process.exit(seen === 'usual 27e88cb6c3a927 / BINARY 2736e927' ? 0 : 1)
JS
node --no-warnings send.js
