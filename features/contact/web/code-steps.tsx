import { useEffect, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { regionName } from '#base/region-name.ts'
import type { Endpoint } from '#base/contract.ts'
import { Choice, Field, Form, Submit } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { CaptchaField } from '#captcha/web/captcha.tsx'
import type { CountryView, Kind } from '#contact/contract.ts'

type Typed = { phone?: string; countryCode?: string; email?: string }

type CodeStepsProps = {
  kind: Kind
  countries: readonly z.infer<typeof CountryView>[]
  /** The call that sends the code, and what it is told besides. */
  asks: Endpoint
  asking?: Record<string, string>
  /** The call that takes the code. */
  sends: Endpoint
  then: () => void | Promise<void>
  deed: string
  /** Where the code goes, where that is known. */
  to?: string
  /** Further fields beside the code. */
  children?: ReactNode
}

/** First where the code goes, with a captcha; then the code, which goes along with that. */
export function CodeSteps({ kind, countries, asks, asking = {}, sends, then, deed, to, children }: CodeStepsProps) {
  const words = useWords('contact')
  const [typed, setTyped] = useState<Typed>(kind === 'phone' && countries[0] && !to ? { countryCode: countries[0].code } : {})
  const [isSent, setSent] = useState(false)
  const [tries, setTries] = useState(0)
  if (!isSent)
    return (
      <Form key="asking" sends={asks} along={asking} refused={() => setTries(tries + 1)} then={() => setSent(true)}>
        {!to && <AddressFields kind={kind} countries={countries} typed={typed} type={(more) => setTyped({ ...typed, ...more })} />}
        <CaptchaField purpose="code" isNeeded tries={tries} />
        <Submit>{words('sendCode')}</Submit>
      </Form>
    )
  return (
    <Form key="code" sends={sends} along={typed} then={then}>
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
      {children}
      <p className="deeds">
        <Submit>{deed}</Submit>
        <Another
          again={() => {
            setTries(tries + 1)
            setSent(false)
          }}
        />
      </p>
    </Form>
  )
}

type AddressProps = Pick<CodeStepsProps, 'kind' | 'countries'> & { typed: Typed; type: (more: Typed) => void }

function AddressFields({ kind, countries, typed, type }: AddressProps) {
  const words = useWords('contact')
  const language = useLanguage()
  if (kind === 'email')
    return (
      <Field
        name="email"
        type="email"
        label={words('newEmail')}
        autoComplete="email"
        defaultValue={typed.email}
        onInput={({ currentTarget }) => type({ email: currentTarget.value })}
        required
      />
    )
  return (
    <>
      {countries.length > 1 && (
        <Choice
          name="countryCode"
          label={words('country')}
          defaultValue={typed.countryCode}
          onChange={({ currentTarget }) => type({ countryCode: currentTarget.value })}
        >
          {countries.map(({ code, region }) => (
            <option key={code} value={code}>
              {region ? `${regionName(region, language)} +${code}` : `+${code}`}
            </option>
          ))}
        </Choice>
      )}
      <Field
        name="phone"
        type="tel"
        label={words('newPhone')}
        autoComplete="tel"
        defaultValue={typed.phone}
        onInput={({ currentTarget }) => type({ phone: currentTarget.value })}
        required
      />
    </>
  )
}

const waitSeconds = 60

/** Back to where the code was asked for, after a minute. */
function Another({ again }: { again: () => void }) {
  const words = useWords('contact')
  const [seconds, setSeconds] = useState(waitSeconds)
  useEffect(() => {
    const until = Date.now() + waitSeconds * 1000
    const ticking = setInterval(() => setSeconds(Math.max(0, Math.ceil((until - Date.now()) / 1000))), 1000)
    return () => clearInterval(ticking)
  }, [])
  return (
    <button type="button" className="button quiet" disabled={seconds > 0} onClick={again}>
      {seconds > 0 ? words('anotherIn', { seconds }) : words('another')}
    </button>
  )
}

function saidOf(kind: Kind, { phone = '', countryCode, email = '' }: Typed): string {
  if (kind === 'email') return email
  return countryCode && !/^\s*(\+|00)/.test(phone) ? `+${countryCode} ${phone}` : phone
}
