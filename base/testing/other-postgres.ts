import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startAs } from '#base/server/postgres/account.ts'
import { commandLineSettings } from '#base/server/postgres/cluster.ts'
import { clusterOf, findHome, passwordFileOf, socketFolder, type Home } from '#base/server/postgres/home.ts'
import { readPidFile } from '#base/server/postgres/pid-file.ts'

export const otherPrograms = process.env['TEAHOUSE_OTHER_POSTGRES'] ?? '/usr/lib/postgresql/15/bin'
const password = 'of-another-version'

export type OtherPostgres = {
  /** Of its superuser. */
  ownerUrl: string
  stop(): Promise<void>
}

type Options = {
  /** The folder of its programs. */
  programs?: string
  /** Trades safety for speed. */
  forTests?: boolean
}

/** A PostgreSQL of another version than the bundled one. */
export async function startOtherPostgres(
  dataDir: string,
  { programs = otherPrograms, forTests = false }: Options = {},
): Promise<OtherPostgres> {
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const home = findHome(dataDir)
  const cluster = clusterOf(home.folder)
  await createCluster(home, cluster, programs)
  const socket = socketFolder(home)
  const usual = [`unix_socket_directories=${socket}`, 'listen_addresses=', 'timezone=Asia/Shanghai', 'max_connections=60']
  const settings = forTests ? fastSettings(socket) : usual.flatMap((one) => ['-c', one])
  const command = [join(programs, 'postgres'), '-D', cluster, ...settings]
  const child = startAs(home.account, command, home.folder)
  child.stdout.resume()
  child.stderr.resume()
  // Vitest's own waits do not work before the first test.
  while (readPidFile(cluster)?.isReady !== true) {
    if (child.exitCode !== null) throw new Error(`The PostgreSQL of ${programs} ended with ${child.exitCode}`)
    await setTimeout(50)
  }
  return {
    ownerUrl: `postgresql://postgres:${password}@localhost/postgres?host=${encodeURIComponent(socket)}`,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

// Of version 16 and later.
const newSettings = /^scram_iterations=/

function fastSettings(socket: string): string[] {
  const values = commandLineSettings(socket, { forTests: true }).filter((word) => word !== '-c' && !newSettings.test(word))
  return values.flatMap((one) => ['-c', one])
}

async function createCluster(home: Home, cluster: string, programs: string): Promise<void> {
  const passwordFile = passwordFileOf(home.folder)
  writeFileSync(passwordFile, password)
  if (home.account.user) chownSync(passwordFile, home.account.user.uid, home.account.user.gid)
  const words = [
    `--pgdata=${cluster}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]
  const child = startAs(home.account, [join(programs, 'initdb'), ...words], home.folder)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(output + errors)
}

/** Copies a database by pg_dump and psql, which pass over single errors as they do by themselves. */
export async function dumpInto(from: string, to: string, file: string, ...options: string[]): Promise<void> {
  const run = promisify(execFile)
  await run(join(otherPrograms, 'pg_dump'), ['--dbname', from, '--file', file, ...options])
  await run(join(otherPrograms, 'psql'), ['--dbname', to, '--quiet', '--no-psqlrc', '--file', file], { maxBuffer: 2 ** 26 })
}
