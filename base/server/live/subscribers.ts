import type { ServerResponse } from 'node:http'
import { isMember, type Viewer } from '#base/server/http/route.ts'

const mostUnsent = 64 * 1024
// Whoever listens shows anew by then that they are who they were; the browser goes on where it left.
const longestMs = 10 * 60_000
const betweenLooksMs = 200
/** Where all channels of a sort are to be looked at, so many are at once: ten thousand are done within minutes, and the database has time for others. */
const atOnce = 10

/** The state of a channel. It is told again only when its id is another. */
export type StreamUpdate = { id: string; says: object; seenBy(viewer: Viewer): boolean }

/** One stream of events to one tab. */
export class Subscriber {
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

  push(news: StreamUpdate | null): void {
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

  // Who does not read is not waited for: they come again, and hear the state of then.
  #send(text: string): void {
    if (this.#response.writableLength > mostUnsent) this.#response.destroy()
    else this.#response.write(text)
  }
}

/** What happens under one cache tag, and those who listen to it. However many they are, one look at a time serves them all. */
export class Channel {
  readonly subscribers = new Set<Subscriber>()
  /** Those on their way in. */
  waiting = 0
  readonly #read: (viewer: Viewer) => Promise<StreamUpdate | null>
  /** As whom one looks: whoever of them came, or was asked about, last. */
  viewer: Viewer
  #reading: Promise<StreamUpdate | null> | null = null
  #isStale = false
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor({ read, viewer }: ChannelSource) {
    this.#read = read
    this.viewer = viewer
  }

  read(): Promise<StreamUpdate | null> {
    this.#reading ??= this.#read(this.viewer).finally(() => {
      this.#reading = null
      if (this.#isStale) this.scheduleRead()
    })
    return this.#reading
  }

  /** Looks again, soon but not all the time, and tells the subscribers. */
  scheduleRead(): void {
    this.#isStale = this.#reading !== null
    if (this.#isStale || this.#waiting) return
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
      void this.refresh()
    }, betweenLooksMs).unref()
  }

  /** Looks again, from now: a look that is under way may have begun before what is new. */
  async refresh(): Promise<void> {
    try {
      await this.#reading
      const news = await this.read()
      for (const subscriber of this.subscribers) subscriber.push(news)
    } catch {
      // The database is away. They come again, and say what they heard last.
      for (const subscriber of this.subscribers) subscriber.end()
    }
  }
}

/** A channel by its name, who would come in, and how one looks at its state as somebody there. */
type ChannelSource = { name: string; viewer: Viewer; read: (viewer: Viewer) => Promise<StreamUpdate | null> }

export type SubscriberRights = {
  authenticate(authorization: string | undefined): Promise<Viewer>
  /** Those who may see another thing now that these were invalidated: members by id, or everybody. */
  affectedBy(tags: readonly string[]): ReadonlySet<string> | 'everybody'
}

/** How a tag ends that concerns every channel of a sort: `inbox:*`. */
const everyone = ':*'

/** All subscribers, by channel. */
export class Subscribers {
  readonly #channels = new Map<string, Channel>()
  /** The sorts that are gone through now, and whether to begin again. */
  readonly #goingThrough = new Map<string, boolean>()
  readonly #asking: SubscriberRights

  constructor(asking: SubscriberRights) {
    this.#asking = asking
  }

  get size(): number {
    return this.#all().length
  }

  /** Looks at the state of a channel, and lets somebody in who may see that. */
  async admit(place: ChannelSource, enter: (news: StreamUpdate | null) => Subscriber): Promise<void> {
    const { name } = place
    const channel = this.#channels.get(name) ?? new Channel(place)
    channel.viewer = place.viewer
    this.#channels.set(name, channel)
    channel.waiting++
    try {
      const subscriber = enter(await channel.read())
      channel.subscribers.add(subscriber)
      subscriber.onEnd(() => {
        channel.subscribers.delete(subscriber)
        this.#closeIfEmpty(name, channel)
      })
    } finally {
      channel.waiting--
      this.#closeIfEmpty(name, channel)
    }
  }

  invalidated(tags: readonly string[] | '*'): void {
    const concerned = tags === '*' ? 'everybody' : this.#asking.affectedBy(tags)
    if (tags === '*' || concerned === 'everybody') return void this.#askAgain(() => true)
    if (concerned.size > 0) void this.#askAgain(({ memberId }) => memberId !== null && concerned.has(memberId))
    for (const tag of tags) {
      if (tag.endsWith(everyone)) void this.#goThrough(tag.slice(0, -1))
      else this.#channels.get(tag)?.scheduleRead()
    }
  }

  beat(): void {
    for (const subscriber of this.#all()) subscriber.beat()
  }

  endAll(): void {
    for (const subscriber of this.#all()) subscriber.end()
  }

  /** What these may see could be another thing now. One channel after another: nobody waits for this. */
  async #askAgain(concerned: (subscriber: Subscriber) => boolean): Promise<void> {
    for (const channel of this.#channels.values()) {
      const asked = [...channel.subscribers].filter(concerned)
      if (asked.length === 0) continue
      for (const subscriber of asked) channel.viewer = (await this.#ask(subscriber)) ?? channel.viewer
      await channel.refresh()
    }
  }

  async #ask(subscriber: Subscriber): Promise<Viewer | null> {
    try {
      const viewer = await this.#asking.authenticate(subscriber.authorization)
      subscriber.becomes(viewer)
      return viewer
    } catch {
      subscriber.end() // signed out, or nobody can say: the next call of theirs is told which
      return null
    }
  }

  /** Looks at every channel whose name begins so, a few at a time; asked again meanwhile, once more from the start. */
  async #goThrough(sort: string): Promise<void> {
    const isUnderWay = this.#goingThrough.has(sort)
    this.#goingThrough.set(sort, isUnderWay)
    if (isUnderWay) return
    const names = [...this.#channels.keys()].filter((name) => name.startsWith(sort))
    for (let from = 0; from < names.length; from += atOnce) {
      await Promise.all(names.slice(from, from + atOnce).flatMap((name) => this.#channels.get(name)?.refresh() ?? []))
      await new Promise((go) => setTimeout(go, betweenLooksMs).unref())
    }
    const isAskedAgain = this.#goingThrough.get(sort)
    this.#goingThrough.delete(sort)
    if (isAskedAgain) await this.#goThrough(sort)
  }

  #closeIfEmpty(name: string, channel: Channel): void {
    if (channel.subscribers.size === 0 && channel.waiting === 0 && this.#channels.get(name) === channel) this.#channels.delete(name)
  }

  #all(): Subscriber[] {
    return [...this.#channels.values()].flatMap((channel) => [...channel.subscribers])
  }
}
