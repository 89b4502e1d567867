import { existsSync } from 'node:fs'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const debianPath = '/usr/sbin/pgbouncer'
const usualPlaces = [debianPath, '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer']

/** A PgBouncer on this machine, or null. */
export function knownPgbouncer(): string | null {
  return usualPlaces.find((place) => existsSync(place)) ?? null
}

/** A PgBouncer for tests, installed if there is none. */
export async function findPgbouncer(): Promise<string> {
  const known = knownPgbouncer()
  if (known) return known
  if (await installFromDebian('PgBouncer', ['pgbouncer'])) return debianPath
  throw new Halt('The tests need a PgBouncer. Install pgbouncer.')
}
