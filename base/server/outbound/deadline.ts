const turnMs = 100

export class DeadlineExceeded extends Error {
  override name = 'TooLate'
}

/**
 * Runs work that waits for another machine, with a deadline that nothing on the other side can extend. The signal aborts at the deadline
 * and when the work is done, so that nothing it opened stays open.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const end = new AbortController()
  const late = Promise.withResolvers<never>()
  const stopTimer = startTimer(ms, () => late.reject(new DeadlineExceeded(`It took longer than ${ms} ms`)))
  try {
    return await Promise.race([work(end.signal), late.promise])
  } finally {
    stopTimer()
    end.abort()
  }
}

// A turn of the event loop counts as a tenth of a second at most: an answer that arrives while this process is busy is not late.
function startTimer(ms: number, onEnd: () => void): () => void {
  let left = ms
  let timer = setTimeout(tick, Math.min(left, turnMs))
  function tick(): void {
    left -= turnMs
    if (left <= 0) onEnd()
    else timer = setTimeout(tick, Math.min(left, turnMs))
  }
  return () => clearTimeout(timer)
}
