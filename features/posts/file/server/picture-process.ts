import { setPriority } from 'node:os'
import sharp from 'sharp'
import { drawCard, type Card } from '#file/server/card.ts'
import { encodePicture, type Obstacle, type Picture, type PictureTask } from '#file/server/picture.ts'

// A separate process: it has no secrets, a crash of a decoder is contained, and pages have priority.

export type PictureJob = { bytes: Uint8Array; task: PictureTask } | { card: Card }
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

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) end()
}, 50).unref()

process.on('disconnect', end)
process.on('message', (order: PictureJob) => {
  const done = 'card' in order ? drawCard(order.card) : encodePicture(order.bytes, order.task)
  done.then(answer, (error: unknown) => answer(String(error).includes('timeout') ? 'hard' : 'unreadable'))
})

function answer(done: PictureResult): void {
  process.send?.(done)
}

// An ordinary exit would wait for the decoder.
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
