import type { Kind } from '#kind/contract.ts'

/** How many posts go in one transaction, so that nobody waits long for what it locks. */
export const atOnce = 300

export type Named = { kind: Kind; id: string }

export function idsOf(posts: readonly Named[], kind: Kind): string[] {
  return posts.flatMap((post) => (post.kind === kind ? post.id : []))
}
