import { useMemo } from 'react'
import { useLoaderData } from 'react-router'
import type { QuestionData } from '#apps/web/screens/question.data.ts'
import { ThreadPage } from '#apps/web/screens/thread.tsx'
import { useWords } from '#base/web/words.tsx'
import { AdoptAction, OfferContext, UnderQuestion } from '#question/web/question.tsx'

export function Page() {
  const { topic, question, own, offering, list } = useLoaderData<QuestionData>()
  const words = useWords('question')
  const offered = useMemo(
    () => (question.bounty?.state === 'open' ? { offer: question.bounty, answers: list.comments } : null),
    [question, list],
  )
  return (
    <OfferContext value={offered}>
      <ThreadPage
        below={<UnderQuestion topic={topic} question={question} own={own} offering={offering} />}
        desk={{ bestId: question.bestId, actionsFor: own?.mayAdopt ? AdoptAction : null }}
        titles={{ byAuthor: words('fromAsker'), similar: words('related') }}
      />
    </OfferContext>
  )
}
