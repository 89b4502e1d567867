import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#base/testing/free-port.ts'
import { until } from '#base/testing/waits.ts'
import { findProgram } from '../../tools/find-program.ts'
import { configure } from '../testing/configure.ts'
import { anOperatedForum } from '../testing/operated-forum.ts'
import { aFolder, startPart } from '../testing/part.ts'
import { peopleThrough } from '../testing/people.ts'
import { goRound } from '../testing/round.ts'

const [folder, forum, port, plainPort, adminPort] = [
  aFolder(),
  await anOperatedForum(),
  await freePort(),
  await freePort(),
  await freePort(),
]
const program = await findProgram('caddy')
const file = join(folder, 'Caddyfile')
// No authority in the network signs for this name: Caddy signs by itself.
const ownAuthority = [
  `admin 127.0.0.1:${adminPort}`,
  'skip_install_trust',
  'local_certs',
  `http_port ${plainPort}`,
  `https_port ${port}`,
  'default_bind 127.0.0.1',
]
writeFileSync(
  file,
  configure('caddy/Caddyfile', [
    ['email operator@example.org', ownAuthority.join('\n\t')],
    ['reverse_proxy 127.0.0.1:3000', `reverse_proxy 127.0.0.1:${forum.servers[0]?.port}`],
  ]),
)
const home = join(folder, 'caddy')
mkdirSync(home)
const env = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
const which = ['--config', file, '--adapter', 'caddyfile']
const reload = async () =>
  void (await promisify(execFile)(program, ['reload', '--address', `127.0.0.1:${adminPort}`, '--force', ...which], {
    env: { ...process.env, ...env },
  }))
const part = await startPart({ program, args: ['run', ...which], port, env, reload })
const trusted = join(home, 'caddy/pki/authorities/local/root.crt')
await until(() => existsSync(trusted))

await goRound({ forum, parts: [part], people: await peopleThrough({ forum, port, trusted }) })
