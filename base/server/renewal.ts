/** Does work, and meanwhile renews a claim that would lapse. A renewal that fails is made up for by the next. */
export async function renewWhile<T>(work: () => Promise<T>, renew: () => Promise<unknown>, everyMs: number): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
