#!/usr/bin/env bash
# Caddy 2.6.2 of Debian 12, Node for the server and the client
#
# Expectation: `encode gzip` leaves an answer alone that says `Cache-Control: no-transform`, and it flushes an event stream after each event, as
#   `reverse_proxy` does by itself for text/event-stream. How much the server writes first makes no difference.
# What happens: the length of the first write decides. Below 512 bytes (`minimum_length`) the stream is passed on as it is. From 512 on it is compressed,
#   no-transform or not, and its events stay in the compressor: the reader has its head of ten bytes. A server that names a coding itself,
#   `Content-Encoding: identity`, is left alone at any length.
# Seen: 100 bytes: 100 / 1000 bytes: 10 / 1000 bytes, identity: 1000
# Why it matters: a live thread whose first update holds thirty posts shows nothing behind a Caddyfile as most have it, while a counter comes at once. The
#   cure of one header works without a line in the operator's file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq caddy=2.6.2-5 2>/dev/null
dpkg-deb -x caddy_*.deb root
export HOME=$folder
cat >stream.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'

const waitMs = 3_000
const server = createServer(({ url }, response) => {
  const { searchParams } = new URL(url, 'http://site')
  const head = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' }
  response.writeHead(200, { ...head, ...(searchParams.has('identity') && { 'content-encoding': 'identity' }) })
  response.write(`data: ${'t'.repeat(Number(searchParams.get('bytes')) - 8)}\n\n`)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const { port } = probe.address()
await new Promise((closed) => probe.close(closed))
writeFileSync('Caddyfile', `{
  admin off
}
:${port} {
  encode gzip
  reverse_proxy 127.0.0.1:${server.address().port}
}
`)
const caddy = spawn('root/usr/bin/caddy', ['run', '--adapter', 'caddyfile', '--config', 'Caddyfile'], { stdio: 'ignore' })
const seen = []
for (const [bytes, identity] of [[100, ''], [1000, ''], [1000, '&identity']])
  seen.push(`${bytes} bytes${identity.replace('&', ', ')}: ${await received(`/?bytes=${bytes}${identity}`)}`)
console.log(seen.join(' / '))
caddy.kill()
process.exit(seen.join(' / ') === '100 bytes: 100 / 1000 bytes: 10 / 1000 bytes, identity: 1000' ? 0 : 1)

async function received(path) {
  const request = get({ host: '127.0.0.1', port, path, headers: { 'accept-encoding': 'gzip' } })
  const answer = await Promise.race([once(request, 'response'), once(request, 'error').then(() => null)]).catch(() => null)
  if (!answer) {
    await new Promise((later) => setTimeout(later, 200))
    return received(path)
  }
  let bytes = 0
  answer[0].on('data', (part) => (bytes += part.length)).on('error', () => undefined)
  await new Promise((later) => setTimeout(later, waitMs))
  request.on('error', () => undefined).destroy()
  return bytes
}
JS
node stream.mjs
