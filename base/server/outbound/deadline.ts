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
  const timer = setTimeout(() => late.reject(new DeadlineExceeded(`It took longer than ${ms} ms`)), ms)
  try {
    return await Promise.race([work(end.signal), late.promise])
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}
