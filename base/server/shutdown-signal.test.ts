import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops the program calmly', async (signal) => {
  const { program, output } = await startProgram()
  program.kill(signal)
  expect(await output).toBe(`ready\n${signal}\n`)
})

test('a second signal does not wait', async () => {
  const { program } = await startProgram({ isSlow: true })
  program.kill('SIGTERM')
  await once(program.stdout, 'data')
  program.kill('SIGTERM')
  expect(await once(program, 'exit')).toEqual([1, null])
})

test('the program stops when the script that started it dies', async () => {
  const starter = spawn('sleep', ['30'])
  const { output } = await startProgram({ starter: starter.pid })
  starter.kill('SIGKILL')
  expect(await output).toBe('ready\nits starter is gone\n')
})

test('a program started in another way lives on', async () => {
  const { program, output } = await startProgram({ works: 5 })
  expect(await output).toBe('ready\n')
  expect(await once(program, 'exit')).toEqual([0, null])
})

async function startProgram({ starter = 0, isSlow = false, works = 1_000 } = {}) {
  const script = `
    import { onShutdown } from ${JSON.stringify(join(import.meta.dirname, 'shutdown-signal.ts'))}
    let left = ${works}
    const work = setInterval(() => --left === 0 && clearInterval(work), 200)
    onShutdown((why) => { console.log(why); if (!${isSlow}) clearInterval(work) })
    console.log('ready')`
  const env = { ...process.env, TEAHOUSE_PARENT: starter ? String(starter) : undefined }
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = isSlow ? Promise.resolve('') : text(program.stdout)
  await firstWords(program)
  return { program, output }
}

async function firstWords(program: ChildProcess): Promise<void> {
  if (program.stdout) await once(program.stdout, 'data')
}
