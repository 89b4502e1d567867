import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { Closed } from '#base/web/closed.tsx'
import { Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { giveEnvelope } from '#red-envelope/contract.ts'
import { KindFields } from '#red-envelope/web/envelope-fields.tsx'
import type { EnvelopeOptions } from '#red-envelope/web/red-envelope.tsx'

export function Page() {
  const words = useWords('redEnvelope')
  const giving = useLoaderData<EnvelopeOptions>()
  const [query] = useSearchParams()
  const [isGiven, setGiven] = useState(false)
  if (!giving.points && !giving.cash) return <Closed>{words('noneHere')}</Closed>
  return (
    <section className="column">
      {isGiven ? (
        <p className="note" role="status">
          {words('gave')} <Link to="/user/control/giveRedEnvelopeList">{words('seeGiven')}</Link>
        </p>
      ) : (
        <Form endpoint={giveEnvelope} onSuccess={() => setGiven(true)}>
          <KindFields kind="targeted" options={giving} first={{ envelopeReceiver: query.get('receiver') ?? '' }} isDirect />
          <p className="actions">
            <Submit>{words('giveNow')}</Submit>
          </p>
        </Form>
      )}
    </section>
  )
}
