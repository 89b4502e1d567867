import { useState } from 'react'
import type { z } from 'zod'
import { regionName } from '#base/region-name.ts'
import { SelectField, Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { CountryView, Kind } from '#contact/contract.ts'

export type Countries = readonly z.infer<typeof CountryView>[]
export type TypedAddress = { phone?: string; countryCode?: string; email?: string }

export type AddressState = { typed: TypedAddress; update: (more: TypedAddress) => void }

/** The fields' state, which outlives the fields. */
export function useAddressState(kind: Kind, [first]: Countries): AddressState {
  const [typed, setTyped] = useState<TypedAddress>(kind === 'phone' && first ? { countryCode: first.code } : {})
  return { typed, update: (more) => setTyped((before) => ({ ...before, ...more })) }
}

type AddressProps = AddressState & { kind: Kind; countries: Countries }

/** A number with its country, where there are several, or an e-mail address. */
export function AddressFields({ kind, countries, typed, update }: AddressProps) {
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
        onInput={({ currentTarget }) => update({ email: currentTarget.value })}
        required
      />
    )
  return (
    <>
      {countries.length > 1 && (
        <SelectField
          name="countryCode"
          label={words('country')}
          defaultValue={typed.countryCode}
          onChange={({ currentTarget }) => update({ countryCode: currentTarget.value })}
        >
          {countries.map(({ code, region }) => (
            <option key={code} value={code}>
              {region ? `${regionName(region, language)} +${code}` : `+${code}`}
            </option>
          ))}
        </SelectField>
      )}
      <Field
        name="phone"
        type="tel"
        label={words('newPhone')}
        autoComplete="tel"
        defaultValue={typed.phone}
        onInput={({ currentTarget }) => update({ phone: currentTarget.value })}
        required
      />
    </>
  )
}
