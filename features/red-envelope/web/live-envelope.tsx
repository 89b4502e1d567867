import { useEffect, useEffectEvent, useState } from 'react'
import { useApi } from '#base/web/api.ts'
import { listenAsOne } from '#base/web/listen-as-one.ts'
import type { envelopeNews, EnvelopeView } from '#red-envelope/contract.ts'
import { EnvelopeCard } from '#red-envelope/web/envelope-card.tsx'

type Props = { envelope: EnvelopeView; /** It stands otherwise now. */ reload: () => Promise<void> | void }
type News = { taken: number; state: EnvelopeView['state'] }

/** The card of an envelope, as it becomes while one looks at it. */
export function LiveEnvelope({ envelope, reload }: Props) {
  const [heard, hear] = useState<News | null>(null)
  useNews(envelope, (news) => {
    hear(news)
    if (news.state !== envelope.state) void reload()
  })
  // Those of this moment are paid, and counted there, a little later.
  const now = heard && envelope.state === 'open' ? { ...envelope, ...heard, taken: Math.max(heard.taken, envelope.taken) } : envelope
  return <EnvelopeCard envelope={now} reload={reload} />
}

function useNews({ id, state, taken }: EnvelopeView, hear: (news: News) => void): void {
  const api = useApi()
  const tell = useEffectEvent(hear)
  const known = useEffectEvent(() => `${state}-${taken}`)
  const isOpen = state === 'open'
  useEffect(() => {
    if (!isOpen) return undefined
    const left = new AbortController()
    const wish = { input: { envelopeId: id }, known: () => known(), tell: (news: News) => tell(news), signal: left.signal }
    listenAsOne<typeof envelopeNews>(api, '/redEnvelope/news', `redEnvelope ${id}`, wish).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => left.abort()
  }, [api, id, isOpen])
}
