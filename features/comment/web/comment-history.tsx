import { useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { useWords } from '#base/web/words.tsx'
import type { commentHistory, replyHistory } from '#comment/contract.ts'
import type { Output } from '#base/contract.ts'
import { Versions } from '#base/web/versions.tsx'

type Version = Output<typeof commentHistory>['versions'][number]

export function CommentHistory({ topicId, commentId }: { topicId: string; commentId: string }) {
  const api = useApi()
  const load = () => api.read<typeof commentHistory>('/comment/history', { topicId, commentId }, { shared: true })
  return <Edited load={load} />
}

export function ReplyHistory({ topicId, replyId }: { topicId: string; replyId: string }) {
  const api = useApi()
  const load = () => api.read<typeof replyHistory>('/comment/replyHistory', { topicId, replyId }, { shared: true })
  return <Edited load={load} />
}

function Edited({ load }: { load: () => Promise<{ versions: Version[] }> }) {
  const words = useWords('comment')
  const [versions, setVersions] = useState<Version[] | null>(null)
  const open = async () => setVersions((await load()).versions)
  return <Versions versions={versions} open={() => void open()} close={() => setVersions(null)} label={words('edited')} />
}
