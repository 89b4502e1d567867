/** Limits how many run at once, in order of arrival. After a timeout the caller runs its alternative. */
export class Semaphore {
  #free: number
  readonly #longestMs: number
  readonly #waiting = new Set<() => void>()

  constructor(atOnce: number, longestMs: number) {
    this.#free = atOnce
    this.#longestMs = longestMs
  }

  async take<T>(work: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
    if (!(await this.#mine())) return otherwise()
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
      const come = () => {
        clearTimeout(patience)
        done(true)
      }
      const patience = setTimeout(() => {
        this.#waiting.delete(come)
        done(false)
      }, this.#longestMs)
      this.#waiting.add(come)
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
