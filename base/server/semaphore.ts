import { waitLimitMs } from '#base/server/call-deadline.ts'

/** Limits how many run at once, in order of arrival. After a timeout, or at the deadline of its call, the caller runs its alternative. */
export class Semaphore {
  #free: number
  readonly #longestMs: number
  readonly #waiting = new Set<() => void>()

  constructor(limit: number, timeoutMs: number) {
    this.#free = limit
    this.#longestMs = timeoutMs
  }

  async run<T>(work: () => Promise<T>, onTimeout: () => Promise<T>): Promise<T> {
    if (!(await this.#mine())) return onTimeout()
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #mine(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve(true)
    }
    return new Promise((done) => {
      const proceed = () => {
        clearTimeout(timer)
        done(true)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(proceed)
        done(false)
      }, waitLimitMs(this.#longestMs))
      this.#waiting.add(proceed)
    })
  }

  #pass(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
