import type { z } from 'zod'
import { later } from '#base/web/lazy-part.ts'
import { toast } from '#base/web/toast.tsx'
import type { PasskeyAnswer, PasskeyRequest, PasskeyRegistration, PasskeyCreation } from '#second-factor/passkey-contract.ts'

type PasskeyRequestOptions = z.infer<typeof PasskeyRequest>
type PasskeyCreationOptions = z.infer<typeof PasskeyCreation>
type Words = (key: 'passkeyNotShown' | 'noPasskeysHere') => string

/** Requests a signature by a passkey from the browser. Null where the person cancelled, after an error message. */
export async function showPasskey({ challenge, site, known }: PasskeyRequestOptions, words: Words): Promise<PasskeyAnswer | null> {
  return orReport(words, async ({ startAuthentication }) => {
    const { id, response } = await startAuthentication({
      optionsJSON: { challenge, rpId: site, userVerification: 'required', allowCredentials: known.map(descriptorOf) },
    })
    return { id, clientDataJSON: response.clientDataJSON, authenticatorData: response.authenticatorData, signature: response.signature }
  })
}

/** Has the browser make a passkey. Null where the person cancelled, after an error message. */
export async function makePasskey(options: PasskeyCreationOptions, words: Words): Promise<PasskeyRegistration | null> {
  const { challenge, site, siteName, userId, account, known } = options
  return orReport(words, async ({ startRegistration }) => {
    const { id, response } = await startRegistration({
      optionsJSON: {
        challenge,
        rp: { id: site, name: siteName },
        user: { id: userId, name: account, displayName: account },
        // Ed25519, P-256, RSA.
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
        excludeCredentials: known.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      },
    })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return { id, clientDataJSON, attestationObject, transports }
  })
}

type Library = typeof import('@simplewebauthn/browser')

async function orReport<T>(words: Words, show: (library: Library) => Promise<T>): Promise<T | null> {
  try {
    const library = await later(import('@simplewebauthn/browser'))
    if (library.browserSupportsWebAuthn()) return await show(library)
    toast(words('noPasskeysHere'))
  } catch (error) {
    // Browsers do not distinguish a cancellation from a missing passkey.
    console.info('No passkey was shown', error)
    toast(words('passkeyNotShown'))
  }
  return null
}

function descriptorOf({ id, transports }: PasskeyRequestOptions['known'][number]) {
  return { id, type: 'public-key' as const, transports: transports as AuthenticatorTransport[] }
}
