import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { RawInput, Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { CallFailed, FieldErrors } from '#base/web/call.ts'
import type { membershipQuote } from '#membership/contract.ts'

export type Quote = Output<typeof membershipQuote>
type QuoteInput = RawInput<typeof membershipQuote>

type Known = {
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
export function useQuote(wanted: QuoteInput): Known & { isCurrent: boolean; askAgain(terms?: { withPage: boolean }): void } {
  const api = useApi()
  const { revalidate } = useRevalidator()
  const [round, setRound] = useState(0)
  const [known, setKnown] = useState<Known>({ of: '', quote: null, errors: {}, hasFailed: false })
  const asked = JSON.stringify(wanted)
  const key = `${round} ${asked}`
  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => {
      const { receiver, upgrades, ...rest }: QuoteInput = JSON.parse(asked)
      const input = { ...rest, upgrades, ...(receiver && { receiver }) }
      api.read<typeof membershipQuote>('/membershipCard/quote', input, { silent: true, signal: left.signal }).then(
        (quote) => setKnown({ of: key, quote: { ...quote, receiver, upgrades }, errors: {}, hasFailed: false }),
        (error: unknown) => {
          if (left.signal.aborted) return
          if (!(error instanceof CallFailed)) throw error
          const errors = error instanceof FieldErrors ? error.fields : {}
          setKnown(({ quote }) => ({ of: key, quote, errors, hasFailed: Object.keys(errors).length === 0 }))
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [api, asked, key])
  return {
    ...known,
    isCurrent: known.of === key && !known.hasFailed && Object.keys(known.errors).length === 0,
    askAgain({ withPage } = { withPage: false }) {
      setRound(round + 1)
      if (withPage) void revalidate()
    },
  }
}
