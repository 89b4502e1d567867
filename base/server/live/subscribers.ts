import type { Viewer } from '#base/server/http/route.ts'
import type { StreamUpdate, Subscriber } from '#base/server/live/subscriber.ts'

const readIntervalMs = 200
// A timer may fire a little before the database's clock is there.
const clockMarginMs = 50
/** The number of channels read at once when a wildcard is invalidated: ten thousand take minutes, and the database has time for others. */
const readBatchSize = 10

/** The subscribers of one cache tag. However many they are, one read at a time serves them all. */
export class Channel {
  readonly subscribers = new Set<Subscriber>()
  /** Subscribers being admitted. */
  waiting = 0
  readonly #read: (viewer: Viewer) => Promise<StreamUpdate | null>
  /** The viewer for reads: the subscriber admitted or reauthenticated last. */
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

  /** Reads again soon, throttled, and sends the update. */
  scheduleRead(): void {
    this.#isStale = this.#reading !== null
    if (this.#isStale || this.#waiting) return
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined
      void this.refresh()
    }, readIntervalMs).unref()
  }

  /** Reads again after any read in progress, which may have begun before the change. */
  async refresh(): Promise<void> {
    try {
      await this.#reading
      const update = await this.read()
      for (const subscriber of this.subscribers) subscriber.push(update)
    } catch {
      // The database is unavailable. Clients reconnect with the id of their last event.
      for (const subscriber of this.subscribers) subscriber.end()
    }
  }
}

/** A channel's name, a new subscriber's viewer, and the function that reads its state as a viewer. */
type ChannelSource = { name: string; viewer: Viewer; read: (viewer: Viewer) => Promise<StreamUpdate | null> }

/** `since`: the number of changes of rights before the subscriber was authenticated. */
type Admission = ChannelSource & { since: number }

/** The subscriber, and how long their rights can only change by an invalidation: roles and tokens end by the clock. Null: for good. */
export type AuthenticatedViewer = { viewer: Viewer; sureForMs: number | null }

export type SubscriberRights = {
  authenticate(authorization: string | undefined): Promise<AuthenticatedViewer>
  /** Members whose visibility may have changed with these invalidations, by id, or everybody. */
  affectedBy(tags: readonly string[]): ReadonlySet<string> | 'everybody'
}

/** The suffix of a tag for every channel of a kind: `inbox:*`. */
const wildcard = ':*'

/** All subscribers, by channel. */
export class Subscribers {
  readonly #channels = new Map<string, Channel>()
  /** Kinds being read through now, and whether to start again afterwards. */
  readonly #goingThrough = new Map<string, boolean>()
  readonly #asking: SubscriberRights
  rightsChanges = 0

  constructor(rights: SubscriberRights) {
    this.#asking = rights
  }

  get size(): number {
    return this.#all().length
  }

  /** Reads the state of a channel, and adds the subscriber if it may see that. */
  async admit(source: Admission, enter: (update: StreamUpdate | null) => Subscriber): Promise<void> {
    const { name } = source
    const channel = this.#channels.get(name) ?? new Channel(source)
    channel.viewer = source.viewer
    this.#channels.set(name, channel)
    channel.waiting++
    try {
      const subscriber = enter(await channel.read())
      channel.subscribers.add(subscriber)
      if (this.rightsChanges !== source.since) void this.#askAgain((other) => other === subscriber)
      subscriber.onEnd(() => {
        channel.subscribers.delete(subscriber)
        this.#closeIfEmpty(name, channel)
      })
    } finally {
      channel.waiting--
      this.#closeIfEmpty(name, channel)
    }
  }

  /** Asks for the rights of a subscriber again when they may have ended by the clock. */
  askAgainAfter(subscriber: Subscriber, sureForMs: number | null): void {
    if (sureForMs === null) return
    subscriber.askAfter(Math.max(0, sureForMs) + clockMarginMs, () => void this.#askAgain((other) => other === subscriber))
  }

  invalidated(tags: readonly string[] | '*'): void {
    const affected = tags === '*' ? 'everybody' : this.#asking.affectedBy(tags)
    if (affected === 'everybody' || affected.size > 0) this.rightsChanges++
    if (tags === '*' || affected === 'everybody') return void this.#askAgain(() => true)
    if (affected.size > 0) void this.#askAgain(({ memberId }) => memberId !== null && affected.has(memberId))
    for (const tag of tags) {
      if (tag.endsWith(wildcard)) void this.#goThrough(tag.slice(0, -1))
      else this.#channels.get(tag)?.scheduleRead()
    }
  }

  sendHeartbeats(): void {
    for (const subscriber of this.#all()) subscriber.sendHeartbeat()
  }

  endAll(): void {
    for (const subscriber of this.#all()) subscriber.end()
  }

  /** Their visibility may have changed. Channels are read one after another, in the background. */
  async #askAgain(affected: (subscriber: Subscriber) => boolean): Promise<void> {
    for (const channel of this.#channels.values()) {
      const changed = [...channel.subscribers].filter(affected)
      if (changed.length === 0) continue
      for (const subscriber of changed) channel.viewer = (await this.#ask(subscriber)) ?? channel.viewer
      await channel.refresh()
    }
  }

  async #ask(subscriber: Subscriber): Promise<Viewer | null> {
    try {
      const { viewer, sureForMs } = await this.#asking.authenticate(subscriber.authorization)
      subscriber.setViewer(viewer)
      this.askAgainAfter(subscriber, sureForMs)
      return viewer
    } catch {
      subscriber.end() // signed out, or unknown: the client's next call tells
      return null
    }
  }

  /** Reads every channel with this prefix, a few at a time, and once more from the start if it was invalidated meanwhile. */
  async #goThrough(sort: string): Promise<void> {
    const isUnderWay = this.#goingThrough.has(sort)
    this.#goingThrough.set(sort, isUnderWay)
    if (isUnderWay) return
    const names = [...this.#channels.keys()].filter((name) => name.startsWith(sort))
    for (let from = 0; from < names.length; from += readBatchSize) {
      await Promise.all(names.slice(from, from + readBatchSize).flatMap((name) => this.#channels.get(name)?.refresh() ?? []))
      await new Promise((go) => setTimeout(go, readIntervalMs).unref())
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
