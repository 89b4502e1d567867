import { useNavigate } from 'react-router'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { removeTopic } from '#topic/contract.ts'
import { ModeratorRemoval } from '#writing/web/writing.tsx'

type Props = { topicId: string; kind: ThreadKind; isOpen: boolean; close: () => void }

/** The dialog in which a moderator removes another member's topic or question. */
export function TopicRemoval({ topicId, kind, isOpen, close }: Props) {
  const words = useWords('topic', { kind })
  const go = useNavigate()

  function removed() {
    toast(words('removed'))
    return go(kind === 'question' ? '/askList' : '/index', { replace: true })
  }

  return (
    <ModeratorRemoval
      sends={removeTopic}
      along={{ topicId }}
      title={words('removeQuestion')}
      action={words('remove')}
      isOpen={isOpen}
      close={close}
      then={removed}
    />
  )
}
