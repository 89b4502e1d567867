import type { Output } from '#base/contract.ts'
import type { conversation, MessageView } from '#message/contract.ts'

export type Conversation = Output<typeof conversation>
export type Loaded = Conversation & {
  /** There are later ones than those. */
  hasNewer: boolean
}

export function isLater(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other)
}

/** What is known, and what was read anew: whatever lies between the first and the last of that stands as it does there. */
export function merged(known: readonly MessageView[], anew: readonly MessageView[]): MessageView[] {
  const [first, last] = [anew[0], anew.at(-1)]
  if (!first || !last) return [...known]
  return [...known.filter(({ id }) => isLater(first.id, id)), ...anew, ...known.filter(({ id }) => isLater(id, last.id))]
}

const togetherMs = 5 * 60_000

type Sent = { isMine: boolean; sentAt: string }
export type Placed<One extends Sent> = {
  one: One
  /** The day begins with it. */
  isOfNewDay: boolean
  /** It does not follow at once upon another of the same member. */
  isFirst: boolean
  isLast: boolean
}

/** Where each stands among the others: by day, and those that were written in one go together. */
export function placed<One extends Sent>(all: readonly One[]): Placed<One>[] {
  return all.map((one, at) => {
    const [before, after] = [all[at - 1], all[at + 1]]
    return {
      one,
      isOfNewDay: !before || dayOf(before.sentAt) !== dayOf(one.sentAt),
      isFirst: !before || !areTogether(before, one),
      isLast: !after || !areTogether(one, after),
    }
  })
}

function areTogether(one: Sent, next: Sent): boolean {
  return (
    one.isMine === next.isMine &&
    dayOf(one.sentAt) === dayOf(next.sentAt) &&
    new Date(next.sentAt).getTime() - new Date(one.sentAt).getTime() < togetherMs
  )
}

/** The day in the reader's zone. */
export function dayOf(at: string): string {
  return new Date(at).toDateString()
}
