import { useState } from 'react'
import type { z } from 'zod'
import { regionName } from '#base/region-name.ts'
import { Choice, Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { CountryView, Kind } from '#contact/contract.ts'

export type Countries = readonly z.infer<typeof CountryView>[]
export type Typed = { phone?: string; countryCode?: string; email?: string }

export type Typing = { typed: Typed; type: (more: Typed) => void }

/** The fields' state, which outlives the fields. */
export function useTyped(kind: Kind, [first]: Countries): Typing {
  const [typed, setTyped] = useState<Typed>(kind === 'phone' && first ? { countryCode: first.code } : {})
  return { typed, type: (more) => setTyped((before) => ({ ...before, ...more })) }
}

type AddressProps = Typing & { kind: Kind; countries: Countries }

/** A number with its country, where there are several, or an e-mail address. */
export function AddressFields({ kind, countries, typed, type }: AddressProps) {
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
