const groupMs = 5 * 60_000

type Sent = { isMine: boolean; sentAt: string }
export type GroupedMessage<One extends Sent> = {
  one: One
  /** The first of its day. */
  isOfNewDay: boolean
  /** It does not follow closely upon another of the same member. */
  isFirst: boolean
  isLast: boolean
}

/** The messages with their grouping: by day, and by author. */
export function grouped<One extends Sent>(all: readonly One[]): GroupedMessage<One>[] {
  return all.map((one, at) => {
    const [before, after] = [all[at - 1], all[at + 1]]
    return {
      one,
      isOfNewDay: !before || dayOf(before.sentAt) !== dayOf(one.sentAt),
      isFirst: !before || !isSameGroup(before, one),
      isLast: !after || !isSameGroup(one, after),
    }
  })
}

function isSameGroup(one: Sent, next: Sent): boolean {
  return (
    one.isMine === next.isMine &&
    dayOf(one.sentAt) === dayOf(next.sentAt) &&
    new Date(next.sentAt).getTime() - new Date(one.sentAt).getTime() < groupMs
  )
}

export function dayOf(at: string): string {
  return new Date(at).toDateString()
}
