import { spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { accountOf, nobodyUser, ownAccount, startAs, type Account } from '#base/server/postgres/account.ts'
import type { SourceAddress } from '#importer/server/tables/connection.ts'

export type TestMariadb = {
  /** Of a user with a password who may only read. */
  address(database: string): SourceAddress
  /** Runs statements as root: the bytes as they are, or a text as UTF-8. */
  run(statements: string | Buffer, database?: string): void
  query(statement: string, database: string): string
  dump(database: string, ...options: string[]): Buffer
  stop(): Promise<void>
}

const folderOfPrograms = dirname(process.env['TEAHOUSE_MARIADB'] ?? '/usr/bin/mariadb-install-db')
const password = 'only reads'
const maxOutputBytes = 1 << 28

/** A real MariaDB in a temporary folder, which listens on a socket only. */
export async function startMariadb(): Promise<TestMariadb> {
  const folder = mkdtempSync(join(tmpdir(), 'teahouse-mariadb-'))
  const account = process.getuid?.() === 0 ? accountOf(nobodyUser()) : ownAccount
  if (account.user) chownSync(folder, account.user.uid, account.user.gid)
  const socket = join(folder, 'socket')
  await install(account, folder)
  const server = await start(account, folder, socket)
  const client = clientOf(socket)
  const run: TestMariadb['run'] = (statements, database = 'mysql') => void client(statements, database)
  run(`create user reader@localhost identified by '${password}'; grant select on *.* to reader@localhost`)
  return {
    address: (database) => ({ url: `mysql://reader@localhost/${database}?socket=${encodeURIComponent(socket)}`, password }),
    run,
    query: (statement, database) => client(statement, database).toString(),
    dump: (database, ...options) => output('mariadb-dump', ['--no-defaults', `--socket=${socket}`, '--user=root', ...options, database]),
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function install(account: Account, folder: string): Promise<void> {
  const options = ['--no-defaults', `--datadir=${folder}/data`, '--auth-root-authentication-method=normal', '--skip-test-db']
  const child = startAs(account, [join(folderOfPrograms, 'mariadb-install-db'), ...options], folder)
  const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(printed + errors)
}

async function start(account: Account, folder: string, socket: string): Promise<ChildProcess> {
  const ofDebian = '/usr/sbin/mariadbd'
  const program = existsSync(ofDebian) ? ofDebian : join(folderOfPrograms, 'mariadbd')
  const options = [`--datadir=${folder}/data`, `--socket=${socket}`, `--pid-file=${folder}/pid`, `--tmpdir=${folder}`, '--skip-networking']
  const server = startAs(account, [program, '--no-defaults', ...options], folder)
  server.stdout.resume()
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: server.stderr }).on('line', (line) => void (line.includes('ready for connections') && resolve()))
  })
  const failed = once(server, 'exit').then(() => {
    throw new Error(`${program} ended at once`)
  })
  await Promise.race([ready, failed])
  failed.catch(() => undefined)
  return server
}

function clientOf(socket: string): (statements: string | Buffer, database: string) => Buffer {
  const options = ['--no-defaults', `--socket=${socket}`, '--user=root', '--default-character-set=utf8mb4', '--binary-mode', '--raw']
  return (statements, database) => output('mariadb', [...options, database], statements)
}

function output(program: string, words: readonly string[], input?: string | Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(join(folderOfPrograms, program), words, { input, maxBuffer: maxOutputBytes })
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.toString()}`)
  return stdout
}
