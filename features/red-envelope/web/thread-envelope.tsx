import { useEffect, useState } from 'react'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { Failed } from '#base/web/states.tsx'
import type { EnvelopeView } from '#red-envelope/contract.ts'
import type { envelopesOfThreads } from '#red-envelope/list-contract.ts'
import { LiveEnvelope } from '#red-envelope/web/live-envelope.tsx'

/** The red envelope of a thread as it stands for this reader. */
export function ThreadEnvelope({ topicId }: { topicId: string }) {
  const api = useApi()
  const me = member.use()
  const [envelope, show] = useState<EnvelopeView | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [round, setRound] = useState(0)
  const isKnown = me !== undefined
  useEffect(() => {
    if (!isKnown) return
    api.read<typeof envelopesOfThreads>('/redEnvelope/ofThread', { topicId }, { silent: true }).then(
      (its) => {
        show(its.envelope)
        setFailed(false)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }, [api, topicId, isKnown, me?.userId, round])
  const reload = () => setRound(round + 1)
  if (hasFailed && !envelope) return <Failed retry={reload} />
  return envelope && <LiveEnvelope key={envelope.id} envelope={envelope} reload={reload} />
}
