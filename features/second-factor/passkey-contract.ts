import { z } from 'zod'
import { nothing, write } from '#base/contract.ts'

const part = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most)
const credentialId = part(1400)
const Known = z.array(z.object({ id: z.string(), transports: z.array(z.string()) }))

/** What a device is to sign, in this browser and within five minutes. Where none is known that could, any passkey of this site may. */
export const PasskeyAsked = z.object({ challenge: z.string(), site: z.string(), known: Known })

/** What a device is to make a passkey of. */
export const PasskeyWanted = z.object({
  challenge: z.string(),
  site: z.string(),
  siteName: z.string(),
  userId: z.string(),
  account: z.string(),
  known: Known,
})

/** What a device signed. */
export const passkeyAnswer = z.object({
  id: credentialId,
  clientDataJSON: part(4000),
  authenticatorData: part(4000),
  signature: part(4000),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

/** A passkey that a device made. */
export const passkeyMade = z.object({
  id: credentialId,
  clientDataJSON: part(4000),
  attestationObject: part(20_000),
  /** How the device is reached, where the browser says so; what cannot be read of it is left out. */
  transports: z
    .array(z.string())
    .transform((all) => all.filter((one) => /^[\w-]{1,20}$/.test(one)).slice(0, 10))
    .default([]),
})
export type PasskeyMade = z.infer<typeof passkeyMade>

export const askPasskeyProof = write('/user/control/prove/passkey', {
  summary: 'What a passkey of mine is to sign, so that it shows that it is me.',
  input: nothing,
  output: PasskeyAsked,
  availableWhile: 'readOnly',
})
