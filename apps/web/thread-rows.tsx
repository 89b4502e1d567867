import { Memoized } from '#base/web/memoized.tsx'
import { useUnmuted } from '#follow/web/follow-state.ts'
import type { TagList } from '#tag/web/tag.tsx'
import type { ReadingView, TopicCardView } from '#topic/contract.ts'
import { TopicRow, type RowProps } from '#topic/web/topic.tsx'

type Props = {
  threads: readonly RowProps['topic'][]
  /** The member's reading state of each. */
  reading: readonly ReadingView[]
  tagId: TopicCardView['place']['id'] | undefined
  list?: TagList
}

/** A page of threads, without those the member muted. */
export function ThreadRows({ threads, reading, tagId, list }: Props) {
  return useUnmuted(threads, tagId).map((thread) => (
    <Memoized key={thread.id} by={() => ['row', thread, list, tagId]}>
      <TopicRow topic={thread} list={list} reading={reading.find(({ topicId }) => topicId === thread.id)} />
    </Memoized>
  ))
}
