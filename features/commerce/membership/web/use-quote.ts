import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { RawInput, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import type { membershipQuote } from '#membership/contract.ts'

export type Quote = Output<typeof membershipQuote>
type QuoteInput = RawInput<typeof membershipQuote>

type QuoteState = {
  of: string
  quote: (Quote & Pick<QuoteInput, 'receiver' | 'upgrades'>) | null
  errors: Record<string, string>
  hasFailed: boolean
}

// Debounces typing and stepping through a number.
const pauseMs = 250

/**
 * The quote of the input, or its errors by field. The last quote stays until the next one arrives. After a refusal other options on the
 * page may have changed too; a sold-out option stays selected with its error.
 */
export function useQuote(request: QuoteInput): QuoteState & { isCurrent: boolean; refetch(terms?: { withPage: boolean }): void } {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const [round, setRound] = useState(0)
  const [state, setState] = useState<QuoteState>({ of: '', quote: null, errors: {}, hasFailed: false })
  const serialized = JSON.stringify(request)
  const key = `${round} ${serialized}`
  useEffect(() => {
    const aborter = new AbortController()
    const timer = setTimeout(() => {
      const { receiver, upgrades, ...rest }: QuoteInput = JSON.parse(serialized)
      const input = { ...rest, upgrades, ...(receiver && { receiver }) }
      api.read<typeof membershipQuote>('/membershipCard/quote', input, { silent: true, signal: aborter.signal }).then(
        (quote) => setState({ of: key, quote: { ...quote, receiver, upgrades }, errors: {}, hasFailed: false }),
        (error: unknown) => {
          if (aborter.signal.aborted) return
          if (!(error instanceof CallFailed)) throw error
          const errors = error instanceof FieldErrors ? error.fields : {}
          setState(({ quote }) => ({ of: key, quote, errors, hasFailed: Object.keys(errors).length === 0 }))
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [api, serialized, key])
  return {
    ...state,
    isCurrent: state.of === key && !state.hasFailed && Object.keys(state.errors).length === 0,
    refetch({ withPage } = { withPage: false }) {
      setRound(round + 1)
      if (withPage) void revalidate()
    },
  }
}
