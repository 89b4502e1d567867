import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TooManyAtWork } from '#file/contract.ts'
import type { Card } from '#file/server/card.ts'
import type { Task } from '#file/server/picture.ts'
import type { Done, Order } from '#file/server/picture-process.ts'

const mostRunning = 2
const mostWaiting = 60
const timeoutMs = 25_000
const idleMs = 60_000

type Idle = { worker: ChildProcess; leaving: NodeJS.Timeout }

const idle: Idle[] = []
const waiting: (() => void)[] = []
let running = 0

/** Works on a picture in another process, two at once at most. One that takes too long or too much memory ends its process alone. */
export function workOn(bytes: Uint8Array, task: Task): Promise<Done> {
  return run({ bytes, task })
}

/** Draws the picture for a shared link there too. */
export function draw(card: Card): Promise<Done> {
  return run({ card })
}

async function run(order: Order): Promise<Done> {
  await acquire()
  try {
    const worker = takeIdle() ?? start()
    const done = await send(worker, order)
    if (worker.connected) keepIdle(worker)
    return done
  } finally {
    release()
  }
}

async function acquire(): Promise<void> {
  if (running < mostRunning) {
    running++
    return
  }
  if (waiting.length >= mostWaiting) throw TooManyAtWork({ seconds: 5 })
  await new Promise<void>((go) => waiting.push(go))
}

function release(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

function takeIdle(): ChildProcess | null {
  const found = idle.pop()
  clearTimeout(found?.leaving)
  found?.worker.removeAllListeners('exit')
  return found?.worker ?? null
}

function start(): ChildProcess {
  const worker = fork(fileURLToPath(new URL('./picture-process.ts', import.meta.url)), {
    execArgv: [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  worker.unref()
  worker.channel?.unref()
  return worker
}

function send(worker: ChildProcess, order: Order): Promise<Done> {
  return new Promise((settle, fail) => {
    const limit = setTimeout(() => worker.kill('SIGKILL'), timeoutMs)
    function end(): void {
      clearTimeout(limit)
      for (const event of ['message', 'exit', 'error']) worker.removeAllListeners(event)
    }
    worker.on('message', (done: Done) => {
      end()
      settle(done)
    })
    worker.on('exit', (code) => {
      end()
      if (code === null) settle('hard')
      else fail(new Error(`The process for pictures ended with ${code}`))
    })
    worker.on('error', (error) => {
      end()
      fail(error)
    })
    worker.send(order, (error) => {
      if (error) worker.kill('SIGKILL')
    })
  })
}

// It goes when there has been nothing to do for a while, and with it the memory it took.
function keepIdle(worker: ChildProcess): void {
  const leave = () => {
    idle.splice(idle.indexOf(kept), 1)
    worker.removeAllListeners('exit')
    worker.kill()
  }
  const kept = { worker, leaving: setTimeout(leave, idleMs).unref() }
  worker.on('exit', leave)
  idle.push(kept)
}
