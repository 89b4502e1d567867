import type { Output } from '#base/contract.ts'
import type { conversation, MessageView } from '#message/contract.ts'

export type Conversation = Output<typeof conversation>
export type Loaded = Conversation & {
  /** Later messages follow these. */
  hasNewer: boolean
}

export function isLater(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other)
}

/** The known messages, with a newly read range in place of the same range. */
export function merged(known: readonly MessageView[], anew: readonly MessageView[]): MessageView[] {
  const [first, last] = [anew[0], anew.at(-1)]
  if (!first || !last) return [...known]
  return [...known.filter(({ id }) => isLater(first.id, id)), ...anew, ...known.filter(({ id }) => isLater(id, last.id))]
}

/**
 * The known messages, updated by the latest page: known ones that it lacks were deleted on another device, except those later than the last
 * one known at the time of the request.
 */
export function renewed(
  known: readonly MessageView[],
  latest: Pick<Conversation, 'messages' | 'hasMore'>,
  askedAt: string | null,
): MessageView[] {
  const [first] = latest.messages
  const older = first && latest.hasMore ? known.filter(({ id }) => isLater(first.id, id)) : []
  const read = new Set(latest.messages.map(({ id }) => id))
  const since = known.filter(({ id }) => !read.has(id) && (askedAt === null || isLater(id, askedAt)))
  return [...older, ...latest.messages, ...since]
}
