import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { TooManyAtWork } from '#file/contract.ts'
import type { Card } from '#file/server/card.ts'
import type { PictureTask } from '#file/server/picture.ts'
import type { PictureResult, PictureJob } from '#file/server/picture-process.ts'

const maxRunning = 2
const maxWaiting = 60
const maxWaitingPerSender = 20
const defaultLimits = { maxCpuMs: 25_000 }
// A process that hangs uses no processor time. One at work may take minutes on a busy machine.
const hangMs = 10 * 60_000
const idleMs = 60_000

type IdleWorker = { worker: ChildProcess; leaving: NodeJS.Timeout }

const idle: IdleWorker[] = []
const waiting: { sender: string; go: () => void }[] = []
/** The number of each waiting sender's last turn; 0 for none. */
const lastTurn = new Map<string, number>()
let turns = 0
let running = 0

/**
 * Processes a picture in another process, at most two at a time. One that exceeds the limit of processor time or memory is killed with
 * its process. Senders take turns, so that one with many pictures delays others by one picture at most.
 */
export function runTask(bytes: Uint8Array, task: PictureTask, sender: string, limits = defaultLimits): Promise<PictureResult> {
  return run({ bytes, task, ...limits }, sender)
}

/** Renders the card of a post in such a process. */
export function renderCard(card: Card): Promise<PictureResult> {
  return run({ card, ...defaultLimits }, 'cards')
}

async function run(job: PictureJob, sender: string): Promise<PictureResult> {
  await acquire(sender)
  try {
    const worker = takeIdle() ?? start()
    const done = await send(worker, job)
    if (worker.connected) keepIdle(worker)
    return done
  } finally {
    release()
  }
}

async function acquire(sender: string): Promise<void> {
  if (running < maxRunning) running++
  else {
    const ofSender = waiting.filter((one) => one.sender === sender).length
    if (waiting.length >= maxWaiting || ofSender >= maxWaitingPerSender) throw TooManyAtWork({ seconds: 5 })
    await new Promise<void>((go) => waiting.push({ sender, go }))
  }
  lastTurn.set(sender, ++turns)
}

function release(): void {
  const turnOf = ({ sender }: { sender: string }) => lastTurn.get(sender) ?? 0
  const [next] = waiting.toSorted((one, other) => turnOf(one) - turnOf(other))
  if (next) {
    waiting.splice(waiting.indexOf(next), 1)
    next.go()
  } else {
    running--
    lastTurn.clear()
  }
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
    // Cards use the fonts of this package.
    env: { FONTCONFIG_FILE: fileURLToPath(new URL('./card-font/fonts.conf', import.meta.url)) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  worker.unref()
  worker.channel?.unref()
  return worker
}

function send(worker: ChildProcess, job: PictureJob): Promise<PictureResult> {
  return new Promise((settle, fail) => {
    let hangs = false
    const timer = setTimeout(() => {
      hangs = true
      worker.kill('SIGKILL')
    }, hangMs)
    function end(): void {
      clearTimeout(timer)
      for (const event of ['message', 'exit', 'error']) worker.removeAllListeners(event)
    }
    worker.on('message', (done: PictureResult) => {
      end()
      settle(done)
    })
    worker.on('exit', (code) => {
      end()
      if (hangs) fail(TooManyAtWork({ seconds: 5 }))
      else if (code === null) settle('hard')
      else fail(new Error(`The process for pictures ended with ${code}`))
    })
    worker.on('error', (error) => {
      end()
      fail(error)
    })
    worker.send(job, (error) => {
      if (error) worker.kill('SIGKILL')
    })
  })
}

// An idle worker exits after a while, which frees its memory.
function keepIdle(worker: ChildProcess): void {
  const leave = () => {
    idle.splice(idle.indexOf(entry), 1)
    worker.removeAllListeners('exit')
    worker.kill()
  }
  const entry = { worker, leaving: setTimeout(leave, idleMs).unref() }
  worker.on('exit', leave)
  idle.push(entry)
}
