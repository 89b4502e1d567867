import { useEffect, useEffectEvent, useState } from 'react'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { listenAsOne } from '#base/web/listen-as-one.ts'
import { Failed } from '#base/web/states.tsx'
import type { envelopeNews, EnvelopeView } from '#red-envelope/contract.ts'
import type { envelopesOfThreads } from '#red-envelope/list-contract.ts'
import { EnvelopeCard } from '#red-envelope/web/envelope-card.tsx'

/** The red envelope of a thread as it stands for this reader, and as it becomes while they look. */
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
  useNews(envelope, ({ taken, state }) => {
    // Those of this moment are paid, and counted there, a little later.
    show((now) => now && { ...now, state, taken: Math.max(taken, now.taken) })
    if (state !== envelope?.state) reload()
  })
  if (hasFailed && !envelope) return <Failed retry={reload} />
  return envelope && <EnvelopeCard envelope={envelope} reload={reload} />
}

type News = { taken: number; state: EnvelopeView['state'] }

function useNews(envelope: EnvelopeView | null, hear: (news: News) => void): void {
  const api = useApi()
  const tell = useEffectEvent(hear)
  const known = useEffectEvent(() => (envelope ? `${envelope.state}-${envelope.taken}` : ''))
  const openId = envelope?.state === 'open' ? envelope.id : null
  useEffect(() => {
    if (openId === null) return undefined
    const left = new AbortController()
    const wish = { input: { envelopeId: openId }, known: () => known(), tell: (news: News) => tell(news), signal: left.signal }
    listenAsOne<typeof envelopeNews>(api, '/redEnvelope/news', `redEnvelope ${openId}`, wish).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, openId])
}
