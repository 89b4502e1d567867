import type { Followed } from '#apps/web/followed-threads.tsx'
import type { Question } from '#apps/web/screen.ts'
import type { freshCounts } from '#comment/reading-contract.ts'
import { freshNow } from '#comment/web/read-here.ts'
import type { followedThreads } from '#topic/contract.ts'

/** Whether the address asks for what is new where one follows. */
export function isFollowing(query: URLSearchParams): boolean {
  return query.get('following') === 'true'
}

/** That, where the address asks for it and there is a member who follows. */
export async function followedIn(
  { api, url: { searchParams: query }, isMember }: Question,
  onlyQuestions: boolean,
): Promise<Followed | null> {
  if (!isMember || !isFollowing(query)) return null
  const before = query.get('before')
  const followed = await api.read<typeof followedThreads>('/topic/followed', { onlyQuestions, ...(before && { before }) })
  const topicIds = followed.threads.map(({ topic }) => topic.id)
  const fresh = await api.read<typeof freshCounts>('/comment/fresh', { topicIds }, { silent: true })
  return { ...followed, fresh: fresh.topics.map(freshNow) }
}
