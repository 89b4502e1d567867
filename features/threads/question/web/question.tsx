import { createContext, useContext, useState } from 'react'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Segments } from '#base/web/html.tsx'
import { useLater } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { OfferView } from '#bounty/contract.ts'
import { Bounty, type Offering } from '#bounty/web/bounty.tsx'
import type { CommentView } from '#comment/contract.ts'
import { useThread } from '#comment/web/comment.tsx'
import type { adoptAnswer, closeQuestion, myQuestion, question, restoreQuestion } from '#question/contract.ts'
import { useMember } from '#account/web/account.tsx'
import { TagLink } from '#tag/web/tag.tsx'
import type { thread } from '#topic/contract.ts'
import { QuestionMark } from '#topic/web/topic.tsx'
import css from '#question/web/question.module.css'

type Question = Output<typeof question>
type MyQuestion = Output<typeof myQuestion>
type Topic = Pick<Output<typeof thread>, 'id' | 'takesComments'>

/** The part below the text of a question: state, tags and the actions of its asker. */
export function UnderQuestion({
  topic,
  question: { state, tags, bounty },
  own,
  offering,
}: {
  topic: Topic
  question: Question
  own: MyQuestion | null
  offering: Offering | null
}) {
  return (
    <>
      {state === 'withdrawn' && <Withdrawn questionId={topic.id} words={own?.withdrawn ?? null} />}
      {bounty && <Bounty questionId={topic.id} bounty={bounty} offering={offering} />}
      <p className={css.tags}>
        <QuestionMark state={state} />
        {tags.map((place) => (
          <TagLink key={place.id} place={place} list="/askList" />
        ))}
      </p>
      {own?.isAsker && <AskersActions topic={topic} own={own} />}
    </>
  )
}

/** The note on a withdrawn question with answers. Only the asker sees its former content and can restore it. */
function Withdrawn({ questionId, words: text }: { questionId: string; words: MyQuestion['withdrawn'] }) {
  const words = useWords('question')
  const restore = useAction<typeof restoreQuestion>('/question/restore')
  return (
    <>
      <p className="note">{words('withdrawn')}</p>
      {text && (
        <section className={css.postscript} aria-label={words('yourWords')}>
          <p className="meta">{words('yourWords')}</p>
          <Segments segments={text} />
          <button
            type="button"
            className="button quiet"
            disabled={restore.isBusy}
            onClick={() => void restore.run({ questionId }, { message: words('restored') })}
          >
            {words('restore')}
          </button>
        </section>
      )}
    </>
  )
}

function AskersActions({ topic: { id: questionId, takesComments }, own }: { topic: Topic; own: MyQuestion }) {
  const words = useWords('question')
  const [isAdding, setAdding] = useState(false)
  const closing = useAction<typeof closeQuestion>('/question/close')
  const form = useLater(
    () => import('#question/web/postscript-form.tsx'),
    isAdding,
    () => setAdding(false),
  )

  async function close(): Promise<void> {
    if (takesComments && !(await confirm(words('closeAsk'), words('close'), 'gives'))) return
    await closing.run({ questionId, isClosed: takesComments }, { message: words(takesComments ? 'closedNow' : 'openNow') })
  }

  return (
    <>
      <p className={css.actions}>
        {own.mayAdd && (
          <button type="button" className="plain" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            {words('addPostscript')}
          </button>
        )}
        {own.mayClose && (
          <button type="button" className="plain" disabled={closing.isBusy} onClick={() => void close()}>
            {words(takesComments ? 'close' : 'reopen')}
          </button>
        )}
      </p>
      {isAdding && form && <form.PostscriptForm questionId={questionId} close={() => setAdding(false)} />}
    </>
  )
}

/** The bounty for the answer that is accepted next, with the answers that may share it; null without a bounty. */
export const OfferContext = createContext<{ offer: OfferView; answers: readonly CommentView[] } | null>(null)

/** The asker's button to accept an answer, or to end that. */
export function AdoptAction({ comment }: { comment: CommentView }) {
  const words = useWords('question')
  const me = useMember()
  const { topic, bestId } = useThread()
  const offered = useContext(OfferContext)
  const [isPaying, setPaying] = useState(false)
  const dialog = useLater(
    () => import('#question/web/adopt-dialog.tsx'),
    isPaying,
    () => setPaying(false),
  )
  const { isBusy, run } = useAction<typeof adoptAnswer>('/question/adopt')
  const questionId = topic.id
  const isBest = bestId === comment.id
  if (!comment.author || comment.author.id === me?.userId) return null

  async function adopt(): Promise<void> {
    if (offered && !isBest) return setPaying(true)
    await (isBest
      ? run({ questionId }, { message: words('unadopted') })
      : run({ questionId, commentId: comment.id }, { message: words('adopted') }))
  }

  return (
    <>
      <button type="button" className="plain" data-action="adopt" disabled={isBusy} onClick={() => void adopt()}>
        {words(isBest ? 'unadopt' : 'adopt')}
      </button>
      {offered && isPaying && dialog && (
        <dialog.AdoptDialog
          questionId={questionId}
          commentId={comment.id}
          offer={offered.offer}
          others={offered.answers.filter(({ id, author }) => id !== comment.id && author && author.id !== me?.userId)}
          close={() => setPaying(false)}
        />
      )}
    </>
  )
}
