import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const debianFolder = '/usr/lib/postgresql'
const bundledMajor = 18

/** The programs of a PostgreSQL of another version than the bundled one, on this machine, or null. */
export function knownOtherPostgres(): string | null {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const [oldest] = versions.filter((version) => version >= 15 && version < bundledMajor).toSorted((one, other) => one - other)
  return oldest === undefined ? null : join(debianFolder, String(oldest), 'bin')
}

/** The same for tests, installed if there is none. */
export async function findOtherPostgres(): Promise<string> {
  const known = knownOtherPostgres() ?? ((await installFromDebian('an older PostgreSQL', ['postgresql'])) ? knownOtherPostgres() : null)
  if (known) return known
  throw new Halt(`The tests need an older PostgreSQL, 15 to ${bundledMajor - 1}, in ${debianFolder}. Install postgresql.`)
}
