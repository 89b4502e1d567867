/**
 * Calls `stop` once on SIGINT, SIGTERM, or the death of the parent. `npm start` does not forward every signal, and never its own SIGKILL,
 * so the script that starts the server sets its pid in `TEAHOUSE_PARENT` and is watched. A second signal ends the program at once.
 */
export function onShutdown(
  stop: (why: string) => void,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
  env: NodeJS.ProcessEnv = process.env,
): void {
  let isStopping = false
  function stopOnce(why: string): void {
    if (isStopping) process.exit(1)
    isStopping = true
    stop(why)
  }
  for (const signal of signals) process.on(signal, stopOnce)

  const starter = Number(env['TEAHOUSE_PARENT'])
  if (!starter) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent && isAlive(starter)) return
    clearInterval(watch)
    if (!isStopping) stopOnce('its starter is gone')
  }, 300)
  watch.unref()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
