import { setPriority } from 'node:os'
import sharp from 'sharp'
import { drawCard, type Card } from '#file/server/card.ts'
import { encodePicture, type Obstacle, type Picture, type PictureTask } from '#file/server/picture.ts'

// A separate process: it has no secrets, a crash of a decoder is contained, and pages have priority.

export type PictureJob = ({ bytes: Uint8Array; task: PictureTask } | { card: Card }) & {
  /** The limit of processor time. On a busy machine the time that passes says nothing about a picture. */
  maxCpuMs: number
}
export type PictureResult = Picture | Obstacle

const maxMemory = 1024 * 1024 * 1024

setPriority(5)
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
})

let running: { before: NodeJS.CpuUsage; maxCpuMs: number } | null = null

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory || isOverdue()) end()
}, 50).unref()

process.on('disconnect', end)
process.on('message', (job: PictureJob) => {
  running = { before: process.cpuUsage(), maxCpuMs: job.maxCpuMs }
  const done = 'card' in job ? drawCard(job.card) : encodePicture(job.bytes, job.task)
  done.then(answer, () => answer('unreadable'))
})

function isOverdue(): boolean {
  if (!running) return false
  const { user, system } = process.cpuUsage(running.before)
  return user + system > running.maxCpuMs * 1_000
}

function answer(done: PictureResult): void {
  running = null
  process.send?.(done)
}

// An ordinary exit would wait for the decoder.
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
