import { z } from 'zod'
import { nothing, write } from '#base/contract.ts'

const base64Part = (most: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(most)
const credentialId = base64Part(1400)
const KnownCredentials = z.array(z.object({ id: z.string(), transports: z.array(z.string()) }))

/** The challenge that a device signs, in this browser and within five minutes. Without any known passkey, any of this site may sign. */
export const PasskeyRequest = z.object({ challenge: z.string(), site: z.string(), known: KnownCredentials })

/** The options from which a device makes a passkey. */
export const PasskeyCreation = z.object({
  challenge: z.string(),
  site: z.string(),
  siteName: z.string(),
  userId: z.string(),
  account: z.string(),
  known: KnownCredentials,
})

export const passkeyAnswer = z.object({
  id: credentialId,
  clientDataJSON: base64Part(4000),
  authenticatorData: base64Part(4000),
  signature: base64Part(4000),
})
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>

export const passkeyRegistration = z.object({
  id: credentialId,
  clientDataJSON: base64Part(4000),
  attestationObject: base64Part(20_000),
  /** The device's transports, where the browser reports them; unknown ones are left out. */
  transports: z
    .array(z.string())
    .transform((all) => all.filter((one) => /^[\w-]{1,20}$/.test(one)).slice(0, 10))
    .default([]),
})
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>

export const askPasskeyProof = write('/user/control/prove/passkey', {
  summary: 'Creates a challenge for re-authentication, to be signed by one of the member’s passkeys.',
  input: nothing,
  output: PasskeyRequest,
  availableWhile: 'readOnly',
})
