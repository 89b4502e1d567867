import { useEffect, useState } from 'react'
import type { Endpoint } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import type { Wish } from '#base/web/sending.ts'
import { useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { Kind } from '#contact/contract.ts'
import { AddressFields, useTyped, type Countries, type Typed, type Typing } from '#contact/web/address-fields.tsx'

type CodeStepsProps<E extends Endpoint> = {
  kind: Kind
  countries: Countries
  /** The call that sends the code, and what it is told besides. */
  asks: Endpoint
  asking?: Record<string, string>
  /** The call that takes the code, and what goes along besides the address. */
  sends: E
  giving?: Record<string, string>
  then: Wish<E>['then']
  deed: string
  /** Where the code goes, where that is known. */
  to?: string
  /** What was typed already, where that outlives these steps. */
  typing?: Typing
}

/** First where the code goes, with a captcha; then the code, which goes along with that. */
export function CodeSteps<E extends Endpoint>({
  kind,
  countries,
  asks,
  asking = {},
  sends,
  giving = {},
  then,
  deed,
  to,
  typing,
}: CodeStepsProps<E>) {
  const words = useWords('contact')
  const own = useTyped(kind, to ? [] : countries)
  const { typed, type } = typing ?? own
  const [isSent, setSent] = useState(false)
  const [tries, setTries] = useState(0)
  if (!isSent)
    return (
      <Form key="asking" sends={asks} along={asking} refused={() => setTries(tries + 1)} then={() => setSent(true)}>
        {!to && <AddressFields kind={kind} countries={countries} typed={typed} type={type} />}
        <CaptchaField purpose="code" isNeeded tries={tries} />
        <Submit>{words('sendCode')}</Submit>
      </Form>
    )
  return (
    <Form key="code" sends={sends} along={{ ...typed, ...giving }} then={then}>
      <p role="status">{words('sentTo', { to: to ?? saidOf(kind, typed) })}</p>
      <Field
        name="code"
        label={words('code')}
        help={words('codeHelp')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        autoFocus
      />
      <p className="deeds">
        <Submit>{deed}</Submit>
        <Another
          kind={to ? null : kind}
          again={() => {
            setTries(tries + 1)
            setSent(false)
          }}
        />
      </p>
    </Form>
  )
}

const waitSeconds = 60

/** Back to where the code was asked for: at once for another address, after a minute for the same. */
function Another({ kind, again }: { kind: Kind | null; again: () => void }) {
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

function saidOf(kind: Kind, { phone = '', countryCode, email = '' }: Typed): string {
  if (kind === 'email') return email
  return countryCode && !/^\s*(\+|00)/.test(phone) ? `+${countryCode} ${phone}` : phone
}
