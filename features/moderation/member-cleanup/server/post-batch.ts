import type { Kind } from '#kind/contract.ts'

/** The number of posts per transaction, so that its locks are short. */
export const postsPerTransaction = 300

export type PostRef = { kind: Kind; id: string }

export function idsOf(posts: readonly PostRef[], kind: Kind): string[] {
  return posts.flatMap((post) => (post.kind === kind ? post.id : []))
}
