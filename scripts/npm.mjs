import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Halt } from './step.mjs'

/** The command that runs, with the given Node, the npm of the running one. */
export function npmWith(node, root) {
  const npm = findNpm()
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` }
  if (!hasCache()) env.npm_config_cache = join(root, 'tools/runtime/npm-cache')
  return { file: node, args: [npm], env }
}

function findNpm() {
  const beside = dirname(realpathSync(process.execPath))
  const places = [
    process.env.npm_execpath,
    join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(beside, 'node_modules/npm/bin/npm-cli.js'),
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
  ]
  const npm = places
    .filter((file) => file && existsSync(file))
    .map((file) => realpathSync(file))
    .find((file) => file.endsWith('npm-cli.js'))
  if (!npm) throw new Halt('npm was not found. Install the npm that belongs to your Node and start again.')
  return npm
}

// A service's user often has no home, or no writable one.
function hasCache() {
  const cache = process.env.npm_config_cache ?? join(process.env.HOME ?? homedir(), '.npm')
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return true
  } catch {
    return false
  }
}
