import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Halt } from '../scripts/step.mjs'
import { installFromDebian } from './install-from-debian.ts'

const debianFolder = '/usr/bin'
const usualPlaces = [debianFolder, '/usr/local/bin', '/opt/homebrew/bin']

/** The folder of MariaDB's programs for tests, installed if there is none. */
export async function findMariadb(): Promise<string> {
  const known = usualPlaces.find((folder) => existsSync(join(folder, 'mariadb-install-db')))
  if (known) return known
  if (await installFromDebian('MariaDB', ['mariadb-server'])) return debianFolder
  throw new Halt('The tests need a MariaDB. Install mariadb-server.')
}
