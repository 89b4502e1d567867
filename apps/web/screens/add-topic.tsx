import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { MembersOnly } from '#account/web/account.tsx'
import { Closed } from '#base/web/closed.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { onlyTags, type Tags } from '#tag/web/tag.tsx'
import { publishTopic } from '#topic/contract.ts'
import type { NewcomerView } from '#writing/contract.ts'
import { TopicForm } from '#topic/web/topic-form.tsx'
import { SimilarTopics } from '#topic/web/similar-topics.tsx'
import css from '#topic/web/topic-form.module.css'

export type AddTopicData = { tags: Tags; publishIn: string[]; mostTags: number; newcomer: NewcomerView }

export function Page() {
  const words = useWords('topic')
  const { open } = useSite()
  const { tags, publishIn, mostTags, newcomer } = useLoaderData<AddTopicData>()
  const [title, setTitle] = useState<string | null>(null)
  const [query] = useSearchParams()
  if (!open.topics) return <Closed>{words('closedPosting', { kind: 'topic' })}</Closed>
  return (
    <section
      className={`column ${css.page}`}
      onInput={({ target }) => target instanceof HTMLInputElement && target.name === 'title' && setTitle(target.value)}
    >
      <h1>{words('addTitle')}</h1>
      <MembersOnly why={words('loginToPost')}>
        <TopicForm
          sends={publishTopic}
          draftKey="topic"
          tags={{ tags: onlyTags(tags, publishIn), most: mostTags, first: query.getAll('tagId') }}
          newcomer={newcomer}
          action={words('publish')}
          renderBeside={(values) => <SimilarTopics title={title ?? values['title'] ?? ''} />}
        />
      </MembersOnly>
    </section>
  )
}
