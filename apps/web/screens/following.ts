import type { Followed } from '#apps/web/followed-threads.tsx'
import type { Question } from '#apps/web/screen.ts'
import type { freshCounts } from '#comment/reading-contract.ts'
import { withLocalPosition } from '#comment/web/local-read-positions.ts'
import type { ReadingView } from '#topic/contract.ts'
import type { followedThreads } from '#topic/followed-contract.ts'

/** Whether the query asks for the feed. */
export function isFollowing(query: URLSearchParams): boolean {
  return query.get('following') === 'true'
}

/** The feed, if it is requested by a member. */
export async function followedIn(question: Question, onlyQuestions: boolean): Promise<Followed | null> {
  const { api, url, isMember } = question
  const query = url.searchParams
  if (!isMember || !isFollowing(query)) return null
  const before = query.get('before')
  const followed = await api.read<typeof followedThreads>('/topic/followed', { onlyQuestions, ...(before && { before }) })
  const topics = followed.threads.map(({ topic }) => topic)
  return { ...followed, reading: await readingOf(question, topics) }
}

/** The member's reading state of these threads; empty for visitors. */
export async function readingOf(
  { api, isMember }: Pick<Question, 'api' | 'isMember'>,
  topics: readonly { id: string }[],
): Promise<ReadingView[]> {
  if (!isMember) return []
  const topicIds = topics.map(({ id }) => id)
  return (await api.read<typeof freshCounts>('/comment/fresh', { topicIds }, { silent: true })).topics.map(withLocalPosition)
}
