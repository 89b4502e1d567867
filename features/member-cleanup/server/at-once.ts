import type { Kind } from '#kind/contract.ts'

/** The number of posts per transaction, so that its locks are short. */
export const atOnce = 300

export type Named = { kind: Kind; id: string }

export function idsOf(posts: readonly Named[], kind: Kind): string[] {
  return posts.flatMap((post) => (post.kind === kind ? post.id : []))
}
