import { useNavigate } from 'react-router'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { removeTopic } from '#topic/contract.ts'

/** What members may do with a topic. Visitors never load it. */
export function TopicDeeds({ topicId, can }: { topicId: string; can: { edit: boolean; remove: boolean } }) {
  const words = useWords('topic')
  const go = useNavigate()
  const removal = useDeed<typeof removeTopic>('/topic/remove')

  async function remove(): Promise<void> {
    if (!(await confirm(words('removeQuestion'), words('remove')))) return
    await removal.go({ topicId }, { done: words('removed'), onward: () => go('/index', { replace: true }) })
  }

  return (
    <>
      {can.edit && (
        <Link to={`/user/editTopic?topicId=${topicId}`} className="plain">
          {words('edit')}
        </Link>
      )}
      {can.remove && (
        <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
          {words('remove')}
        </button>
      )}
    </>
  )
}
