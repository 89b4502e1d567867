import type { ReactNode } from 'react'
import { useApi } from '#base/web/api.ts'
import { Versions } from '#base/web/versions.tsx'
import type { topicHistory } from '#topic/contract.ts'

/** "Edited", which opens the versions there were. */
export function TopicHistory({ topicId, children }: { topicId: string; children: ReactNode }) {
  const api = useApi()
  return <Versions load={(page) => api.read<typeof topicHistory>('/topic/history', { topicId, page }, { shared: true })} label={children} />
}
