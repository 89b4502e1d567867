import { normalizeDomain, normalizeEmail } from '#base/email-address.ts'
import { lazy } from '#base/lazy.ts'
import { lazyPackage } from '#base/server/lazy-package.ts'
import { DomainNotAllowed, type Kind } from '#contact/contract.ts'
import { phoneNumber, WrongEmail, WrongNumber } from '#delivery/contract.ts'
import * as delivery from '#delivery/server/delivery.ts'
import type { Settings } from '#setting/contract.ts'

const phoneNumbers = lazyPackage((load) => load('libphonenumber-js/mobile') as typeof import('libphonenumber-js/mobile'))

/** An address as typed. */
export type TypedAddress = { phone?: string | undefined; countryCode?: string | undefined; email?: string | undefined }

/** The canonical form of an address. Refuses what is not an address, or not one that this site sends to. */
export function normalize(kind: Kind, { phone = '', countryCode, email = '' }: TypedAddress, settings: Settings): string {
  return kind === 'phone' ? normalizeNumber(phone, countryCode, settings) : normalizeAllowedEmail(email, settings)
}

function normalizeNumber(typed: string, countryCode: string | undefined, settings: Settings): string {
  const text = typed.normalize('NFKC').replace(/^\s*00/, '+')
  const defaultCallingCode = countryCode ?? countries(settings)[0]?.code ?? '86'
  // No country has this code, and the library does not report it.
  if (!regions().has(defaultCallingCode)) throw WrongNumber()
  const found = phoneNumbers().parsePhoneNumberFromString(text, { defaultCallingCode, extract: false })
  if (!found?.isValid() || found.ext || !phoneNumber.safeParse(found.number).success) throw WrongNumber()
  delivery.countryOf(found.number, settings)
  return found.number
}

function normalizeAllowedEmail(typed: string, { emailDomains }: Settings): string {
  const address = normalizeEmail(typed)
  if (address === null) throw WrongEmail()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  if (emailDomains.length > 0 && !emailDomains.some((one) => normalizeDomain(one) === domain)) throw DomainNotAllowed()
  return address
}

/** The countries whose numbers are accepted, by calling code, in the order that staff listed them. */
export function countries(settings: Settings): { code: string; region: string | null }[] {
  const codes = delivery
    .countriesIn(settings)
    .map(({ code }) => [3, 2, 1].map((length) => code.slice(0, length)).find((one) => regions().has(one)))
  return [...new Set(codes)].flatMap((code) => (code ? [{ code, region: singleRegion(regions().get(code)) }] : []))
}

const regions = lazy(() => {
  const { getCountries, getCountryCallingCode } = phoneNumbers()
  return Map.groupBy(getCountries(), (region): string => getCountryCallingCode(region))
})

function singleRegion([region, another]: string[] = []): string | null {
  return another ? null : (region ?? null)
}
