import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freePort } from '#base/testing/free-port.ts'

// The program as it is first started: an empty folder, the embedded database, no variable but these.
const folder = mkdtempSync(join(tmpdir(), 'teahouse-first-'))
afterFile(async () => rmSync(folder, { recursive: true, force: true }))

test('the first start adds the sample community, names the administrator once, and answers', async () => {
  const port = await freePort()
  const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), TEAHOUSE_DATA: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = once(program, 'exit')
  afterFile(async () => void program.kill('SIGKILL'))
  await expect.poll(() => /The administrator is|rror/.test(output)).toBe(true)
  expect(output).toMatch(/The administrator is \S+, with the password \S+ \(shown this once\)\./)
  const answer = await fetch(`http://localhost:${port}/api/topic/list`)
  expect((await answer.json()).topics.length).toBeGreaterThan(10)
  program.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
