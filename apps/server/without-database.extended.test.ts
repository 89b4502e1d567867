import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFile } from '#base/testing/after-file.ts'
import { freePort } from '#base/testing/free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'teahouse-without-'))
afterFile(async () => rmSync(folder, { recursive: true, force: true }))

// What starts services can then start it again.
test('a forum of two processes whose database does not answer ends, and says why', async () => {
  const [port, nobody] = [await freePort(), await freePort()]
  const program = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      TEAHOUSE_DATA: folder,
      TEAHOUSE_PROCESSES: '2',
      DATABASE_URL: `postgresql://teahouse:secret@127.0.0.1:${nobody}/teahouse`,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  afterFile(async () => void program.kill('SIGKILL'))
  let errors = ''
  program.stderr.on('data', (text) => (errors += String(text)))
  expect(await once(program, 'exit')).toEqual([1, null])
  expect(errors).toContain('No PostgreSQL answers')
})
