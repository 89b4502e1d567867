type Progress = { done: number; at: number }

/** One line for each step, with its rate and the time that is left. */
export function progressOf(): (step: string, done: number, total: number) => void {
  const { stderr } = process
  const begun = new Map<string, Progress>()
  let lastTold = 0
  return (step, done, total) => {
    const now = performance.now()
    const first = begun.get(step) ?? { done, at: now }
    begun.set(step, first)
    const isOver = done >= total
    if (isOver && done === 0) return
    if (!isOver && now - lastTold < (stderr.isTTY ? 500 : 10_000)) return
    lastTold = now
    const rate = (done - first.done) / Math.max(0.001, (now - first.at) / 1000)
    const left = rate > 0 && total > done ? `, ${timeOf((total - done) / rate)} left` : ''
    const line = `${step}: ${done}${total > done ? ` of ${total}` : ''}${rate >= 1 && !isOver ? `, ${Math.round(rate)} a second${left}` : ''}`
    stderr.write(stderr.isTTY ? `\r\u001b[2K${line}${isOver ? '\n' : ''}` : `${line}\n`)
  }
}

function timeOf(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
