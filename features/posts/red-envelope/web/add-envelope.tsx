import { useEffect, useState, type ReactNode } from 'react'
import { useApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import type { FieldValues } from '#base/editor/stored-fields.ts'
import { Failed, FieldsPlaceholder, Skeleton } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { envelopeForm } from '#red-envelope/contract.ts'
import { EnvelopeFields, KindFields } from '#red-envelope/web/envelope-fields.tsx'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'

type Props = { first: FieldValues }

/** The fields beside the opening of a thread. */
export function TopicEnvelopeFields({ first }: Props) {
  const { options, hasFailed, retry } = useEnvelopeOptions()
  if (hasFailed) return <Failed retry={retry} />
  return options ? <EnvelopeFields options={options} first={first} /> : <FieldsPlaceholder height={143} />
}

export function CommentEnvelopeFields({ first, drop }: Props & { drop: () => void }) {
  const { options, hasFailed, retry } = useEnvelopeOptions()
  if (hasFailed) return <Failed retry={retry} />
  return options ? <EnvelopeFields options={options} first={first} drop={drop} /> : <Skeleton lines={3} />
}

/** The fields beside a private message: the receiver is the other participant, and the message is the greeting. */
export function MessageEnvelopeFields({ first, greeting }: Props & { greeting: ReactNode }) {
  const words = useWords('redEnvelope')
  const { options, hasFailed, retry } = useEnvelopeOptions()
  if (hasFailed) return <Failed retry={retry} />
  if (!options) return <Skeleton lines={3} />
  if (!options.points && !options.cash) return <p className="note">{words('noneHere')}</p>
  return <KindFields kind="targeted" options={options} first={first} greeting={greeting} isDirect />
}

function useEnvelopeOptions(): { options: EnvelopeOptions | null; hasFailed: boolean; retry: () => void } {
  const api = useApi()
  const [giving, setGiving] = useState<EnvelopeOptions | null>(null)
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
  return { options: giving, hasFailed, retry }
}
