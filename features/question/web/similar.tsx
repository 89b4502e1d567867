import { useEffect, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { similarQuestions } from '#question/contract.ts'
import { QuestionMark } from '#topic/web/topic.tsx'
import css from '#question/web/question.module.css'

type Similar = Output<typeof similarQuestions>['questions']

const restMs = 400
const shortest = 4

/** Questions that ask what is being asked, so that nobody waits for an answer that is there. */
export function SimilarQuestions({ title }: { title: string }) {
  const api = useApi()
  const words = useWords('question')
  const [found, setFound] = useState<Similar>([])
  const asked = title.trim()
  useEffect(() => {
    const control = new AbortController()
    const asking = setTimeout(() => {
      if (asked.length < shortest) return setFound([])
      api
        .read<typeof similarQuestions>('/question/similar', { title: asked }, { silent: true, background: true, signal: control.signal })
        .then(({ questions }) => setFound(questions))
        .catch((error: unknown) => control.signal.aborted || console.info('Nothing like it could be looked for', error))
    }, restMs)
    return () => {
      clearTimeout(asking)
      control.abort()
    }
  }, [api, asked])
  return (
    <div aria-live="polite">
      {found.length > 0 && (
        <section className={css.similar}>
          <h2>{words('askedBefore')}</h2>
          <ul>
            {found.map(({ id, title: its, state, answerCount, best }) => (
              <li key={id}>
                <QuestionMark state={state} />
                <Link to={threadPath(id, 'question')} target="_blank">
                  {its}
                </Link>{' '}
                <span className="meta">{words('answerCount', { count: answerCount })}</span>
                {best && <p>{best}</p>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
