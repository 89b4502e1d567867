import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TooManyAtWork } from '#file/contract.ts'
import type { Card } from '#file/server/card.ts'
import type { Task } from '#file/server/picture.ts'
import type { Done, Order } from '#file/server/picture-process.ts'

const mostAtWork = 2
const mostWaiting = 60
const patienceMs = 25_000
const idleMs = 60_000

type Idle = { worker: ChildProcess; leaving: NodeJS.Timeout }

const idle: Idle[] = []
const waiting: (() => void)[] = []
let atWork = 0

/** Works on a picture in another process, two at once at most. One that takes too long or too much memory ends its process alone. */
export function workOn(bytes: Uint8Array, task: Task): Promise<Done> {
  return have({ bytes, task })
}

/** Draws the picture for a shared link there too. */
export function draw(card: Card): Promise<Done> {
  return have({ card })
}

async function have(order: Order): Promise<Done> {
  await turn()
  try {
    const worker = wake() ?? open()
    const done = await send(worker, order)
    if (worker.connected) rest(worker)
    return done
  } finally {
    handOn()
  }
}

async function turn(): Promise<void> {
  if (atWork < mostAtWork) {
    atWork++
    return
  }
  if (waiting.length >= mostWaiting) throw TooManyAtWork({ seconds: 5 })
  await new Promise<void>((go) => waiting.push(go))
}

function handOn(): void {
  const next = waiting.shift()
  if (next) next()
  else atWork--
}

function wake(): ChildProcess | null {
  const found = idle.pop()
  clearTimeout(found?.leaving)
  found?.worker.removeAllListeners('exit')
  return found?.worker ?? null
}

function open(): ChildProcess {
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
    const limit = setTimeout(() => worker.kill('SIGKILL'), patienceMs)
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
function rest(worker: ChildProcess): void {
  const leave = () => {
    idle.splice(idle.indexOf(resting), 1)
    worker.removeAllListeners('exit')
    worker.kill()
  }
  const resting = { worker, leaving: setTimeout(leave, idleMs).unref() }
  worker.on('exit', leave)
  idle.push(resting)
}
