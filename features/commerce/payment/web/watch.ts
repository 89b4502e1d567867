import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { listenThroughLeader } from '#base/web/leader-tab.ts'
import { delay, untilVisible } from '#base/web/listen.ts'
import { siteTime } from '#base/web/site-time.ts'
import type { payment, paymentNews, PaymentView } from '#payment/contract.ts'

const pollMs = 12_000

/** Reloads the page once the payment is no longer open. */
export function useWatch({ number, state }: Pick<PaymentView, 'number' | 'state'>): void {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const isOpen = state === 'open'
  const over = useEffectEvent(() => void revalidate())
  const start = useEffectEvent((signal: AbortSignal) => {
    void subscribe(api, number, { onEnded: over, signal })
    void poll(api, number, { onEnded: over, signal })
  })
  useEffect(() => {
    if (!isOpen) return
    const left = new AbortController()
    start(left.signal)
    return () => left.abort()
  }, [number, isOpen])
}

type WatchOptions = { onEnded: () => void; signal: AbortSignal }

/** Subscribes to the member's event stream, which announces the end at the commit. */
async function subscribe(api: BrowserApi, number: string, { onEnded, signal }: WatchOptions): Promise<void> {
  const tell = ({ ended }: { ended: readonly string[] }) => void (ended.includes(number) && onEnded())
  try {
    await listenThroughLeader<typeof paymentNews>(api, '/user/control/payment/news', 'payments', {
      input: {},
      lastId: () => '',
      onUpdate: tell,
      signal,
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

// A connection may silently drop or delay events, so a visible page polls as well.
async function poll(api: BrowserApi, number: string, { onEnded, signal }: WatchOptions): Promise<void> {
  while (true) {
    await delay(pollMs, signal)
    await untilVisible(signal)
    if (signal.aborted) return
    try {
      const { state } = await api.read<typeof payment>('/user/control/payment/view', { number }, { silent: true, background: true })
      if (state !== 'open' && !signal.aborted) onEnded()
    } catch (error) {
      // The poll is retried in a moment.
      if (!(error instanceof CallFailed)) throw error
    }
  }
}

/** Reloads a page that the browser restores from its back-forward cache. */
export function useFreshOnReturn(): void {
  const { revalidate } = useRevalidator()
  const look = useEffectEvent(() => void revalidate())
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => void (persisted && look())
    addEventListener('pageshow', back)
    return () => removeEventListener('pageshow', back)
  }, [])
}

/** Whole seconds until a time, by the site's clock. */
export function useSecondsLeft(at: string): number {
  const secondsLeft = () => Math.max(0, Math.floor((Date.parse(at) - siteTime()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  const look = useEffectEvent(() => setSeconds(secondsLeft()))
  const isOver = seconds === 0
  useEffect(() => {
    if (isOver) return
    const ticking = setInterval(() => look(), 500)
    return () => clearInterval(ticking)
  }, [isOver, at])
  return seconds
}
