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

/**
 * What is known, as the latest that was read anew has it: what that lacks was deleted on another device, but for what came after the last that was
 * known when it was asked for.
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
