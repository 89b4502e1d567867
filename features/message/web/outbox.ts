import { member } from '#account/web/account.tsx'
import type { Doc } from '#base/rich-text/document.ts'
import { storeOf } from '#base/web/store.ts'
import type { MessageView } from '#message/contract.ts'

/** A message that the site does not have yet. */
export type Outgoing = {
  /** By which the site knows it again, however often it is sent. */
  key: string
  userId: string
  body: Doc
  at: number
  /** Why it was refused; it stays until its writer has decided. */
  wrong?: string
  /** It was written too soon, and goes at this time. */
  goesAt?: number
  /** It goes once its writer has shown to be a person. */
  asksCaptcha?: boolean
}

/** What the member who is here has written and the site does not have, in the order it was written. */
export const outgoing = storeOf<readonly Outgoing[]>([])
/** What the site has taken: shown at once, here and in the other tabs. */
export const sent = storeOf<{ userId: string; message: MessageView } | null>(null)

// Where the browser keeps nothing it stays here, as long as the page.
const unkept = new Map<string, Outgoing>()
const written = /^outbox (\d+) (\d+) ([0-9a-f-]{36})$/
let last = 0

/** Keeps a message until the site has it. What this tab writes later stands later. */
export function put(item: Omit<Outgoing, 'at'>): void {
  last = Math.max(Date.now(), last + 1)
  keep({ ...item, at: last })
}

/** How long until it goes, where it was written too soon. No clock that is set back makes that longer. */
export function msUntil({ goesAt }: Outgoing): number {
  const ms = (goesAt ?? 0) - Date.now()
  return ms > 0 && ms <= 20_000 ? ms : 0
}

/** Keeps it as it stands now, unless it is gone already. */
export function change(item: Outgoing): void {
  if (all().some(({ key }) => key === item.key)) keep(item)
}

export function drop({ at, key }: Outgoing): void {
  unkept.delete(`${member.get()?.userId} ${key}`)
  try {
    localStorage.removeItem(nameOf(at, key))
  } catch {
    // storage is closed to us, and has nothing
  }
  look()
}

/** Reads anew what is kept: another tab may have added to it, or another member come. */
export function look(): void {
  const now = all()
  if (JSON.stringify(now) !== JSON.stringify(outgoing.get())) outgoing.set(now)
}

/** All that the member who is here has not sent yet, as all tabs keep it. */
export function all(): Outgoing[] {
  const me = member.get()?.userId
  if (!me) return []
  return [...stored(me), ...[...unkept].flatMap(([name, item]) => (name.startsWith(`${me} `) ? item : []))].sort(
    (one, other) => one.at - other.at || (one.key < other.key ? -1 : 1),
  )
}

export function isOfOutbox(name: string | null): boolean {
  return name === null || written.test(name)
}

function keep(item: Outgoing): void {
  const { at, key, ...rest } = item
  try {
    localStorage.setItem(nameOf(at, key), JSON.stringify(rest))
  } catch {
    unkept.set(`${member.get()?.userId} ${key}`, item)
  }
  look()
}

// Each in a place of its own, so that two tabs which write at once lose nothing of each other.
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
    return [] // storage is closed to us
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
