import { useEffect, useState, type ReactNode } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import type { Fields } from '#base/web/kept-fields.ts'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { envelopeForm } from '#red-envelope/contract.ts'
import { EnvelopeFields, GivenFields } from '#red-envelope/web/envelope-fields.tsx'
import type { Giving } from '#red-envelope/web/red-envelope.tsx'

type Props = { first: Fields }

export function FieldsOfComment({ first, drop }: Props & { drop: () => void }) {
  const { giving, hasFailed, retry } = useGiving()
  if (hasFailed) return <Failed retry={retry} />
  return giving ? <EnvelopeFields giving={giving} first={first} drop={drop} /> : <Skeleton lines={3} />
}

/** The fields beside a private message: the receiver is the other participant, and the message is the greeting. */
export function FieldsOfMessage({ first, greeting }: Props & { greeting: ReactNode }) {
  const words = useWords('redEnvelope')
  const { giving, hasFailed, retry } = useGiving()
  if (hasFailed) return <Failed retry={retry} />
  if (!giving) return <Skeleton lines={3} />
  if (!giving.points && !giving.cash) return <p className="note">{words('noneHere')}</p>
  return <GivenFields kind="targeted" giving={giving} first={first} greeting={greeting} isDirect />
}

function useGiving(): { giving: Giving | null; hasFailed: boolean; retry: () => void } {
  const api = useApi()
  const [giving, setGiving] = useState<Giving | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    api.read<typeof envelopeForm>('/redEnvelope/form', {}, { silent: true }).then(setGiving, (error: unknown) => {
      if (!(error instanceof CallFailed)) throw error
      setFailed(true)
    })
  }, [api, tries])
  const retry = () => {
    setFailed(false)
    setTries(tries + 1)
  }
  return { giving, hasFailed, retry }
}
