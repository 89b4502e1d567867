import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { alone } from './alone.mjs'

const folder = mkdtempSync(join(tmpdir(), 'tea-'))
const lock = join(folder, 'lock')
const endedProcess = 2 ** 22

beforeEach(() => rmSync(lock, { force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

test('several starts at once prepare once, while the others wait', async () => {
  const diary = join(folder, 'diary')
  const script = `
    import { appendFileSync } from 'node:fs'
    import { alone } from ${JSON.stringify(join(import.meta.dirname, 'alone.mjs'))}
    const write = (word) => appendFileSync(${JSON.stringify(diary)}, process.pid + ' ' + word + '\\n')
    await alone(${JSON.stringify(lock)}, async () => { write('begins'); await new Promise((go) => setTimeout(go, 100)); write('ends') })`
  const starts = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }))
  await Promise.all(starts.map((start) => once(start, 'exit')))
  const lines = readFileSync(diary, 'utf8').trim().split('\n')
  expect(lines).toHaveLength(6)
  for (const [at, line] of lines.entries()) expect(line).toBe(lines[at - (at % 2)]?.replace('begins', at % 2 ? 'ends' : 'begins'))
})

test('a killed start does not block another', async () => {
  writeFileSync(lock, String(endedProcess))
  expect(await alone(lock, async () => 'prepared')).toBe('prepared')
})

test('a start that has shown no life for long is taken for dead', async () => {
  writeFileSync(lock, String(process.pid))
  utimesSync(lock, new Date(), new Date(Date.now() - 60_000))
  expect(await alone(lock, async () => 'prepared')).toBe('prepared')
})

test('a start that fails lets the next one in', async () => {
  const failing = alone(lock, async () => {
    throw new Error('no water')
  })
  await expect(failing).rejects.toThrow('no water')
  expect(existsSync(lock)).toBe(false)
})

test('a user without write access to a needed folder is told so', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(alone(join(folder, 'file/lock'), async () => {})).rejects.toThrow('this user cannot write here')
})
