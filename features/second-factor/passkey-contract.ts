import { z } from 'zod'
import { nothing, write } from '#base/contract.ts'

const part = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most)
const credentialId = part(1400)
const Known = z.array(z.object({ id: z.string(), transports: z.array(z.string()) }))

/** The challenge that a device signs, in this browser and within five minutes. Without any known passkey, any of this site may sign. */
export const PasskeyAsked = z.object({ challenge: z.string(), site: z.string(), known: Known })

/** The options from which a device makes a passkey. */
export const PasskeyWanted = z.object({
  challenge: z.string(),
  site: z.string(),
  siteName: z.string(),
  userId: z.string(),
  account: z.string(),
  known: Known,
})

export const passkeyAnswer = z.object({
  id: credentialId,
  clientDataJSON: part(4000),
  authenticatorData: part(4000),
  signature: part(4000),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

export const passkeyMade = z.object({
  id: credentialId,
  clientDataJSON: part(4000),
  attestationObject: part(20_000),
  /** The device's transports, where the browser reports them; unknown ones are left out. */
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
