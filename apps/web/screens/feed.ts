import type { FeedData } from '#apps/web/feed-threads.tsx'
import type { LoaderArgs } from '#base/web/screen.ts'
import type { freshCounts } from '#comment/reading-contract.ts'
import { withLocalPosition } from '#comment/web/local-read-positions.ts'
import type { ReadingView } from '#topic/contract.ts'
import type { followedThreads } from '#topic/followed-contract.ts'

/** Whether the query asks for the feed. */
export function isFeedRequested(query: URLSearchParams): boolean {
  return query.get('following') === 'true'
}

/** The feed, if it is requested by a member. */
export async function loadFeed(args: LoaderArgs, onlyQuestions: boolean): Promise<FeedData | null> {
  const { api, url, isMember } = args
  const query = url.searchParams
  if (!isMember || !isFeedRequested(query)) return null
  const before = query.get('before')
  const followed = await api.read<typeof followedThreads>('/topic/followed', { onlyQuestions, ...(before && { before }) })
  const topics = followed.threads.map(({ topic }) => topic)
  return { ...followed, reading: await readingOf(args, topics) }
}

/** The member's reading state of these threads; empty for visitors. */
export async function readingOf(
  { api, isMember }: Pick<LoaderArgs, 'api' | 'isMember'>,
  topics: readonly { id: string }[],
): Promise<ReadingView[]> {
  if (!isMember) return []
  const topicIds = topics.map(({ id }) => id)
  return (await api.read<typeof freshCounts>('/comment/fresh', { topicIds }, { silent: true })).topics.map(withLocalPosition)
}
