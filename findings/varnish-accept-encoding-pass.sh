#!/usr/bin/env bash
# Varnish 7.1.1 of Debian 12, Node for the server and the client
#
# Expectation: Varnish asks a server for gzip alone, whatever a browser accepts (http_gzip_support is on), so a forum behind it never sends brotli.
# What happens: that holds for what may be kept. A request that VCL passes goes to the server with the browser's own Accept-Encoding, and is answered in
#   brotli: one address comes in two codings, by whether this reader was passed.
# Seen: kept: gzip / passed: gzip, br
# Why it matters: whoever passes readers with a cookie of a recent write, as a forum must, gives them other bytes and another ETag than the kept page
#   has. A test that looks for a text in a page has to read both codings, and a hit rate by bytes counts two pages.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq varnish=7.1.1-2+deb12u1 libvarnishapi3=7.1.1-2+deb12u1 libjemalloc2=5.3.0-1 2>/dev/null
for package in *.deb; do dpkg-deb -x "$package" root; done
export LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"
cat >ask.mjs <<'JS'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'

const asked = []
const server = createServer(({ url, headers }, response) => {
  asked.push(`${url.slice(1)}: ${headers['accept-encoding']}`)
  response.end('tea')
})
await once(server.listen(0, '127.0.0.1'), 'listening')
writeFileSync('site.vcl', `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${server.address().port}"; }
sub vcl_recv {
  if (req.url == "/passed") { return (pass); }
  return (hash);
}
`)
const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const { port } = probe.address()
await new Promise((closed) => probe.close(closed))
const words = ['-F', '-j', 'none', '-n', `${process.cwd()}/work`, '-a', `127.0.0.1:${port}`, '-f', `${process.cwd()}/site.vcl`, '-s', 'malloc,16m']
const varnish = spawn('root/usr/sbin/varnishd', words, { stdio: 'ignore' })
for (const path of ['/kept', '/passed']) await ask(path)
varnish.kill()
console.log(asked.join(' / '))
process.exit(asked.join(' / ') === 'kept: gzip / passed: gzip, br' ? 0 : 1)

async function ask(path) {
  const request = get({ host: '127.0.0.1', port, path, headers: { 'accept-encoding': 'gzip, br' } })
  const answer = await Promise.race([once(request, 'response'), once(request, 'error').then(() => null)]).catch(() => null)
  if (answer) return void (await once(answer[0].resume(), 'end'))
  await new Promise((later) => setTimeout(later, 200))
  await ask(path)
}
JS
node ask.mjs
