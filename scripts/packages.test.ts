import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { areInstalled, install } from './packages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
vi.stubEnv('npm_config_cache', join(folder, 'cache'))

// A registry of two packages, with a hook before each download.
const packed = { cups: pack('cups'), pots: pack('pots') }
let before: Record<string, () => Promise<unknown>> = {}
let missing = ''
const registry = createServer((request, response) => {
  const name = request.url?.slice(1) as keyof typeof packed
  response.statusCode = name === missing ? 404 : 200
  void (before[name]?.() ?? Promise.resolve()).finally(() => response.end(name === missing ? '' : packed[name]))
}).listen(0, '127.0.0.1')
await once(registry, 'listening')

beforeEach(() => {
  rmSync(join(folder, 'cache'), { recursive: true, force: true })
  before = {}
  missing = ''
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  needs('cups')
})
// Keeps the messages of the steps out of the test output.
vi.spyOn(console, 'log').mockReturnValue()
afterAll(() => {
  registry.close()
  rmSync(folder, { recursive: true })
})

test('packages are installed once, and again when the lock file changes', async () => {
  expect(areInstalled(folder, { development: false })).toBe(false)
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: false })).toBe(true)
  needs('pots')
  expect(areInstalled(folder, { development: false })).toBe(false)
})

test('packages installed to run the program are not enough to test it', async () => {
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: true })).toBe(false)
})

test('packages installed to test the program are enough to run it', async () => {
  await install(folder, process.execPath, { development: true })
  expect(areInstalled(folder, { development: false })).toBe(true)
  expect(areInstalled(folder, { development: true })).toBe(true)
})

test('an installation that fails is not taken for one', async () => {
  writeFileSync(join(folder, 'package-lock.json'), '{')
  await expect(install(folder, process.execPath, { development: true })).rejects.toThrow('npm')
  expect(areInstalled(folder, { development: true })).toBe(false)
})

test('a failed installation leaves the former packages', async () => {
  needs('tray', { cups: false, pots: true })
  await install(folder, process.execPath, { development: false })
  missing = 'pots'
  await expect(install(folder, process.execPath, { development: true })).rejects.toThrow('404')
  expect(areInstalled(folder, { development: false })).toBe(true)
  expect(existsSync(join(folder, 'node_modules/cups/index.mjs'))).toBe(true)
})

test('packages for development come while a program runs on the others, which it never misses', async () => {
  needs('tray', { cups: false, pots: true })
  await install(folder, process.execPath, { development: false })
  const program = await running()
  const answers: string[] = []
  before['pots'] = async () => answers.push(await program.ask())
  await install(folder, process.execPath, { development: true })
  answers.push(await program.ask())
  await program.end()
  expect(answers).toEqual(['cups', 'cups'])
  expect(areInstalled(folder, { development: true })).toBe(true)
  expect(existsSync(join(folder, 'node_modules/pots/index.mjs'))).toBe(true)
})

test('other packages are not put in place of those that a program runs on', async () => {
  needs('tray', { cups: false, pots: true })
  await install(folder, process.execPath, { development: false })
  const programs = [await running(), await running()]
  needs('tray', { pots: false })
  for (const program of programs) {
    await expect(install(folder, process.execPath, { development: false })).rejects.toThrow('Stop it first')
    expect(await program.ask()).toBe('cups')
    await program.end()
  }
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: false })).toBe(true)
  expect(existsSync(join(folder, 'node_modules/cups'))).toBe(false)
})

test('a killed program does not block an installation', async () => {
  needs('tray', { cups: false })
  await install(folder, process.execPath, { development: false })
  await (await running()).end('SIGKILL')
  needs('tray', { pots: false })
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: false })).toBe(true)
})

test('packages do not replace a link to another folder', async () => {
  symlinkSync(tmpdir(), join(folder, 'node_modules'))
  await expect(install(folder, process.execPath, { development: false })).rejects.toThrow('is a link to another folder')
})

/** Sets the packages of the folder's project, and whether each is for development only. */
function needs(name: string, packages: Record<string, boolean> = {}): void {
  const what = { name, version: '1.0.0' }
  const named = (isDev: boolean) =>
    Object.fromEntries(Object.keys(packages).flatMap((one) => (packages[one] === isDev ? [[one, '1.0.0']] : [])))
  const root = { ...what, dependencies: named(false), devDependencies: named(true) }
  const locked = Object.keys(packages).map((one) => [`node_modules/${one}`, lockedAs(one as keyof typeof packed, packages[one] ?? false)])
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root))
  const lock = { ...what, lockfileVersion: 3, requires: true, packages: { '': root, ...Object.fromEntries(locked) } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

function lockedAs(name: keyof typeof packed, dev: boolean) {
  const integrity = `sha512-${createHash('sha512').update(packed[name]).digest('base64')}`
  return {
    version: '1.0.0',
    resolved: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/${name}`,
    integrity,
    ...(dev && { dev }),
  }
}

function pack(name: string): Buffer {
  const its = join(folder, 'packing', name, 'package')
  mkdirSync(its, { recursive: true })
  writeFileSync(join(its, 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
  writeFileSync(join(its, 'index.mjs'), `export default '${name}'`)
  execFileSync('tar', ['-czf', '../package.tgz', '-C', '..', 'package'], { cwd: its })
  return readFileSync(join(its, '../package.tgz'))
}

/** A program on the packages of the folder, which imports one of their files again on request. */
async function running() {
  const text = `
    import { createInterface } from 'node:readline'
    let times = 0
    for await (const _ of createInterface({ input: process.stdin }))
      console.log(await import('./node_modules/cups/index.mjs?' + ++times).then((its) => its.default, (error) => error.code))`
  const program = join(folder, 'program.mjs')
  writeFileSync(program, text)
  const hold = join(import.meta.dirname, 'hold-packages.mjs')
  const child = spawn(process.execPath, ['--import', hold, program], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  async function ask(): Promise<string> {
    child.stdin.write('?\n')
    return (await lines.next()).value ?? ''
  }
  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    child.kill(signal)
    await once(child, 'exit')
  }
  await ask()
  return { ask, end }
}
