import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { areBuilt, buildPages } from './pages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
// The steps tell of themselves, which is not for the list of tests.
vi.spyOn(process.stdout, 'write').mockReturnValue(true)
afterAll(() => rmSync(folder, { recursive: true }))

// The order of builds is what is tested here, so the builder only says whether it was content.
const contentBuilder = ''
const failingBuilder = 'throw new Error("no entry")'

test('pages are built once, and again when a source changes', async () => {
  write('node_modules/vite/bin/vite.js', contentBuilder)
  write('features/topic/web/topic.tsx', 'a')
  expect(areBuilt(folder)).toBe(false)
  await buildPages(folder, process.execPath)
  expect(areBuilt(folder)).toBe(true)
  write('features/topic/web/topic.tsx', 'b')
  expect(areBuilt(folder)).toBe(false)
})

test('a new file, and one that moved, make pages stale', async () => {
  await buildPages(folder, process.execPath)
  write('base/web/style.css', 'a')
  expect(areBuilt(folder)).toBe(false)
  await buildPages(folder, process.execPath)
  rmSync(join(folder, 'base/web/style.css'))
  write('base/web/styles.css', 'a')
  expect(areBuilt(folder)).toBe(false)
})

test('a changed test does not', async () => {
  await buildPages(folder, process.execPath)
  write('base/words.test.ts', 'a')
  expect(areBuilt(folder)).toBe(true)
})

test('pages whose building failed are not served', async () => {
  await buildPages(folder, process.execPath)
  write('node_modules/vite/bin/vite.js', failingBuilder)
  await expect(buildPages(folder, process.execPath)).rejects.toThrow('no entry')
  expect(areBuilt(folder)).toBe(false)
})

function write(file: string, content: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), content)
}
