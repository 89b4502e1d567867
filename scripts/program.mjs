import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const parent = process.ppid

/**
 * Runs a server until it ends, and answers its exit code. It gets a process group of its own: a Ctrl-C reaches us, npm and
 * every process of the terminal, and the server must hear it once, from us. With `rest.prepare` it makes itself ready while we prepare the
 * rest, and hears when that is done; `rest.finish` is for what it does not wait for.
 */
export async function serve(start, rest) {
  const child = start({ detached: true, stdio: ['ignore', 'inherit', 'inherit', ...(rest ? ['ipc'] : [])] })
  passOnStops((signal) => child.kill(signal))
  const [end, prepared] = await Promise.allSettled([exitCodeOf(child), rest ? prepareFor(child, rest) : null])
  for (const one of [prepared, end]) if (one.status === 'rejected') throw one.reason
  return end.value
}

// A server that is not told that all is prepared hears the line break, and ends.
async function prepareFor(child, { prepare, finish }) {
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  try {
    await prepare()
  } catch (error) {
    if (child.connected) child.disconnect()
    throw error
  }
  // One that has ended meanwhile needs to hear nothing.
  if (child.connected) child.send('prepared', () => {})
  await finish(ended.signal)
}

/** Runs a tool of the terminal: it reads what one types and hears Ctrl-C by itself. */
export function useTool(start) {
  const child = start({ stdio: 'inherit' })
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return exitCodeOf(child)
}

/** How to start a program with the Node given. It can tell from `TEAHOUSE_PARENT` when we died, even by SIGKILL. */
export function starter(node, args, { cwd, env }) {
  return (how) => spawn(node, args, { cwd, env: { ...env, TEAHOUSE_PARENT: String(process.pid) }, ...how })
}

/** Calls `stop` when we are told to stop, or when the npm that started us is gone: it does not pass on every signal. */
export function passOnStops(stop) {
  let last = 0
  // npm sends a Ctrl-C on to us when the terminal has sent it already.
  function once(signal) {
    if (Date.now() - last > 1_000) stop(signal)
    last = Date.now()
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, once)

  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop('SIGTERM')
  }, 300)
  watch.unref()
}

export function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}
