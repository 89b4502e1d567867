import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { MembersOnly } from '#account/web/account.tsx'
import { Closed } from '#base/web/closed.tsx'
import { useWords } from '#base/web/words.tsx'
import { BountyFields } from '#bounty/web/bounty-fields.tsx'
import type { Offering } from '#bounty/web/bounty.tsx'
import { askQuestion } from '#question/contract.ts'
import { FurtherTags } from '#question/web/further-tags.tsx'
import { SimilarQuestions } from '#question/web/similar.tsx'
import { EnvelopeFields } from '#red-envelope/web/envelope-fields.tsx'
import type { Giving } from '#red-envelope/web/red-envelope.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { only, type Tags } from '#tag/web/tag.tsx'
import { TopicForm } from '#topic/web/topic-form.tsx'
import type { NewcomerView } from '#writing/contract.ts'

export type AddQuestionData = {
  tags: Tags
  askIn: string[]
  mostTags: number
  newcomer: NewcomerView
  offering: Offering | null
  giving: Giving | null
}

export function Page() {
  const [words, topicWords] = [useWords('question'), useWords('topic')]
  const { open } = useSite()
  const { tags, askIn, mostTags, newcomer, offering, giving } = useLoaderData<AddQuestionData>()
  const [title, setTitle] = useState<string | null>(null)
  const [tagId, setTagId] = useState('')
  const [query] = useSearchParams()
  if (!open.questions) return <Closed>{topicWords('closedPosting', { kind: 'question' })}</Closed>

  function typed({ target }: { target: EventTarget }): void {
    if (target instanceof HTMLInputElement && target.name === 'title') setTitle(target.value)
    if (target instanceof HTMLSelectElement && target.name === 'tagId') setTagId(target.value)
  }

  return (
    <section className="column" onInput={typed}>
      <h1>{words('addTitle')}</h1>
      <MembersOnly why={words('loginToAsk')}>
        <TopicForm
          kind="question"
          sends={askQuestion}
          draftKey="question"
          tags={only(tags, askIn)}
          newcomer={newcomer}
          deed={words('ask')}
          renderFurther={(kept) => (
            <FurtherTags
              tags={only(tags, askIn)}
              most={mostTags}
              first={kept['tagIds']?.split(' ')}
              chosen={tagId || kept['tagId'] || (query.get('tagId') ?? '')}
            />
          )}
          renderBeside={(kept) => (
            <>
              <SimilarQuestions title={title ?? kept['title'] ?? ''} />
              {offering && <BountyFields offering={offering} first={kept} />}
            </>
          )}
          renderAfter={(kept) => giving && <EnvelopeFields giving={giving} first={kept} />}
        />
      </MembersOnly>
    </section>
  )
}
