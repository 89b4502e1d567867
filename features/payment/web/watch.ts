import { useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { useApi, type BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { pause, visible } from '#base/web/listen.ts'
import { siteTime } from '#base/web/site-time.ts'
import type { payment, PaymentView } from '#payment/contract.ts'

const soonMs = 2_000
const laterMs = 10_000
const soonTimes = 60

/** Loads the page again once the payment is no longer open. */
export function useWatch({ number, state }: Pick<PaymentView, 'number' | 'state'>): void {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const isOpen = state === 'open'
  const over = useEffectEvent(() => void revalidate())
  const start = useEffectEvent((signal: AbortSignal) => watch(api, number, signal))
  useEffect(() => {
    if (!isOpen) return
    const left = new AbortController()
    void start(left.signal).then((isOver) => isOver && over())
    return () => left.abort()
  }, [number, isOpen])
}

/** Asks every few seconds while the page is looked at. False where the page was left. */
async function watch(api: BrowserApi, number: string, signal: AbortSignal): Promise<boolean> {
  for (let asked = 0; ; asked++) {
    await pause(asked < soonTimes ? soonMs : laterMs, signal)
    await visible(signal)
    if (signal.aborted) return false
    try {
      const { state } = await api.read<typeof payment>('/user/control/payment/view', { number }, { silent: true, background: true })
      if (state !== 'open') return !signal.aborted
    } catch (error) {
      // It is asked again in a moment.
      if (!(error instanceof CallFailed)) throw error
    }
  }
}

/** Whole seconds until a moment of the site's clock. */
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
