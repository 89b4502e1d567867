import { useEffect, useState, type ReactNode } from 'react'
import type { Endpoint } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import type { FormOptions } from '#base/web/form-state.ts'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Kind } from '#contact/contract.ts'
import { AddressFields, useAddressState, type Countries, type TypedAddress, type AddressState } from '#contact/web/address-fields.tsx'

type CodeStepsProps<E extends Endpoint> = {
  kind: Kind
  countries: Countries
  /** The endpoint that sends the code, and its additional input. */
  asks: Endpoint
  asking?: Record<string, string>
  /** The endpoint that takes the code, and its input besides the address. */
  sends: E
  giving?: Record<string, string>
  then: FormOptions<E>['onSuccess']
  action: string
  /** The code's destination, where it is known. */
  destination?: string
  /** Typed text that outlives these steps. */
  typing?: AddressState
  /** Further fields of the first step. */
  children?: ReactNode
}

/** First the destination, with a captcha; then the code, sent along with it. */
export function CodeSteps<E extends Endpoint>({
  kind,
  countries,
  asks,
  asking = {},
  sends,
  giving = {},
  then,
  action,
  destination,
  typing,
  children,
}: CodeStepsProps<E>) {
  const words = useWords('contact')
  const own = useAddressState(kind, destination ? [] : countries)
  const { typed, update } = typing ?? own
  const [isSent, setSent] = useState(false)
  const [tries, setTries] = useState(0)
  const its = { asks, asking, tries, refused: () => setTries(tries + 1), sent: () => setSent(true) }
  if (!isSent)
    return (
      <SendForm {...its} fields={destination ? null : { kind, countries, typed, update }}>
        {children}
      </SendForm>
    )
  return (
    <Form key="code" endpoint={sends} extra={{ ...typed, ...giving }} onSuccess={then}>
      <p role="status">{words('sentTo', { to: destination ?? destinationOf(kind, typed) })}</p>
      <Field
        name="code"
        label={words('code')}
        help={words('codeHelp')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        autoFocus
      />
      <p className="actions">
        <Submit>{action}</Submit>
        <SendAnother
          kind={destination ? null : kind}
          again={() => {
            setTries(tries + 1)
            setSent(false)
          }}
        />
      </p>
    </Form>
  )
}

type SendFormProps = {
  asks: Endpoint
  asking: Record<string, string>
  tries: number
  refused: () => void
  sent: () => void
  /** Null where the destination is known. */
  fields: (AddressState & { kind: Kind; countries: Countries }) | null
  children: ReactNode
}

/** A visitor who already has a code, after closing the page to look for it, continues with that. */
function SendForm({ asks, asking, tries, refused, sent, fields, children }: SendFormProps) {
  const words = useWords('contact')
  const [hasOne, setHasOne] = useState(false)

  function type(more: TypedAddress): void {
    setHasOne(false)
    fields?.update(more)
  }

  function refuse(wrong: Record<string, string>): void {
    setHasOne('again' in wrong)
    refused()
  }

  return (
    <Form key="asking" endpoint={asks} extra={asking} onRefused={refuse} onSuccess={sent}>
      {children}
      {fields && <AddressFields {...fields} update={type} />}
      <CaptchaField purpose="code" isNeeded tries={tries} />
      <p className="actions">
        <Submit>{words('sendCode')}</Submit>
        {hasOne && (
          <button type="button" className="button quiet" onClick={sent}>
            {words('haveCode')}
          </button>
        )}
      </p>
    </Form>
  )
}

const waitSeconds = 60

/** Back to the first step: at once for another address, after a minute for the same. */
function SendAnother({ kind, again }: { kind: Kind | null; again: () => void }) {
  const words = useWords('contact')
  const [seconds, setSeconds] = useState(waitSeconds)
  useEffect(() => {
    const until = Date.now() + waitSeconds * 1000
    const ticking = setInterval(() => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 1000)
    return () => clearInterval(ticking)
  }, [])
  if (seconds === 0 || kind === null)
    return (
      <button type="button" className="button quiet" disabled={seconds > 0} onClick={again}>
        {seconds > 0 ? words('anotherIn', { seconds }) : words(kind === null ? 'again' : 'another')}
      </button>
    )
  return (
    <>
      <button type="button" className="button quiet" onClick={again}>
        {words(kind === 'phone' ? 'otherPhone' : 'otherEmail')}
      </button>
      <span className="meta">{words('anotherIn', { seconds })}</span>
    </>
  )
}

function destinationOf(kind: Kind, { phone = '', countryCode, email = '' }: TypedAddress): string {
  if (kind === 'email') return email
  return countryCode && !/^\s*(\+|00)/.test(phone) ? `+${countryCode} ${phone}` : phone
}
