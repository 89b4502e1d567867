import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export type ServiceOptions = {
  command: string[]
  env?: NodeJS.ProcessEnv
  /** Where it runs, and writes its output, named after it. */
  folder: string
  name: string
  /** The account that it runs as, if not ours. */
  user?: { uid: number; gid: number } | null
}

/** A program as a service manager runs it: in a process group of its own, and again when it fails by itself. */
export type Service = {
  start(): void
  signal(name: NodeJS.Signals): void
  /** Kills it, unless it has ended. */
  kill(name?: NodeJS.Signals): Promise<void>
}

const restartMs = 2_000

export function service({ command: [file = '', ...words], env = {}, folder, name, user }: ServiceOptions): Service {
  let child: ChildProcess | null = null
  let isWanted = false
  const isRunning = (): boolean => child !== null && child.exitCode === null && child.signalCode === null

  function start(): void {
    const output = openSync(join(folder, `${name}.log`), 'a', 0o600)
    child = spawn(file, words, {
      cwd: folder,
      env: { ...baseEnvironment(), ...env },
      ...user,
      detached: true,
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    isWanted = true
    child.once('exit', (code) => void restartAfter(code))
  }

  async function restartAfter(code: number | null): Promise<void> {
    if (!isWanted || code === 0) return
    await setTimeout(restartMs, undefined, { ref: false })
    if (isWanted && !isRunning()) start()
  }

  // The whole group: HAProxy has a worker, and a forum may have several.
  function signal(name: NodeJS.Signals): void {
    if (isRunning() && child?.pid) signalIfThere(-child.pid, name)
  }

  async function kill(name: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    isWanted = false
    if (!child || !isRunning()) return
    const exited = once(child, 'exit')
    signal(name)
    await exited
  }

  return { start, signal, kill }
}

function baseEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: '/tmp' }
}

export function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** The process of a PostgreSQL and its children, each of which leads a session of its own. */
export function postgresProcesses(dataDir: string): number[] {
  const postmaster = postmasterOf(dataDir)
  return postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)]
}

export function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(`${dataDir}/postmaster.pid`, 'utf8').split('\n')[0])
    // After a kill, the file stays and its number may belong to another.
    return commandOf(pid).includes('postgres') ? pid : null
  } catch {
    return null
  }
}

function childrenOf(parent: number): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null // ended meanwhile
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const longestStartMs = 300_000

/** Polls until this is there, or true. */
export async function untilReady<T>(name: string, find: () => Promise<T>): Promise<T> {
  const until = performance.now() + longestStartMs
  for (;;) {
    try {
      const found = await find()
      if (found) return found
    } catch (error) {
      if (performance.now() > until) throw new Error(`${name} was not ready in ${longestStartMs / 1_000} s`, { cause: error })
    }
    await setTimeout(200)
  }
}
