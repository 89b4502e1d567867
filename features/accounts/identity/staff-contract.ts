import { z } from 'zod'
import { ChangedSince } from '#audit/contract.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, write } from '#base/contract.ts'
import { plainString } from '#base/plain-text.ts'
import { AddressNeeded, AddressUsed, InAppOfWechat, InAppSecretNeeded, ProviderUsed, SecretNeeded } from '#identity/contract.ts'
import { protocols } from '#identity/protocols.ts'

const ProviderRow = z.object({
  id: z.string(),
  protocol: z.enum(protocols),
  name: z.object({ zh: z.string(), en: z.string() }),
  address: z.string().nullable(),
  clientId: z.string(),
  inAppClientId: z.string().nullable(),
  isEnabled: z.boolean(),
  sort: z.number(),
  version: z.number(),
  /** The number of linked accounts, and how many of them have no password. */
  members: z.number(),
  without: z.number(),
  /** The last failure since the settings changed. */
  failure: z.object({ at: z.iso.datetime(), says: z.string() }).nullable(),
})
export type ProviderRow = z.infer<typeof ProviderRow>

export const providerList = read('/admin/identity/provider/list', {
  summary: 'External identity providers in display order. Secrets are never returned.',
  input: nothing,
  output: z.object({ providers: z.array(ProviderRow), redirectUri: z.string() }),
})

// Loopback addresses may do without TLS.
const address = z
  .string()
  .trim()
  .max(250)
  .refine((text) => text === '' || isSafe(text), { params: { code: 'identity.notAnAddress' } })

function isSafe(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && search === '' && hash === '' && username === ''
}

const secret = z.string().trim().max(500).default('')
const clientId = z.string().trim().min(1).max(250)
const name = plainString.min(1).max(30).optional()
const provider = {
  zh: name,
  en: name,
  address: address.default(''),
  clientId,
  clientSecret: secret,
  inAppClientId: z.string().trim().max(250).default(''),
  inAppClientSecret: secret,
  isEnabled: z.boolean().default(false),
  sort: z.int().min(-10_000).max(10_000).default(0),
}

export const addProvider = write('/admin/identity/provider/add', {
  summary: 'Adds an identity provider. For OpenID Connect, the address is the issuer.',
  input: withLanguageFallback(z.object({ protocol: z.enum(protocols), ...provider }), ['zh', 'en']),
  output: z.object({ providerId: z.string() }),
  errors: [SecretNeeded, InAppSecretNeeded, AddressNeeded, InAppOfWechat],
})

export const editProvider = write('/admin/identity/provider/edit', {
  summary: 'Changes an identity provider. An empty secret keeps the stored one, unless the address or the client ID changes.',
  input: withLanguageFallback(z.object({ providerId: id, version: z.int().min(1), ...provider }), ['zh', 'en']),
  output: nothing,
  errors: [AddressUsed, ChangedSince, SecretNeeded, InAppSecretNeeded, AddressNeeded, InAppOfWechat],
})

export const tryProvider = write('/admin/identity/provider/try', {
  summary: 'Tests the sign-in address of an identity provider, and returns the failure if there is one.',
  input: z.object({ providerId: id }),
  output: z.object({ failure: z.string().nullable() }),
})

export const removeProvider = write('/admin/identity/provider/remove', {
  summary: 'Removes an identity provider without linked accounts.',
  input: z.object({ providerId: id }),
  output: nothing,
  errors: [ProviderUsed],
})
