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
    const subject = subjectIn(claims, 'sub')
    const name = displayNameIn(claims)
    if (name !== null) return { subject, name }
    const { fields, ...flaw } = await optional(() => userInfo(config, tokens.access_token, subject))
    return { subject, ...flaw, name: displayNameIn(fields) }
  },
}

const authMethods: Readonly<Record<string, (secret: string) => client.ClientAuth>> = {
  client_secret_basic: client.ClientSecretBasic,
  client_secret_post: client.ClientSecretPost,
  client_secret_jwt: client.ClientSecretJwt,
}

/**
 * The methods that the provider announces. Where it announces none, the first is the standard's default, and the second is accepted by some
 * all the same.
 */
function authMethodsOf({ token_endpoint_auth_methods_supported: named }: Partial<client.ServerMetadata>) {
  const known = Object.keys(authMethods).filter((one) => named?.includes(one))
  return known.length > 0 ? known : ['client_secret_basic', 'client_secret_post']
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
      const isUnknown = error instanceof client.ResponseBodyError && (error.error === 'invalid_client' || error.status === 401)
      if (!isUnknown || nth + 1 >= authMethodsOf(config.serverMetadata()).length) throw error
    }
  }
}

function discover({ address, id, secret }: Client, nth = 0): Promise<client.Configuration> {
  const issuer = new URL(address ?? '')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname)
  const authenticate: client.ClientAuth = (server, ...more) => authMethods[authMethodsOf(server)[nth] ?? '']?.(secret)(server, ...more)
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
