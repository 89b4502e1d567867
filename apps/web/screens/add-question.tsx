import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { MembersOnly } from '#account/web/account.tsx'
import { Closed } from '#base/web/closed.tsx'
import { useWords } from '#base/web/words.tsx'
import { askQuestion } from '#question/contract.ts'
import { SimilarQuestions } from '#question/web/similar.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { onlyTags, type Tags } from '#tag/web/tag.tsx'
import { TopicForm } from '#topic/web/topic-form.tsx'
import type { NewcomerView } from '#writing/contract.ts'

export type AddQuestionData = {
  tags: Tags
  askIn: string[]
  mostTags: number
  newcomer: NewcomerView
}

export function Page() {
  const [words, topicWords] = [useWords('question'), useWords('topic')]
  const { open } = useSite()
  const { tags, askIn, mostTags, newcomer } = useLoaderData<AddQuestionData>()
  const [title, setTitle] = useState<string | null>(null)
  const [query] = useSearchParams()
  if (!open.questions) return <Closed>{topicWords('closedPosting', { kind: 'question' })}</Closed>

  function onInput({ target }: { target: EventTarget }): void {
    if (target instanceof HTMLInputElement && target.name === 'title') setTitle(target.value)
  }

  return (
    <section className="column" onInput={onInput}>
      <h1>{words('addTitle')}</h1>
      <MembersOnly why={words('loginToAsk')}>
        <TopicForm
          kind="question"
          sends={askQuestion}
          draftKey="question"
          tags={{ tags: onlyTags(tags, askIn), most: mostTags, first: query.getAll('tagId') }}
          newcomer={newcomer}
          action={words('ask')}
          renderBeside={(values) => <SimilarQuestions title={title ?? values['title'] ?? ''} />}
        />
      </MembersOnly>
    </section>
  )
}
