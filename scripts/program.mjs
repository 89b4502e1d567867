import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const parent = process.ppid

/**
 * Runs a server until it ends, and returns its exit code. It has a process group of its own: a Ctrl-C reaches us, npm and every process of
 * the terminal, and the server must get it once, from us. With `rest.prepare` the server starts while we prepare the rest, and gets a
 * message when that is done; `rest.finish` is work that it does not wait for.
 */
export async function serve(start, rest) {
  const child = start({ detached: true, stdio: ['ignore', 'inherit', 'inherit', ...(rest ? ['ipc'] : [])] })
  passOnStops((signal) => child.kill(signal))
  const [end, prepared] = await Promise.allSettled([exitCodeOf(child), rest ? prepareFor(child, rest) : null])
  for (const one of [prepared, end]) if (one.status === 'rejected') throw one.reason
  return end.value
}

// A server whose preparation failed sees the IPC channel close, and ends.
async function prepareFor(child, { prepare, finish }) {
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  try {
    await prepare()
  } catch (error) {
    if (child.connected) child.disconnect()
    throw error
  }
  // A server that has ended meanwhile needs no message.
  if (child.connected) child.send('prepared', () => {})
  await finish(ended.signal)
}

/** Runs an interactive tool: it reads the terminal and gets Ctrl-C by itself. */
export function useTool(start) {
  const child = start({ stdio: 'inherit' })
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return exitCodeOf(child)
}

/** A function that starts a program with the given Node. `TEAHOUSE_PARENT` lets the program notice our death, even by SIGKILL. */
export function starter(node, args, { cwd, env }) {
  return (how) => spawn(node, args, { cwd, env: { ...env, TEAHOUSE_PARENT: String(process.pid) }, ...how })
}

/** Calls `stop` on a stop signal, or when the npm that started us is gone: it does not forward every signal. */
export function passOnStops(stop) {
  let last = 0
  // npm forwards a Ctrl-C that the terminal has sent us already.
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
