import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useApi } from '#base/web/api.ts'
import { focusNext } from '#base/web/focus-later.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { useWords } from '#base/web/words.tsx'
import { useUnmuted } from '#follow/web/follow-state.ts'
import type { NewTopicView, topicNews } from '#topic/news-contract.ts'
import css from '#apps/web/list-head.module.css'

/** The current list, if new topics appear at its top. */
export type CurrentList = {
  threads: readonly { id: string; isPinned: boolean; publishedAt: string; lastReplyAt: string | null }[]
  /** The list has one page. */
  isWhole: boolean
  sort: 'reply' | 'new'
  onlyQuestions: boolean
}

// The maximum of the stream; further ones are not counted.
const maxCounted = 20

/** The number of topics since the list was loaded; a click inserts them. It overlaps the edge of the tabs, so that nothing moves. */
export function NewTopics({ of: list, tagId }: { of: CurrentList; tagId: string | undefined }) {
  const words = useWords('topic')
  const { revalidate, state } = useRevalidator()
  const count = useUnmuted(newAmong(useNewest(tagId), list), tagId).length

  async function show(): Promise<void> {
    await revalidate()
    focusNext('main article h2 a')
  }

  return (
    <div role="status" className={css.news}>
      {count > 0 && (
        <button type="button" disabled={state === 'loading'} onClick={() => void show()}>
          {words(list.onlyQuestions ? 'newQuestions' : 'newTopics', {
            count,
            shown: count < maxCounted ? String(count) : `${maxCounted}+`,
          })}
        </button>
      )}
    </div>
  )
}

function useNewest(tagId: string | undefined): readonly NewTopicView[] {
  const api = useApi()
  const [newest, setNewest] = useState<{ of: string | undefined; topics: NewTopicView[] }>({ of: tagId, topics: [] })
  useEffect(() => {
    const left = new AbortController()
    let known = ''
    listenThroughLeader<typeof topicNews>(api, '/topic/news', `topics ${tagId ?? ''}`, {
      input: tagId ? { tagId } : {},
      lastId: () => known,
      onUpdate({ topics }) {
        known = topics.map(({ id }) => id).join('-')
        setNewest({ of: tagId, topics })
      },
      signal: left.signal,
    }).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, tagId])
  return newest.of === tagId ? newest.topics : []
}

// A topic older than the last row was on a later page when the list was loaded.
function newAmong(newest: readonly NewTopicView[], { threads, isWhole, sort, onlyQuestions }: CurrentList): NewTopicView[] {
  const ids = new Set(threads.map(({ id }) => id))
  const last = threads.findLast(({ isPinned }) => !isPinned)
  const from = isWhole || !last ? '' : (sort === 'reply' && last.lastReplyAt) || last.publishedAt
  return newest.filter(({ id, kind, publishedAt }) => !ids.has(id) && publishedAt > from && (!onlyQuestions || kind === 'question'))
}
