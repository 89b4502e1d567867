import { execFileSync } from 'node:child_process'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runTask } from '#file/server/picture-workers.ts'

const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
const slow = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#777', noise } })
  .png()
  .toBuffer()
const work = (sender = 'mei') => runTask(slow, { makes: 'picture', kind: 'png' }, sender)

test('a picture may take as long as its process waits for the processor', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await work()
  for (const pid of workers()) process.kill(pid, 'SIGSTOP')
  const waiting = work()
  await new Promise(setImmediate)
  vi.advanceTimersByTime(5 * 60_000)
  for (const pid of workers()) process.kill(pid, 'SIGCONT')
  expect(await waiting).toMatchObject({ width: 1200 })
})

test('a picture that takes too much processor time is ended', async () => {
  expect(await runTask(slow, { makes: 'picture', kind: 'png' }, 'mei', { maxCpuMs: 1 })).toBe('hard')
  expect(await work()).toMatchObject({ width: 1200 })
})

test('many pictures at once are worked on two at a time', async () => {
  const tasks = Array.from({ length: 4 }, () => work())
  await begun()
  expect(workers()).toHaveLength(2)
  for (const one of await Promise.all(tasks)) expect(one).toMatchObject({ width: 1200 })
  expect(workers()).toHaveLength(2)
})

test('senders of pictures take turns, and only a sender above the limit is refused', async () => {
  const senders: string[] = []
  const send = async (sender: string) => {
    await work(sender)
    senders.push(sender)
  }
  const many = Array.from({ length: 8 }, () => send('mei'))
  const other = send('lin')
  await Promise.all([...many, other])
  expect(senders.indexOf('lin')).toBeLessThan(4)
  const flood = await Promise.allSettled([...Array.from({ length: 24 }, () => work('mei')), work('lin')])
  expect(flood.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  expect(flood.at(-1)?.status).toBe('fulfilled')
})

test('a decoder that crashes takes its own picture with it, and nothing else', async () => {
  const tasks = [work(), work()]
  await begun()
  process.kill(workers()[0] ?? 0, 'SIGSEGV')
  const results = await Promise.all(tasks)
  expect(results.filter((one) => one === 'hard')).toHaveLength(1)
  expect(await work()).toMatchObject({ width: 1200 })
})

function begun(): Promise<void> {
  return expect.poll(() => workers().length).toBe(2)
}

function workers(): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,ppid=,args=']).toString().split('\n')
  const rows = lines.filter((line) => line.includes('picture-process')).map((line) => line.trim().split(/\s+/).map(Number))
  return rows.filter(([, parent]) => parent === process.pid).map(([pid]) => pid ?? 0)
}
