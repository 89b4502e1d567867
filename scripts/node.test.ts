import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { fetchNode, findNode } from './node.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
const truth = { version: process.version, platform: process.platform }

afterEach(() => {
  vi.unstubAllEnvs()
  pretend(truth)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a Node that is new enough runs the program itself', () => {
  expect(findNode(folder)).toBe(process.execPath)
})

test('an old Node looks for a newer one on the PATH', () => {
  pretend({ version: 'v18.0.0' })
  vi.stubEnv('PATH', [aFolderWith('node', 'v18.0.0'), aFolderWith('node22', 'v22.1.0'), aFolderWith('node-24', 'v24.1.0')].join(':'))
  expect(findNode(folder)).toMatch(/node-24$/)
})

test('without a newer one there is none', () => {
  pretend({ version: 'v18.0.0' })
  vi.stubEnv('PATH', `${aFolderWith('node', 'v20.0.0')}:${join(folder, 'missing')}`)
  expect(findNode(folder)).toBeNull()
})

test('a Node that was fetched whole is used again, and half of one is not', () => {
  pretend({ version: 'v18.0.0' })
  vi.stubEnv('PATH', '')
  const modules = join(folder, 'tools/runtime/node_modules')
  const fetched = join(modules, `node-${process.platform}-${process.arch}/bin/node`)
  mkdirSync(join(fetched, '..'), { recursive: true })
  writeFileSync(fetched, '')
  expect(findNode(folder)).toBeNull()
  writeFileSync(join(modules, '.package-lock.json'), '{}')
  expect(findNode(folder)).toBe(fetched)
})

test('a system without a Node to fetch asks for an installation', async () => {
  pretend({ version: 'v18.0.0', platform: 'sunos' })
  await expect(fetchNode(folder)).rejects.toThrow('Teahouse needs Node 24 or newer, and this is v18.0.0. Install one and start again.')
})

function pretend(facts: { version?: string; platform?: string }): void {
  for (const [name, value] of Object.entries(facts)) Object.defineProperty(process, name, { value, configurable: true })
}

function aFolderWith(name: string, version: string): string {
  const path = mkdtempSync(join(folder, 'path-'))
  writeFileSync(join(path, name), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
  return path
}
