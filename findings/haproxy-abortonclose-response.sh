#!/usr/bin/env bash
# HAProxy 2.6.12 of Debian 12, Node for the server and the client
#
# Expectation: `option abortonclose` concerns requests that wait, in a queue or for a server. Its manual describes nothing else: early dropping of
#   aborted requests pending in queues. A response that is under way is the same with it and without.
# What happens: the option decides as well when the server hears that the reader of a response under way has left. Without it, HAProxy keeps the
#   connection to the server until it cannot pass on what the server writes: of a stream with a line every second, that is the second line. With it,
#   the server hears at once, before it writes anything.
# Seen: without: heard at write 2 / with: heard at write 0
# Why it matters: event streams write seldom. With a heartbeat of 25 seconds, a server counts readers for up to 50 seconds who have gone, and refuses
#   those who change pages quickly; with the option in the backend of streams, it does not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq haproxy=2.6.12-1+deb12u4 liblua5.3-0=5.3.6-2 libopentracing-c-wrapper0=1.1.3-3+b1 libopentracing1=1.6.0-4 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH="$folder/root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu")"
cat >leave.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { connect } from 'node:net'

let stream = null
const server = createServer((_, response) => {
  stream = { writes: 0, heardAt: null }
  const its = stream
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n')
  const beat = setInterval(() => response.write(':\n\n', () => its.writes++), 1_000)
  response.on('close', () => {
    clearInterval(beat)
    its.heardAt = its.writes
  })
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const seen = []
for (const option of ['', 'option abortonclose']) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  await new Promise((closed) => probe.close(closed))
  writeFileSync('haproxy.cfg', `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen site
  bind 127.0.0.1:${port}
  ${option}
  server one 127.0.0.1:${server.address().port}
`)
  const haproxy = spawn('root/usr/sbin/haproxy', ['-db', '-f', 'haproxy.cfg'], { stdio: ['ignore', 'ignore', 'inherit'] })
  await reachable(port)
  const request = get({ port, host: '127.0.0.1' }).on('error', () => undefined)
  const [response] = await once(request, 'response')
  await once(response.on('error', () => undefined), 'data')
  stream.writes = 0
  request.destroy()
  while (stream.heardAt === null) await new Promise((later) => setTimeout(later, 50))
  seen.push(`${option ? 'with' : 'without'}: heard at write ${stream.heardAt}`)
  haproxy.kill()
}
console.log(seen.join(' / '))
process.exit(seen.join(' / ') === 'without: heard at write 2 / with: heard at write 0' ? 0 : 1)

async function reachable(port) {
  const socket = connect(port, '127.0.0.1')
  const isThere = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
  socket.destroy()
  if (isThere) return
  await new Promise((later) => setTimeout(later, 100))
  await reachable(port)
}
JS
node leave.mjs
