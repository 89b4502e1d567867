import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { areBuilt, areCompressed, buildPages, compressPages } from './pages.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
// Keeps the messages of the steps out of the test output.
vi.spyOn(process.stdout, 'write').mockReturnValue(true)
afterAll(() => rmSync(folder, { recursive: true }))

// Only the order of builds is tested, so the builder does nothing but succeed or fail.
const contentBuilder = ''
const failingBuilder = 'throw new Error("no entry")'

test('pages are built once, and again when a source changes', async () => {
  write('node_modules/vite/bin/vite.js', contentBuilder)
  write('features/threads/topic/web/topic.tsx', 'a')
  expect(areBuilt(folder)).toBe(false)
  await buildPages(folder, process.execPath)
  expect(areBuilt(folder)).toBe(true)
  write('features/threads/topic/web/topic.tsx', 'b')
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

test('pages of a failed build are not served', async () => {
  await buildPages(folder, process.execPath)
  write('node_modules/vite/bin/vite.js', failingBuilder)
  await expect(buildPages(folder, process.execPath)).rejects.toThrow('no entry')
  expect(areBuilt(folder)).toBe(false)
})

test('the copies for browsers come after the build, go on where they were stopped, and are made anew with the pages', async () => {
  write('node_modules/vite/bin/vite.js', contentBuilder)
  await buildPages(folder, process.execPath)
  expect(areCompressed(folder)).toBe(false)
  const text = 'tea '.repeat(500)
  for (const name of ['web/assets/a.js', 'admin/b.css']) {
    write(`dist/${name}`, text)
    write(`dist/${name}.gz`, '')
  }
  write('dist/web/small.js', 'tea')
  await compressPages(folder, { signal: AbortSignal.abort() })
  expect(areCompressed(folder)).toBe(false)
  await compressPages(folder)
  expect(areCompressed(folder)).toBe(true)
  for (const name of ['web/assets/a.js', 'admin/b.css'])
    expect(brotliDecompressSync(readFileSync(join(folder, `dist/${name}.br`))).toString()).toBe(text)
  expect(readdirSync(join(folder, 'dist/web'))).toEqual(['assets', 'small.js'])
  await buildPages(folder, process.execPath)
  expect(areCompressed(folder)).toBe(false)
})

function write(file: string, content: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), content)
}
