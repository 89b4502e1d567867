import { member } from '#account/web/account.tsx'
import type { Api } from '#base/contract.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import { waitAfter } from '#base/web/listen.ts'
import { storeOf } from '#base/web/store.ts'
import type { MessageView, send } from '#message/contract.ts'
import { all, change, drop, isOfOutbox, look, msUntil, outgoing, sent, type Outgoing } from '#message/web/outbox.ts'
import { unread } from '#notice/web/notice.tsx'

/** The site does not answer: what was written waits until it does. */
export const waits = storeOf(false)

/** So many seconds a message waits by itself. */
const longestWait = 15

let tellOthers: ((news: unknown) => void) | null = null

/** Sends what is written, and what could not be sent before: at once, when the line is back, and on a new page. One tab at a time, in order. */
export function startOutbox(api: Api): void {
  if (tellOthers) return
  const channel = new BroadcastChannel('messages')
  tellOthers = channel.postMessage.bind(channel)
  channel.addEventListener('message', ({ data }) => isMine(data.of) && sent.set(data.sent))
  const out = senderBy(api)
  const lookAndGo = () => {
    look()
    out.go()
  }
  addEventListener('online', out.go)
  addEventListener('storage', ({ key }) => isOfOutbox(key) && lookAndGo())
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookAndGo())
  // Whoever hears what is unread has a line.
  unread.watch(out.go)
  member.watch(lookAndGo)
  outgoing.watch(out.go)
  lookAndGo()
}

/** The site has it: it is shown, and not sent again. */
export function taken(item: Outgoing, message: MessageView): void {
  came(item.userId, message)
  drop(item)
}

/** Shows the sent message, here and in the other tabs. */
export function came(userId: string, message: MessageView): void {
  const news = { userId, message }
  sent.set(news)
  tellOthers?.({ of: member.get()?.userId, sent: news })
}

function isMine(memberId: unknown): boolean {
  return memberId === member.get()?.userId
}

function senderBy(api: Api): { go: () => void } {
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
      await alone(() => sendAll(api))
      failures = 0
      waits.set(false)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      waits.set(true)
      goLater(waitAfter(++failures))
    } finally {
      isGoing = false
    }
    // What was written at the last moment.
    if (!waits.get()) void go()
  }
  return { go: () => void go() }
}

/** One tab sends at a time, so that nothing overtakes what was written before. */
function alone(deed: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(`outbox ${member.get()?.userId}`, deed) : deed()
}

/** The first that may go; nothing overtakes what waits for its time, or for its writer to show to be a person. */
function next(): Outgoing | undefined {
  const waiting = all().filter(({ wrong }) => wrong === undefined)
  const held = new Set(waiting.flatMap((item) => (item.asksCaptcha || msUntil(item) > 0 ? item.userId : [])))
  return waiting.find(({ userId }) => !held.has(userId))
}

/** How long until the first of those goes that wait for their time. */
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
    taken(item, message)
  } catch (error) {
    refused(item, error)
  }
}

/** What is refused stays with its reason. Whoever writes quicker than they may waits where that is a moment; without an answer all waits. */
function refused(item: Outgoing, error: unknown): void {
  if (error instanceof FieldErrors && error.seconds !== null) {
    const { seconds, message } = error
    return change({ ...item, ...(seconds <= longestWait ? { goesAt: Date.now() + seconds * 1_000 } : { wrong: message }) })
  }
  if (error instanceof FieldErrors && error.fields['captcha']) return change({ ...item, asksCaptcha: true })
  if (error instanceof CallFailed && isFinal(error)) return change({ ...item, wrong: error.message })
  throw error
}

function isFinal({ status, message }: CallFailed): boolean {
  return message !== '' && status >= 400 && status !== 401 && status !== 429 && status < 502
}
