import type { ServerResponse } from 'node:http'
import { isMember, type Viewer } from '#base/server/route.ts'

const mostUnsent = 64 * 1024
// Whoever listens shows anew by then that they are who they were; the browser goes on where it left.
const longestMs = 10 * 60_000
const betweenLooksMs = 200

/** How things stand at a place. It is told again only when its id is another. */
export type News = { id: string; says: object; seenBy(viewer: Viewer): boolean }

/** One stream of events to one tab. */
export class Listener {
  readonly authorization: string | undefined
  readonly #response: ServerResponse
  readonly #until = performance.now() + longestMs
  #viewer: Viewer
  #lastId: string

  constructor(response: ServerResponse, viewer: Viewer, authorization: string | undefined, lastId: string) {
    this.authorization = authorization
    this.#response = response
    this.#viewer = viewer
    this.#lastId = lastId
  }

  get memberId(): string | null {
    return isMember(this.#viewer) ? this.#viewer.id : null
  }

  hear(news: News | null): void {
    if (!news?.seenBy(this.#viewer)) return this.end()
    if (news.id === this.#lastId) return
    this.#lastId = news.id
    this.#send(`id: ${news.id}\ndata: ${JSON.stringify(news.says)}\n\n`)
  }

  beat(): void {
    if (performance.now() > this.#until) this.end()
    else this.#send(':\n\n')
  }

  becomes(viewer: Viewer): void {
    this.#viewer = viewer
  }

  onEnd(ended: () => void): void {
    if (this.#response.destroyed) ended()
    else this.#response.on('close', ended)
  }

  end(): void {
    this.#response.end()
  }

  // Who does not read is not waited for: they come again, and hear how things stand then.
  #send(text: string): void {
    if (this.#response.writableLength > mostUnsent) this.#response.destroy()
    else this.#response.write(text)
  }
}

/** Where something happens, and those who listen there. However many they are, one look at a time serves them all. */
export class Place {
  readonly listeners = new Set<Listener>()
  /** Those on their way in. */
  waiting = 0
  readonly #look: () => Promise<News | null>
  #looking: Promise<News | null> | null = null
  #isStale = false
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(look: () => Promise<News | null>) {
    this.#look = look
  }

  look(): Promise<News | null> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
      if (this.#isStale) this.lookSoon()
    })
    return this.#looking
  }

  /** Looks again, soon but not all the time, and tells those who listen. */
  lookSoon(): void {
    this.#isStale = this.#looking !== null
    if (this.#isStale || this.#waiting) return
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
      void this.renew()
    }, betweenLooksMs).unref()
  }

  async renew(): Promise<void> {
    try {
      const news = await this.look()
      for (const listener of this.listeners) listener.hear(news)
    } catch {
      // The database is away. They come again, and say what they heard last.
      for (const listener of this.listeners) listener.end()
    }
  }
}

export type Asking = {
  whoIs(authorization: string | undefined): Promise<Viewer>
  /** Those who may see another thing now that these were invalidated: members by id, or everybody. */
  concerned(tags: readonly string[]): ReadonlySet<string> | 'everybody'
}

/** All who listen, by place. */
export class Listeners {
  readonly #places = new Map<string, Place>()
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  get size(): number {
    return this.#all().length
  }

  /** Looks how things stand at a place, and lets somebody in who may see that. */
  async admit(name: string, look: () => Promise<News | null>, enter: (news: News | null) => Listener): Promise<void> {
    const place = this.#places.get(name) ?? new Place(look)
    this.#places.set(name, place)
    place.waiting++
    try {
      const listener = enter(await place.look())
      place.listeners.add(listener)
      listener.onEnd(() => {
        place.listeners.delete(listener)
        this.#closeIfEmpty(name, place)
      })
    } finally {
      place.waiting--
      this.#closeIfEmpty(name, place)
    }
  }

  invalidated(tags: readonly string[] | '*'): void {
    const concerned = tags === '*' ? 'everybody' : this.#asking.concerned(tags)
    if (tags === '*' || concerned === 'everybody') return void this.#askAgain(() => true)
    if (concerned.size > 0) void this.#askAgain(({ memberId }) => memberId !== null && concerned.has(memberId))
    for (const tag of tags) this.#places.get(tag)?.lookSoon()
  }

  beat(): void {
    for (const listener of this.#all()) listener.beat()
  }

  endAll(): void {
    for (const listener of this.#all()) listener.end()
  }

  /** What these may see could be another thing now. One place after another: nobody waits for this. */
  async #askAgain(concerned: (listener: Listener) => boolean): Promise<void> {
    for (const place of this.#places.values()) {
      const asked = [...place.listeners].filter(concerned)
      if (asked.length === 0) continue
      for (const listener of asked) await this.#ask(listener)
      await place.renew()
    }
  }

  async #ask(listener: Listener): Promise<void> {
    try {
      listener.becomes(await this.#asking.whoIs(listener.authorization))
    } catch {
      listener.end() // signed out, or nobody can say: the next call of theirs is told which
    }
  }

  #closeIfEmpty(name: string, place: Place): void {
    if (place.listeners.size === 0 && place.waiting === 0 && this.#places.get(name) === place) this.#places.delete(name)
  }

  #all(): Listener[] {
    return [...this.#places.values()].flatMap((place) => [...place.listeners])
  }
}
