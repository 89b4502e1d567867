import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#base/testing/free-port.ts'
import { findProgram } from '../../tools/find-program.ts'
import { aCertificate } from '../testing/certificate.ts'
import { configure } from '../testing/configure.ts'
import { anOperatedForum } from '../testing/operated-forum.ts'
import { aFolder, startPart } from '../testing/part.ts'
import { peopleThrough } from '../testing/people.ts'
import { goRound } from '../testing/round.ts'
import { loseServers } from '../testing/lose-servers.ts'

const [folder, forum, port, plainPort] = [aFolder(), await anOperatedForum({ servers: 2 }), await freePort(), await freePort()]
const { certificate, both } = await aCertificate(folder)
const [run, file] = [join(folder, 'run'), join(folder, 'haproxy.cfg')]
mkdirSync(run)
writeFileSync(
  file,
  configure('haproxy/haproxy.cfg', [
    ['10.0.0.21:3000', `127.0.0.1:${forum.servers[0]?.port}`],
    ['10.0.0.22:3000', `127.0.0.1:${forum.servers[1]?.port}`],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['"/etc/haproxy/${SITE}.pem"', both],
    ['/run/haproxy', run],
  ]),
)
const args = ['-W', '-f', file, '-p', join(run, 'haproxy.pid')]
const part = await startPart({ program: await findProgram('haproxy'), args, port, reload: 'SIGUSR2' })
const people = await peopleThrough({ forum, port, trusted: certificate })

await goRound({ forum, parts: [part], people })
loseServers({ forum, people })
