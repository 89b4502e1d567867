import { useApi } from '#base/web/api.ts'
import { Versions } from '#base/web/versions.tsx'
import { useWords } from '#base/web/words.tsx'
import type { commentHistory, replyHistory } from '#comment/contract.ts'

export function CommentHistory({ topicId, commentId }: { topicId: string; commentId: string }) {
  const api = useApi()
  const words = useWords('comment')
  const load = () => api.read<typeof commentHistory>('/comment/history', { topicId, commentId }, { shared: true })
  return <Versions load={load} label={words('edited')} />
}

export function ReplyHistory({ topicId, replyId }: { topicId: string; replyId: string }) {
  const api = useApi()
  const words = useWords('comment')
  const load = () => api.read<typeof replyHistory>('/comment/replyHistory', { topicId, replyId }, { shared: true })
  return <Versions load={load} label={words('edited')} />
}
