import { z } from 'zod'
import { loginKinds } from '#account/login-contract.ts'
import { kinds } from '#contact/contract.ts'
import { documents } from '#real-name/contract.ts'
import { functions } from '#role/all-rights.ts'
import { NameView } from '#role/contract.ts'

const when = z.iso.datetime()

export const LoginView = z.object({
  id: z.string(),
  at: when,
  kind: z.enum(loginKinds),
  ip: z.string(),
  region: z.string().nullable(),
})

/** The functions of a new ban. */
export const bannedFrom = z.array(z.enum(functions)).min(1).max(functions.length)

export const BanView = z.object({
  id: z.string(),
  from: z.string(),
  reason: z.string(),
  givenAt: when,
  givenBy: z.string(),
  endsAt: when.nullable(),
  liftedAt: when.nullable(),
  liftedBy: z.string().nullable(),
  isRunning: z.boolean(),
})

export const LoginMethodsView = z.object({
  hasPassword: z.boolean(),
  contacts: z.array(z.object({ kind: z.enum(kinds), /** Masked. */ shownAs: z.string(), boundAt: when })),
  /** The accounts at other sites. */
  identities: z.array(z.object({ id: z.string(), provider: NameView, name: z.string().nullable(), linkedAt: when, usedAt: when })),
  passkeys: z.array(z.object({ id: z.string(), name: z.string(), madeAt: when, usedAt: when.nullable() })),
  /** When the second factor was turned on. */
  codesSince: when.nullable(),
  trustedDevices: z.number(),
})
export type LoginMethods = z.infer<typeof LoginMethodsView>

/** That the member was verified, without the identity. */
export const VerificationView = z.object({
  document: z.enum(documents),
  checkedBy: z.string(),
  checkedAt: when,
  isMinor: z.boolean(),
  /** The birthday of a minor who withdrew stays until they are of age. */
  withdrawnAt: when.nullable(),
})

export const SessionView = z.object({
  id: z.string(),
  ip: z.string(),
  region: z.string().nullable(),
  device: z.string(),
  startedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
})

export const ProgramTokenView = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether it may save drafts. */
  mayWrite: z.boolean(),
  madeAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  isExpired: z.boolean(),
  lastUsedAt: z.iso.datetime().nullable(),
})
