import type { ChildProcess } from 'node:child_process'
import { mergeMetrics, totalsOf } from '#apps/server/merge-metrics.ts'

// Between a supervisor and its workers. A worker that is asked at the port asks its supervisor, which asks all of them.
type Request = { metrics: 'all' | 'own'; id: number }
type Response = { metrics: 'text'; id: number; text: string }

const ownTimeoutMs = 2_000
const allTimeoutMs = 4_000

function isRequest(message: unknown, which: Request['metrics']): message is Request {
  return typeof message === 'object' && message !== null && 'metrics' in message && message.metrics === which
}

function isResponse(message: unknown, id: number): message is Response {
  return (
    typeof message === 'object' &&
    message !== null &&
    'metrics' in message &&
    message.metrics === 'text' &&
    'id' in message &&
    message.id === id
  )
}

/** The process at the other end. */
type Port = {
  on(event: string, listener: (message: unknown) => void): unknown
  off(event: string, listener: (message: unknown) => void): unknown
  send?(message: Request, sent: (error: Error | null) => void): boolean
}

/** The answer to a request over IPC; null if none comes in time. */
function ask(port: Port, request: Request, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const done = (text: string | null) => {
      clearTimeout(timer)
      port.off('message', hear)
      port.off('exit', gone)
      resolve(text)
    }
    const hear = (message: unknown) => void (isResponse(message, request.id) && done(message.text))
    const gone = () => done(null)
    const timer = setTimeout(gone, timeoutMs)
    port.on('message', hear)
    port.on('exit', gone)
    port.send?.(request, (error) => void (error && gone()))
  })
}

let requests = 0

/** In a worker: answers its supervisor with the metrics of this process. The returned function gives those of all processes. */
export function metricsOfAll(own: () => Promise<string>): () => Promise<string> {
  process.on('message', (message) => {
    if (!isRequest(message, 'own')) return
    void own().then((text) => process.send?.({ metrics: 'text', id: message.id, text } satisfies Response))
  })
  return async () => {
    const text = await ask(process, { metrics: 'all', id: ++requests }, allTimeoutMs)
    if (text === null) throw new Error('The other processes did not report their metrics in time')
    return text
  }
}

/** In the supervisor: collects the metrics of its workers for the one that is asked. */
export class WorkerMetrics {
  readonly #workers = new Map<number, ChildProcess>()
  /** Of each worker, as of the last request: a worker that ends, or is too busy, takes nothing from the sums. */
  readonly #last = new Map<number, string>()
  #ended = ''
  #collecting: Promise<string> | null = null

  /** Adds a worker; its number is that of one that has ended, if there is one. */
  add(worker: ChildProcess): void {
    const number = this.#freeNumber()
    this.#workers.set(number, worker)
    worker.on('message', (message) => void (isRequest(message, 'all') && this.#answer(worker, message)))
    worker.once('exit', () => {
      this.#workers.delete(number)
      this.#ended = totalsOf(this.#ended, this.#last.get(number) ?? '')
      this.#last.delete(number)
    })
  }

  #freeNumber(): number {
    let number = 1
    while (this.#workers.has(number)) number++
    return number
  }

  async #answer(worker: ChildProcess, { id }: Request): Promise<void> {
    this.#collecting ??= this.#collect().finally(() => (this.#collecting = null))
    const text = await this.#collecting
    if (worker.connected) worker.send({ metrics: 'text', id, text } satisfies Response, () => undefined)
  }

  async #collect(): Promise<string> {
    const answered = new Set<number>()
    await Promise.all(
      [...this.#workers].map(async ([number, worker]) => {
        const text = await ask(worker, { metrics: 'own', id: ++requests }, ownTimeoutMs)
        if (text === null || this.#workers.get(number) !== worker) return
        answered.add(number)
        this.#last.set(number, text)
      }),
    )
    const known = [...this.#last].toSorted(([one], [other]) => one - other)
    const silent = known.filter(([number]) => !answered.has(number)).map(([, text]) => text)
    return mergeMetrics(new Map(known.filter(([number]) => answered.has(number))), totalsOf(this.#ended, ...silent))
  }
}
