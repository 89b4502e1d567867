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

const [folder, forum, port, plainPort] = [aFolder(), await anOperatedForum(), await freePort(), await freePort()]
const { certificate, key } = await aCertificate(folder)
const own = join(folder, 'apache')
mkdirSync(own)
const site = configure('apache/teahouse.conf', [
  ['http://127.0.0.1:3000', `http://127.0.0.1:${forum.servers[0]?.port}`],
  ['*:80>', `127.0.0.1:${plainPort}>`],
  ['*:443>', `127.0.0.1:${port}>`],
  ['/etc/letsencrypt/live/${site}/fullchain.pem', certificate],
  ['/etc/letsencrypt/live/${site}/privkey.pem', key],
])
// As Debian's apache2.conf with the modules that the file names.
const modules = ['mpm_event', 'authz_core', 'alias', 'deflate', 'filter', 'ssl', 'socache_shmcb', 'http2', 'proxy', 'proxy_http', 'headers']
const main = [
  `ServerRoot "${own}"`,
  ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
  'ServerName localhost',
  'User nobody',
  'Group nogroup',
  'PidFile httpd.pid',
  'DefaultRuntimeDir .',
  'Mutex file:. default',
  'ErrorLog error.log',
  `Listen 127.0.0.1:${plainPort}`,
  `Listen 127.0.0.1:${port}`,
  'AddOutputFilterByType DEFLATE text/html text/plain text/css application/javascript application/json',
  site,
]
writeFileSync(join(own, 'apache.conf'), main.join('\n'))
const args = ['-d', own, '-f', join(own, 'apache.conf'), '-D', 'FOREGROUND']
const part = await startPart({ program: await findProgram('apache'), args, port, reload: 'SIGUSR1' })

await goRound({ forum, parts: [part], people: await peopleThrough({ forum, port, trusted: certificate }) })
