import { useState, type ReactNode } from 'react'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Versions } from '#base/web/versions.tsx'
import type { topicHistory } from '#topic/contract.ts'

/** "Edited", which opens the versions there were. */
export function TopicHistory({ topicId, children }: { topicId: string; children: ReactNode }) {
  const api = useApi()
  const [versions, setVersions] = useState<Output<typeof topicHistory>['versions'] | null>(null)

  async function open(): Promise<void> {
    const history = await api.read<typeof topicHistory>('/topic/history', { topicId }, { shared: true })
    setVersions(history.versions)
  }

  return <Versions versions={versions} open={() => void open()} close={() => setVersions(null)} label={children} />
}
