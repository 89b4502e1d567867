import { execFileSync, spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process'
import { userInfo } from 'node:os'
import type { Readable } from 'node:stream'

/** The account that PostgreSQL runs as. It refuses to run as root, and needs a user with a name. */
export type Account = {
  /** Null for our own. */
  user: { uid: number; gid: number } | null
  /** The command prefix that runs a program in this account. */
  prefix: string[]
}

export const ownAccount: Account = { user: null, prefix: [] }

/**
 * Ourselves, seen from inside as the user `nobody`: a user namespace that gives no rights, only another name, so files keep their place and
 * owner. Only on Linux, and not in every container.
 */
export function namespacedAccount(): Account {
  const { uid, gid } = nobodyUser()
  return { user: null, prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'] }
}

export function accountOf(user: { uid: number; gid: number }): Account {
  return { user, prefix: [] }
}

export function nobodyUser(): { uid: number; gid: number } {
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export function hasUserName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Starts a program in the account, in a session of its own, so that a Ctrl-C for the server does not end the database first. */
export function startAs(account: Account, command: string[], cwd: string): ChildProcessByStdio<null, Readable, Readable> {
  const [file = '', ...rest] = [...account.prefix, ...command]
  return spawn(file, rest, { ...account.user, cwd, env: cleanEnvironment(), detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** True if the account can write to the folder and run the program. */
export function canRun(account: Account, folder: string, program: string): boolean {
  return succeeds(account, 'test -w "$0" && cd "$0" && exec "$1" --version', folder, program)
}

export function canEnter(account: Account, folder: string): boolean {
  return succeeds(account, 'cd "$0"', folder)
}

function succeeds(account: Account, script: string, ...words: string[]): boolean {
  const [file = '', ...rest] = [...account.prefix, 'sh', '-c', script, ...words]
  return spawnSync(file, rest, { ...account.user, cwd: '/', env: cleanEnvironment(), stdio: 'ignore' }).status === 0
}

// PGOPTIONS, PGDATA and the like are meant for other servers.
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }))
}
