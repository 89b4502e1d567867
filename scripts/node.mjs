import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { npmWith } from './npm.mjs'
import { Halt, run, step } from './step.mjs'

const minVersion = 24
const version = '24.21.0'

// The hashes that npm verifies, so that no other program can be installed instead.
const shipped = {
  'linux-x64': 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'linux-arm64': 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
}

/** The path of a recent enough Node: the running one, one fetched before, or one on the PATH; else null. */
export function findNode(root) {
  if (isNewEnough(process.version)) return process.execPath
  const fetched = fetchedNode(root)
  if (existsSync(fetched) && existsSync(join(root, 'tools/runtime/node_modules/.package-lock.json'))) return fetched
  return onPath().find((node) => isNewEnough(versionOf(node))) ?? null
}

/** Installs Node as an npm package, for a machine with an older one. */
export async function fetchNode(root) {
  const integrity = shipped[platform()]
  if (!integrity) throw new Halt(`Teahouse needs Node ${minVersion} or newer, and this is ${process.version}. Install one and start again.`)
  const folder = join(root, 'tools/runtime')
  await step(`Fetching Node ${version}`, async () => {
    writePackage(folder, `node-${platform()}`, integrity)
    const npm = npmWith(process.execPath, root)
    await run(npm.file, [...npm.args, 'ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      env: npm.env,
    })
  })
  const node = fetchedNode(root)
  if (!isNewEnough(versionOf(node)))
    throw new Halt(`The fetched Node does not run on this system. Install Node ${minVersion} or newer and start again.`)
  return node
}

function writePackage(folder, name, integrity) {
  const what = { name: 'runtime', version: '1.0.0', dependencies: { [name]: version } }
  const packages = { '': what, [`node_modules/${name}`]: { version, integrity } }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...what, private: true }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...what, lockfileVersion: 3, requires: true, packages }))
}

function fetchedNode(root) {
  return join(root, `tools/runtime/node_modules/node-${platform()}/bin/node`)
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder && existsSync(folder))
  const found = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^node(-?\d+)?$/.test(name))
      .map((name) => join(folder, name)),
  )
  return [...new Set(found.filter((file) => existsSync(file)).map((file) => realpathSync(file)))]
}

function versionOf(node) {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    // Not a Node, or not one for this machine.
    return ''
  }
}

function isNewEnough(name) {
  return Number(/^v(\d+)\./.exec(name)?.[1] ?? 0) >= minVersion
}

function platform() {
  return `${process.platform}-${process.arch}`
}
