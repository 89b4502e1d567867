import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const parent = process.ppid

/**
 * Runs a server until it ends, and answers its exit code. It gets a process group of its own: a Ctrl-C reaches us, npm and
 * every process of the terminal, and the server must hear it once, from us.
 */
export function serve(start) {
  const child = start({ detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  passOnStops((signal) => child.kill(signal))
  return exitCodeOf(child)
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
