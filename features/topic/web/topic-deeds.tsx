import { useState } from 'react'
import { useNavigate } from 'react-router'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { useMember } from '#account/web/account.tsx'
import { useLater } from '#base/web/later.ts'
import { Link } from '#base/web/link.tsx'
import { ReportButton } from '#post/web/post.tsx'
import { useWords } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import type { removeTopic } from '#topic/contract.ts'
import { editPath } from '#topic/web/topic.tsx'

type Topic = { id: string; kind: ThreadKind; author: { id: string } }

/** What members may do with a topic. Visitors never load it. */
export function TopicDeeds({ topic, can }: { topic: Topic; can: { edit: boolean; remove: boolean } }) {
  const words = useWords('topic')
  const go = useNavigate()
  const me = useMember()
  const { open } = useSite()
  const topicId = topic.id
  const removal = useDeed<typeof removeTopic>('/topic/remove')
  const isAnothers = me !== null && me.userId !== topic.author.id
  const [isAsked, ask] = useState(false)
  const asked = useLater(
    () => import('#topic/web/topic-removal.tsx'),
    isAsked,
    () => ask(false),
  )

  async function remove(): Promise<void> {
    if (isAnothers) return ask(true)
    if (!(await confirm(words('removeQuestion', { kind: topic.kind }), words('remove')))) return
    await removal.go(
      { topicId },
      {
        done: words('removed', { kind: topic.kind }),
        onward: () => go(topic.kind === 'question' ? '/askList' : '/index', { replace: true }),
      },
    )
  }

  return (
    <>
      {can.edit && (
        <Link to={editPath(topicId, topic.kind)} className="plain">
          {words('edit')}
        </Link>
      )}
      {can.remove && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
          {words('remove')}
        </button>
      )}
      {open.reports && isAnothers && <ReportButton kind="topic" thread={topic.kind} id={topicId} />}
      {asked && <asked.TopicRemoval topicId={topicId} kind={topic.kind} isOpen={isAsked} close={() => ask(false)} />}
    </>
  )
}
