import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { backoffMs } from '#base/web/listen.ts'
import { createStore } from '#base/web/store.ts'
import type { MessageView, send } from '#message/contract.ts'
import { all, change, drop, isOfOutbox, reload, msUntil, outgoing, sent, type Outgoing } from '#message/web/outbox.ts'
import { unread } from '#notification/web/notification.tsx'

/** The site is unreachable: messages wait until it answers. */
export const isOffline = createStore(false)

/** The seconds that a message waits by itself. */
const maxWaitSeconds = 15

let otherTabs: ((news: unknown) => void) | null = null

/** Sends the outbox: at once, when the connection is back, and on a new page. One tab at a time, in order. */
export function startOutbox(api: Api): void {
  if (otherTabs) return
  const channel = new BroadcastChannel('messages')
  otherTabs = channel.postMessage.bind(channel)
  channel.addEventListener('message', ({ data }) => isMine(data.of) && sent.set(data.sent))
  const out = createSender(api)
  const lookAndGo = () => {
    reload()
    out.go()
  }
  addEventListener('online', out.go)
  addEventListener('storage', ({ key }) => isOfOutbox(key) && lookAndGo())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookAndGo())
  // A new unread count shows that the connection works.
  unread.watch(out.go)
  member.watch(lookAndGo)
  outgoing.watch(out.go)
  lookAndGo()
}

/** Marks a message as delivered: it is shown, and not sent again. */
export function delivered(item: Outgoing, message: MessageView): void {
  showSent(item.userId, message)
  drop(item)
}

/** Shows the sent message, here and in the other tabs. */
export function showSent(userId: string, message: MessageView): void {
  const news = { userId, message }
  sent.set(news)
  otherTabs?.({ of: member.get()?.userId, sent: news })
}

function isMine(memberId: unknown): boolean {
  return memberId === member.get()?.userId
}

function createSender(api: Api): { go: () => void } {
  let isGoing = false
  let failures = 0
  let later: ReturnType<typeof setTimeout> | undefined

  function goLater(ms: number | null): void {
    clearTimeout(later)
    if (ms !== null) later = setTimeout(() => void go(), ms)
  }

  async function go(): Promise<void> {
    if (isGoing) return
    if (!next()) return goLater(msUntilNext())
    isGoing = true
    clearTimeout(later)
    try {
      await withLock(() => sendAll(api))
      failures = 0
      isOffline.set(false)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      isOffline.set(true)
      goLater(backoffMs(++failures))
    } finally {
      isGoing = false
    }
    // Sends a message that was written at the last moment.
    if (!isOffline.get()) void go()
  }
  return { go: () => void go() }
}

/** Holds a lock across tabs, so that no message overtakes an earlier one. */
function withLock(action: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(`outbox ${member.get()?.userId}`, action) : action()
}

/** The first message that can be sent; none overtakes one that waits for its time, or for a captcha. */
function next(): Outgoing | undefined {
  const waiting = all().filter(({ wrong }) => wrong === undefined)
  const blockedIds = new Set(waiting.flatMap((item) => (item.asksCaptcha || msUntil(item) > 0 ? item.userId : [])))
  return waiting.find(({ userId }) => !blockedIds.has(userId))
}

/** The time until the first of the waiting messages can be sent. */
function msUntilNext(): number | null {
  const times = all().flatMap((item) => (item.wrong === undefined && msUntil(item) > 0 ? msUntil(item) : []))
  return times.length > 0 ? Math.min(...times) : null
}

async function sendAll(api: Api): Promise<void> {
  for (let item = next(); item; item = next()) await sendOne(api, item)
}

async function sendOne(api: Api, item: Outgoing): Promise<void> {
  const { userId, body, key } = item
  try {
    const options = { silent: true, background: true, survives: true }
    const { message } = await api.write<typeof send>('/user/control/addPrivateMessage', { userId, body, key }, options)
    delivered(item, message)
  } catch (error) {
    handleFailure(item, error)
  }
}

/** A refused message stays with its reason. A short rate limit delays it; without an answer all messages wait. */
function handleFailure(item: Outgoing, error: unknown): void {
  if (error instanceof FieldErrors && error.seconds !== null) {
    const { seconds, message } = error
    return change({ ...item, ...(seconds <= maxWaitSeconds ? { goesAt: Date.now() + seconds * 1_000 } : { wrong: message }) })
  }
  if (error instanceof FieldErrors && error.fields['captcha']) return change({ ...item, asksCaptcha: true })
  if (error instanceof CallFailed && isFinal(error)) return change({ ...item, wrong: error.message })
  throw error
}

function isFinal({ status, message }: CallFailed): boolean {
  return message !== '' && status >= 400 && status !== 401 && status !== 429 && status < 502
}
