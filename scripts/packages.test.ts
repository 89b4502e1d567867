import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { areInstalled, install } from './packages.mjs'

vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
beforeEach(() => {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  needs('cups')
})
// The steps tell of themselves, which is not for the list of tests.
vi.spyOn(process.stdout, 'write').mockReturnValue(true)
afterAll(() => rmSync(folder, { recursive: true }))

test('packages are installed once, and again when the lock file changes', async () => {
  expect(areInstalled(folder, { development: false })).toBe(false)
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: false })).toBe(true)
  needs('pots')
  expect(areInstalled(folder, { development: false })).toBe(false)
})

test('what was installed to run the program is not enough to test it', async () => {
  await install(folder, process.execPath, { development: false })
  expect(areInstalled(folder, { development: true })).toBe(false)
})

test('what was installed to test the program is enough to run it', async () => {
  await install(folder, process.execPath, { development: true })
  expect(areInstalled(folder, { development: false })).toBe(true)
  expect(areInstalled(folder, { development: true })).toBe(true)
})

test('an installation that fails is not taken for one', async () => {
  writeFileSync(join(folder, 'package-lock.json'), '{')
  await expect(install(folder, process.execPath, { development: true })).rejects.toThrow('npm')
  expect(areInstalled(folder, { development: true })).toBe(false)
})

function needs(name: string): void {
  const what = { name, version: '1.0.0' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(what))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...what, lockfileVersion: 3, requires: true, packages: { '': what } }))
}
