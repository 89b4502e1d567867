import type { ServerResponse } from 'node:http'
import { isMember, type Viewer } from '#base/server/http/route.ts'

const maxUnsentBytes = 64 * 1024
// The subscription ends by then, and the browser reconnects with a fresh token where it left off.
const maxConnectionMs = 10 * 60_000
// A client that does not read keeps an ended response open.
const maxEndingMs = 5_000

/** The state of a channel. It is sent only if its id has changed. */
export type StreamUpdate = { id: string; data: object; seenBy(viewer: Viewer): boolean }

/** One event stream to one tab. */
export class Subscriber {
  readonly authorization: string | undefined
  readonly #response: ServerResponse
  readonly #until = performance.now() + maxConnectionMs
  #viewer: Viewer
  #lastId: string
  #again: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, viewer: Viewer, authorization: string | undefined, lastId: string) {
    this.authorization = authorization
    this.#response = response
    this.#viewer = viewer
    this.#lastId = lastId
  }

  get memberId(): string | null {
    return isMember(this.#viewer) ? this.#viewer.id : null
  }

  push(update: StreamUpdate | null): void {
    if (!update?.seenBy(this.#viewer)) return this.end()
    if (update.id === this.#lastId) return
    this.#lastId = update.id
    this.#send(`id: ${update.id}\ndata: ${JSON.stringify(update.data)}\n\n`)
  }

  sendHeartbeat(): void {
    if (performance.now() > this.#until) this.end()
    else this.#send(':\n\n')
  }

  setViewer(viewer: Viewer): void {
    this.#viewer = viewer
  }

  /** Calls `ask` after a while, unless the stream has ended or a later time is set. */
  askAfter(ms: number, ask: () => void): void {
    clearTimeout(this.#again)
    if (ms < maxConnectionMs) this.#again = setTimeout(() => this.#response.destroyed || ask(), ms).unref()
  }

  onEnd(ended: () => void): void {
    if (this.#response.destroyed) ended()
    else this.#response.on('close', ended)
  }

  /** `retryMs`: how long the client should wait before it reconnects. */
  end(retryMs: number | null = null): void {
    if (this.#response.writableEnded) return
    this.#response.end(retryMs === null ? '' : `retry: ${retryMs}\n\n`)
    setTimeout(() => this.#response.destroy(), maxEndingMs).unref()
  }

  // A client that does not read is disconnected; it reconnects and gets the state of then.
  #send(text: string): void {
    if (this.#response.writableEnded) return
    if (this.#response.writableLength > maxUnsentBytes) this.#response.destroy()
    else this.#response.write(text)
  }
}
