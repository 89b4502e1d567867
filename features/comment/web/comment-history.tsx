import { useApi } from '#base/web/api.ts'
import { Versions } from '#base/web/versions.tsx'
import { useWords } from '#base/web/words.tsx'
import type { commentHistory, replyHistory } from '#comment/contract.ts'

type Edited = { id: string; isEditedByStaff: boolean }

export function CommentHistory({ topicId, comment: { id: commentId, isEditedByStaff } }: { topicId: string; comment: Edited }) {
  const api = useApi()
  const words = useWords('comment')
  const load = () => api.read<typeof commentHistory>('/comment/history', { topicId, commentId }, { shared: true })
  return <Versions load={load} label={words(isEditedByStaff ? 'editedByStaff' : 'edited')} />
}

export function ReplyHistory({ topicId, reply: { id: replyId, isEditedByStaff } }: { topicId: string; reply: Edited }) {
  const api = useApi()
  const words = useWords('comment')
  const load = () => api.read<typeof replyHistory>('/comment/replyHistory', { topicId, replyId }, { shared: true })
  return <Versions load={load} label={words(isEditedByStaff ? 'editedByStaff' : 'edited')} />
}
