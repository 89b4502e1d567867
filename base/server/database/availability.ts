// Nothing was done when these arrive.
const undone = new Set(['40001', '40P01', '53300', '55000', '57P03', 'ECONNREFUSED', 'ENOENT'])
// The connection broke, perhaps after the commit.
const broken = new Set(['57P01', '57P02', '57P04', '57P05', '08003', '08006', 'ECONNRESET', 'EPIPE'])
// Connections, resources and disks that fail, a standby that takes no writes yet, what took too long, and networks.
const passing = /^(08|53|58)|^(25006|57014)$|^E(HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN)$/
const noPlaceLeft = '53300'

/** True when the same work may be done again, for this time nothing was done; a broken connection counts where doing it twice is `harmless`. */
export function isRetryable(error: unknown, { harmless }: { harmless: boolean }): boolean {
  const code = codeOf(error)
  return undone.has(code) || (harmless && broken.has(code))
}

/** True when the database is away or overloaded, and the same request may succeed in a while. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    (error instanceof Error && error.cause !== undefined && isUnavailable(error.cause)) ||
    undone.has(code) ||
    broken.has(code) ||
    passing.test(code) ||
    (error instanceof Error &&
      /timeout exceeded when trying to connect|Query read timeout|Connection terminated|connection error and is not queryable|^timeout expired$/.test(
        error.message,
      ))
  )
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  // A file that is missing is none of the database's, whose socket is a file too.
  const isOfFile = error.code === 'ENOENT' && !('syscall' in error && error.syscall === 'connect')
  return isOfFile ? '' : String(error.code)
}

type Open = { cut(): void }

/** Whether the database answers, as far as this process knows. While it does not, whoever asks is told so at once instead of waiting. */
export class Availability {
  readonly #open = new Set<Open>()
  readonly #waiting = new Set<(why: Error) => void>()
  #why: Error | null = null

  /** Cuts what is under way too: it would wait for longer than anybody who asked. */
  lost(error: unknown): void {
    if (!isUnavailable(error) || codeOf(error) === noPlaceLeft) return
    // Nothing was done for whoever hears this, as when nobody listens there.
    this.#why = Object.assign(new Error('The database does not answer', { cause: error }), { code: 'ECONNREFUSED' })
    for (const refuse of this.#waiting) refuse(this.#why)
    this.#waiting.clear()
    for (const one of this.#open) one.cut()
  }

  back(): void {
    this.#why = null
  }

  opened(one: Open): void {
    this.#open.add(one)
  }

  closed(one: Open): void {
    this.#open.delete(one)
  }

  /** What comes of `coming`, unless the database is lost before; then `late` gets what comes all the same. */
  async wait<T>(come: () => Promise<T>, late: (it: T) => void): Promise<T> {
    if (this.#why) throw this.#why
    const coming = come()
    const { promise: lost, reject: refuse } = Promise.withResolvers<never>()
    this.#waiting.add(refuse)
    try {
      return await Promise.race([coming, lost])
    } catch (error) {
      void coming.then(late, () => undefined)
      throw error
    } finally {
      this.#waiting.delete(refuse)
    }
  }
}
