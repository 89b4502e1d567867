import { existsSync } from 'node:fs'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const debianPath = '/usr/bin/redis-server'
const usualPlaces = [debianPath, '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server']

/** A Redis on this machine, or null. */
export function knownRedis(): string | null {
  return usualPlaces.find((place) => existsSync(place)) ?? null
}

/** A Redis for tests, installed if there is none. */
export async function findRedis(): Promise<string> {
  const known = knownRedis()
  if (known) return known
  if (await installFromDebian('Redis', ['redis-server'])) return debianPath
  throw new Halt('The tests need a Redis. Install redis-server.')
}
