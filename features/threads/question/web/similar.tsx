import type { Api, Output } from '#base/contract.ts'
import { SimilarPosts } from '#base/web/similar-posts.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { threadPath } from '#kind/contract.ts'
import type { similarQuestions } from '#question/contract.ts'
import { QuestionMark } from '#topic/web/topic.tsx'

type SimilarView = Output<typeof similarQuestions>['questions'][number]

/** Similar questions with their answers, before the question is asked. */
export function SimilarQuestions({ title }: { title: string }) {
  const words = useWords('question')
  return (
    <SimilarPosts
      title={title}
      search={loadSimilar}
      heading={words('askedBefore')}
      renderMatch={(found) => <SimilarQuestion {...found} />}
    />
  )
}

async function loadSimilar(api: Api, title: string, signal: AbortSignal): Promise<SimilarView[]> {
  return (await api.read<typeof similarQuestions>('/question/similar', { title }, { silent: true, background: true, signal })).questions
}

function SimilarQuestion({ id, title, state, answerCount, best }: SimilarView) {
  const words = useWords('question')
  return (
    <>
      <QuestionMark state={state} />
      <Link to={threadPath(id, 'question')} target="_blank">
        {title}
      </Link>{' '}
      <span className="meta">{words('answerCount', { count: answerCount })}</span>
      {best && <p>{best}</p>}
    </>
  )
}
