import * as client from 'openid-client'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import {
  InvalidResponse,
  optional,
  PersonDeclined,
  RedirectError,
  subjectIn,
  type Client,
  type Provider,
} from '#identity/server/providers/provider.ts'

/** Any OpenID Connect provider: found by discovery, with PKCE, nonce and state. */
export const oidc: Provider = {
  async authorizationUrl(us, { state, nonce, verifier, redirectUri }) {
    const config = await discover(us)
    const { scopes_supported: scopes } = config.serverMetadata()
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: !scopes || scopes.includes('profile') ? 'openid profile' : 'openid',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
  },

  async fetchPerson(us, { state, nonce, verifier, redirectUri }, answer) {
    const redirectUrl = new URL(redirectUri)
    redirectUrl.search = answer.toString()
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const { config, tokens } = await tokensFor(us, redirectUrl, checks)
    const claims = tokens.claims()
    if (!claims) throw new InvalidResponse('It gave no ID token')
    if (claims.iat > Date.now() / 1_000 + clockToleranceSeconds) throw new InvalidResponse('Its ID token was issued in the future')
    const subject = subjectIn(claims, 'sub')
    const name = displayNameIn(claims)
    if (name !== null) return { subject, name }
    const { fields, ...flaw } = await optional(() => userInfo(config, tokens.access_token, subject))
    return { subject, ...flaw, name: displayNameIn(fields) }
  },
}

/** How much the clocks of two machines may differ. */
const clockToleranceSeconds = 60

type AuthMethod = (secret: string) => client.ClientAuth

// The standard encodes id and secret before they are joined. Some providers compare without decoding.
const plainBasic: AuthMethod = (secret) => (_, us, __, headers) =>
  headers.set('authorization', `Basic ${Buffer.from(`${us.client_id}:${secret}`).toString('base64')}`)

const authMethods: Readonly<Record<string, readonly AuthMethod[]>> = {
  client_secret_basic: [client.ClientSecretBasic, plainBasic],
  client_secret_post: [client.ClientSecretPost],
  client_secret_jwt: [client.ClientSecretJwt],
}

/**
 * The methods that the provider announces. Where it announces none, the first is the standard's default, and the second is accepted by some
 * all the same.
 */
function authMethodsOf({ token_endpoint_auth_methods_supported: named }: Partial<client.ServerMetadata>, { id, secret }: Client) {
  const known = Object.keys(authMethods).filter((one) => named?.includes(one))
  const methods = (known.length > 0 ? known : ['client_secret_basic', 'client_secret_post']).flatMap((name) => authMethods[name] ?? [])
  const isSameEncoded = /^[A-Za-z0-9]*$/.test(id + secret)
  return methods.filter((method) => method !== plainBasic || !isSameEncoded)
}

/** A provider may announce several methods, and hold this client to one of them: after a failed authentication the next is tried. */
async function tokensFor(us: Client, redirectUrl: URL, checks: client.AuthorizationCodeGrantChecks) {
  for (let nth = 0; ; nth++) {
    const config = await discover(us, nth)
    try {
      return { config, tokens: await client.authorizationCodeGrant(config, redirectUrl, checks) }
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError)
        throw error.error === 'access_denied' ? new PersonDeclined() : new RedirectError(error.error)
      if (!isUnknownClient(error) || nth + 1 >= authMethodsOf(config.serverMetadata(), us).length) throw error
    }
  }
}

/** A failed authentication, also one that is told by its status alone. */
function isUnknownClient(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError)
    return ['invalid_client', 'unauthorized_client'].includes(error.error) || error.status === 401
  return error instanceof client.ClientError && error.cause instanceof Response && error.cause.status === 401
}

function discover(us: Client, nth = 0): Promise<client.Configuration> {
  const { address, id, secret } = us
  const issuer = new URL(address ?? '')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname)
  const authenticate: client.ClientAuth = (server, ...more) => authMethodsOf(server, us)[nth]?.(secret)(server, ...more)
  return client.discovery(issuer, id, undefined, authenticate, {
    [client.customFetch]: ask,
    // Loopback traffic needs no TLS. A gateway ends TLS before us, so signatures are verified all the same.
    execute: [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])],
  })
}

const ask: client.CustomFetch = async (address, { method, headers, body }) => {
  const { status, text, type } = await fetchConfigured(new URL(address), {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    maxBytes: 1_000_000,
  })
  return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } })
}

// Many providers return the display name only from the userinfo endpoint.
async function userInfo(config: client.Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
  if (!config.serverMetadata().userinfo_endpoint) return {}
  return client.fetchUserInfo(config, accessToken, subject)
}

function displayNameIn(claims: Record<string, unknown>): string | null {
  const name = ['nickname', 'name', 'preferred_username'].map((claim) => claims[claim]).find((one) => typeof one === 'string' && one !== '')
  return typeof name === 'string' ? name : null
}
