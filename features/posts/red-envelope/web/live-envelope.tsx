import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { Failed } from '#base/web/states.tsx'
import type { envelope as envelopeCall, envelopeNews, EnvelopeView } from '#red-envelope/contract.ts'
import type { envelopesOfThreads } from '#red-envelope/list-contract.ts'
import { EnvelopeCard } from '#red-envelope/web/envelope-card.tsx'

/** The envelope of a thread, or one by its id. */
export type EnvelopeRef = { topicId: string } | { envelopeId: string; /** The message shows the greeting. */ isInMessage?: boolean }

type Props = {
  of: EnvelopeRef
  /** The data that is already loaded. */ first?: EnvelopeView
  /** Called when its state changed or it was opened. */ changed?: () => void
}

/** A red envelope as this reader sees it, updated live. */
export function LiveEnvelope({ of, first, changed }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const isInView = useInView(place)
  const { envelope, hasFailed, reload, hear } = useEnvelope(of, isInView, { first, changed })
  useUpdates(isInView ? envelope : null, hear)
  return (
    <div ref={place}>
      {hasFailed && !envelope && <Failed retry={reload} />}
      {envelope && <EnvelopeCard envelope={envelope} reload={reload} {...('isInMessage' in of && { isInMessage: true })} />}
    </div>
  )
}

type InitialEnvelope = { first?: EnvelopeView | null | undefined; changed?: (() => void) | undefined }

/** Loads the envelope when it scrolls into view, because it may have changed meanwhile. */
function useEnvelope(of: EnvelopeRef, isInView: boolean, { first = null, changed }: InitialEnvelope) {
  const api = useApi()
  const me = member.use()
  const [envelope, show] = useState<EnvelopeView | null>(first)
  const [hasFailed, setFailed] = useState(false)
  const [round, setRound] = useState(0)
  const [answered, setAnswered] = useState(0)
  const [topicId, envelopeId] = 'topicId' in of ? [of.topicId, null] : [null, of.envelopeId]
  // A card further down loads immediately for a reader who returns to it from the login.
  const isWanted = me !== undefined && (envelope === null || (isInView && (envelope.state === 'open' || answered < round)))
  useEffect(() => {
    if (!isWanted) return
    const silent = { silent: true } as const
    const request =
      envelopeId === null
        ? api.read<typeof envelopesOfThreads>('/redEnvelope/ofThread', { topicId: topicId ?? '' }, silent).then((its) => its.envelope)
        : api.read<typeof envelopeCall>('/redEnvelope', { envelopeId }, silent)
    request.then(
      (its) => {
        show(its)
        setFailed(false)
        setAnswered(round)
      },
      (error: unknown) => {
        if (!(error instanceof CallFailed)) throw error
        setFailed(true)
      },
    )
  }, [api, topicId, envelopeId, isWanted, me?.userId, round])
  function reload(): void {
    setRound(round + 1)
    changed?.()
  }

  function hear({ taken, state }: EnvelopeUpdate): void {
    // The server counts a claim when it is paid, a little later.
    show((now) => now && { ...now, state, taken: Math.max(taken, now.taken) })
    if (state !== envelope?.state) reload()
  }
  return { envelope, hasFailed, reload, hear }
}

function useInView(place: RefObject<HTMLElement | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (!place.current) return undefined
    const seen = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? false), { rootMargin: '200px' })
    seen.observe(place.current)
    return () => seen.disconnect()
  }, [place])
  return isInView
}

type EnvelopeUpdate = { taken: number; state: EnvelopeView['state'] }

// A browser allows few connections per site: this many envelopes in view are streamed at once.
let freeConnections = 2

function useUpdates(envelope: EnvelopeView | null, onUpdate: (news: EnvelopeUpdate) => void): void {
  const api = useApi()
  const tell = useEffectEvent(onUpdate)
  const known = useEffectEvent(() => (envelope ? `${envelope.state}-${envelope.taken}` : ''))
  const openId = envelope?.state === 'open' ? envelope.id : null
  useEffect(() => {
    if (openId === null || freeConnections === 0) return undefined
    freeConnections--
    const left = new AbortController()
    const wish = {
      input: { envelopeId: openId },
      lastId: () => known(),
      onUpdate: (news: EnvelopeUpdate) => tell(news),
      signal: left.signal,
    }
    listenThroughLeader<typeof envelopeNews>(api, '/redEnvelope/news', `redEnvelope ${openId}`, wish).catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
    return () => {
      freeConnections++
      left.abort()
    }
  }, [api, openId])
}
