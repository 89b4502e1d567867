import { freePort } from '#base/testing/free-port.ts'
import { aCertificate } from '../testing/certificate.ts'
import { configure } from '../testing/configure.ts'
import { loseServers } from '../testing/lose-servers.ts'
import { startNginx } from '../testing/nginx.ts'
import { anOperatedForum } from '../testing/operated-forum.ts'
import { aFolder } from '../testing/part.ts'
import { peopleThrough } from '../testing/people.ts'
import { goRound } from '../testing/round.ts'

const [folder, forum, port, plainPort] = [aFolder(), await anOperatedForum({ servers: 2 }), await freePort(), await freePort()]
const { certificate, key } = await aCertificate(folder)
const site = configure('nginx/several-servers.conf', [
  ['server 10.0.0.21:3000 ', `server 127.0.0.1:${forum.servers[0]?.port} `],
  ['server 10.0.0.22:3000 ', `server 127.0.0.1:${forum.servers[1]?.port} `],
  ['listen 80;', `listen 127.0.0.1:${plainPort};`],
  ['listen [::]:80;', `listen 127.0.0.2:${plainPort};`],
  ['listen 443 ', `listen 127.0.0.1:${port} `],
  ['listen [::]:443 ', `listen 127.0.0.2:${port} `],
  ['/etc/letsencrypt/live/tea.example.org/fullchain.pem', certificate],
  ['/etc/letsencrypt/live/tea.example.org/privkey.pem', key],
])
const part = await startNginx(folder, site, port)
const people = await peopleThrough({ forum, port, trusted: certificate })

await goRound({ forum, parts: [part], people })
loseServers({ forum, people })
