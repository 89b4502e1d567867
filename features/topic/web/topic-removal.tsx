import { useNavigate } from 'react-router'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { removeTopic } from '#topic/contract.ts'
import { RemovalOfAnothers } from '#writing/web/writing.tsx'

type Props = { topicId: string; isOpen: boolean; close: () => void }

/** Removes a topic of somebody else's. */
export function TopicRemoval({ topicId, isOpen, close }: Props) {
  const words = useWords('topic')
  const go = useNavigate()

  function removed() {
    say(words('removed'))
    return go('/index', { replace: true })
  }

  return (
    <RemovalOfAnothers
      sends={removeTopic}
      along={{ topicId }}
      title={words('removeQuestion')}
      deed={words('remove')}
      isOpen={isOpen}
      close={close}
      then={removed}
    />
  )
}
