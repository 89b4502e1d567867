import { expect, test } from 'vitest'
import { freePort } from '#base/testing/free-port.ts'
import { aCertificate } from '../testing/certificate.ts'
import { configure } from '../testing/configure.ts'
import { startNginx } from '../testing/nginx.ts'
import { anOperatedForum } from '../testing/operated-forum.ts'
import { aFolder } from '../testing/part.ts'
import { peopleThrough } from '../testing/people.ts'
import { goRound } from '../testing/round.ts'

const [folder, forum, port, plainPort] = [aFolder(), await anOperatedForum(), await freePort(), await freePort()]
const { certificate, key } = await aCertificate(folder)
const site = configure('nginx/one-server.conf', [
  ['server 127.0.0.1:3000;', `server 127.0.0.1:${forum.servers[0]?.port};`],
  ['listen 80;', `listen 127.0.0.1:${plainPort};`],
  ['listen [::]:80;', `listen 127.0.0.2:${plainPort};`],
  ['listen 443 ', `listen 127.0.0.1:${port} `],
  ['listen [::]:443 ', `listen 127.0.0.2:${port} `],
  ['/etc/letsencrypt/live/tea.example.org/fullchain.pem', certificate],
  ['/etc/letsencrypt/live/tea.example.org/privkey.pem', key],
])
const part = await startNginx(folder, site, port)

await goRound({ forum, parts: [part], people: await peopleThrough({ forum, port, trusted: certificate }) })

test('the address without TLS leads to the one with it, whatever name a request claims', async () => {
  const answer = await fetch(`http://127.0.0.1:${plainPort}/index?page=2`, { redirect: 'manual', headers: { host: 'elsewhere.example' } })
  expect([answer.status, answer.headers.get('location')]).toEqual([301, 'https://tea.example.org/index?page=2'])
})
