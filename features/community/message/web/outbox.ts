import { member } from '#account/web/account.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import { createStore } from '#base/web/store.ts'
import type { MessageView } from '#message/contract.ts'

/** A message that the site does not have yet. */
export type Outgoing = {
  /** The idempotency key, the same for every attempt. */
  key: string
  userId: string
  body: Doc
  at: number
  /** The reason of a refusal; the message stays until its author decides. */
  wrong?: string
  /** Written too soon, it is sent at this time. */
  goesAt?: number
  /** It is sent once its author has solved a captcha. */
  asksCaptcha?: boolean
}

/** The current member's unsent messages, in the order of writing. */
export const outgoing = createStore<readonly Outgoing[]>([])
/** The message that was just delivered: shown at once, here and in the other tabs. */
export const sent = createStore<{ userId: string; message: MessageView } | null>(null)

// Used where storage is unavailable, as long as the page lives.
const inMemory = new Map<string, Outgoing>()
const written = /^outbox (\d+) (\d+) ([0-9a-f-]{36})$/
let last = 0

/** Stores a message until the site has it. The times of one tab's messages increase. */
export function add(item: Omit<Outgoing, 'at'>): void {
  last = Math.max(Date.now(), last + 1)
  store({ ...item, at: last })
}

/** The wait of a message that was written too soon. A clock that is set back does not prolong it. */
export function msUntil({ goesAt }: Outgoing): number {
  const ms = (goesAt ?? 0) - Date.now()
  return ms > 0 && ms <= 20_000 ? ms : 0
}

/** Saves its present state, unless it was removed already. */
export function change(item: Outgoing): void {
  if (all().some(({ key }) => key === item.key)) store(item)
}

export function drop({ at, key }: Outgoing): void {
  inMemory.delete(`${member.get()?.userId} ${key}`)
  try {
    localStorage.removeItem(nameOf(at, key))
  } catch {
    // storage is unavailable, and holds nothing
  }
  reload()
}

/** Reads the stored messages anew: another tab may have added to them, or another member logged in. */
export function reload(): void {
  const now = all()
  if (JSON.stringify(now) !== JSON.stringify(outgoing.get())) outgoing.set(now)
}

/** All unsent messages of the current member, as all tabs store them. */
export function all(): Outgoing[] {
  const me = member.get()?.userId
  if (!me) return []
  return [...stored(me), ...[...inMemory].flatMap(([name, item]) => (name.startsWith(`${me} `) ? item : []))].sort(
    (one, other) => one.at - other.at || (one.key < other.key ? -1 : 1),
  )
}

export function isOfOutbox(name: string | null): boolean {
  return name === null || written.test(name)
}

function store(item: Outgoing): void {
  const { at, key, ...rest } = item
  try {
    localStorage.setItem(nameOf(at, key), JSON.stringify(rest))
  } catch {
    inMemory.set(`${member.get()?.userId} ${key}`, item)
  }
  reload()
}

// One entry per message, so that two tabs which write at once lose nothing of each other.
function nameOf(at: number, key: string): string {
  return `outbox ${member.get()?.userId} ${at} ${key}`
}

function stored(me: string): Outgoing[] {
  try {
    return Object.keys(localStorage).flatMap((name) => {
      const [, owner, at = '', key = ''] = written.exec(name) ?? []
      return owner === me ? read(localStorage.getItem(name), Number(at), key) : []
    })
  } catch {
    return [] // storage is unavailable
  }
}

function read(value: string | null, at: number, key: string): Outgoing[] {
  try {
    const { userId, body, wrong, goesAt, asksCaptcha } = JSON.parse(value ?? '')
    if (typeof userId !== 'string' || typeof body !== 'object') return []
    return [{ key, userId, body, at, ...(wrong && { wrong }), ...(goesAt && { goesAt }), ...(asksCaptcha && { asksCaptcha }) }]
  } catch {
    return [] // not readable, so not ours
  }
}
