import { createSign, generateKeyPairSync } from 'node:crypto'
import { serveJson, type Call } from '#base/testing/fake-server.ts'

type Claims = Record<string, unknown>

export type FakeProvider = {
  issuer: string
  /** Transforms the correct claims. */
  alterClaims: (claims: Claims) => Claims
  /** Signs with an unpublished key. */
  usesUnknownKey: boolean
  /** Claims that the token is unsigned. */
  isUnsigned: boolean
  /** The response of the userinfo endpoint; undefined for a 404, null for a provider without that endpoint. */
  userinfo: unknown
  /** The methods of client authentication that it announces; null for none. */
  authMethods: readonly string[] | null
  /** The answer to a client whose header is not this one; null where every client is let in. */
  authorization: string | null
  refuses: () => Response
  /** The path of a request that is never answered. */
  hangsAt: string | null
  close(): Promise<void>
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An OpenID Connect provider that issues a token for every code, with the claims a test wants. The code is the nonce of the request. */
export async function fakeProvider(clientId: string): Promise<FakeProvider> {
  const publishedKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const hidden = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const liar: FakeProvider = {
    issuer: '',
    alterClaims: (claims) => claims,
    usesUnknownKey: false,
    isUnsigned: false,
    userinfo: null,
    authMethods: null,
    authorization: null,
    refuses: () => Response.json({ error: 'invalid_client' }, { status: 401 }),
    hangsAt: null,
    close: () => served.close(),
  }

  function answerTo({ path, form, authorization }: Call, issuer: string): unknown {
    if (path === liar.hangsAt) return new Promise(() => undefined)
    if (path === '/keys') return { keys: [{ ...publishedKeys.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }
    if (path === '/userinfo') return liar.userinfo
    if (path === '/token' && ![null, authorization].includes(liar.authorization)) return liar.refuses()
    if (path === '/token') return { access_token: 'one', token_type: 'Bearer', id_token: idToken(issuer, form.get('code') ?? '') }
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(liar.userinfo !== null && { userinfo_endpoint: `${issuer}/userinfo` }),
      response_types_supported: ['code'],
      ...(liar.authMethods && { token_endpoint_auth_methods_supported: liar.authMethods }),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }
  }

  function idToken(issuer: string, nonce: string): string {
    const now = Math.floor(Date.now() / 1000)
    const claims = liar.alterClaims({ iss: issuer, aud: clientId, sub: 'somebody', name: 'Somebody', iat: now, exp: now + 300, nonce })
    const signed = `${base64({ alg: liar.isUnsigned ? 'none' : 'RS256', kid: 'one' })}.${base64(claims)}`
    if (liar.isUnsigned) return `${signed}.`
    const { privateKey } = liar.usesUnknownKey ? hidden : publishedKeys
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`
  }

  const served = await serveJson(answerTo)
  return Object.assign(liar, { issuer: served.address })
}
