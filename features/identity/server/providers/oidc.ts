import * as client from 'openid-client'
import { askNamed } from '#base/server/safe-fetch.ts'
import { Absurd, Refused, SentBack, subjectIn, type Client, type Provider } from '#identity/server/providers/provider.ts'

/** Any provider of OpenID Connect: found by discovery, with PKCE, nonce and state. */
export const oidc: Provider = {
  async leadTo(us, { state, nonce, verifier, redirectUri }) {
    return client.buildAuthorizationUrl(await discover(us), {
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
  },

  async find(us, { state, nonce, verifier, redirectUri }, answer) {
    const came = new URL(redirectUri)
    came.search = answer.toString()
    const config = await discover(us)
    const tokens = await client
      .authorizationCodeGrant(config, came, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        if (!(error instanceof client.AuthorizationResponseError)) throw error
        throw error.error === 'access_denied' ? new Refused() : new SentBack(error.error)
      })
    const claims = tokens.claims()
    if (!claims) throw new Absurd('It gave no ID token')
    const subject = subjectIn(claims, 'sub')
    return { subject, name: called(claims) ?? called(await told(config, tokens.access_token, subject)) }
  },
}

function discover({ address, id, secret }: Client): Promise<client.Configuration> {
  const issuer = new URL(address ?? '')
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(issuer.hostname)
  return client.discovery(issuer, id, undefined, client.ClientSecretPost(secret), {
    [client.customFetch]: ask,
    // What does not leave the machine needs no TLS. A gateway between us ends it, so that signatures are looked at all the same.
    execute: [client.enableNonRepudiationChecks, ...(isHere ? [client.allowInsecureRequests] : [])],
  })
}

const ask: client.CustomFetch = async (address, { method, headers, body }) => {
  const { status, text, type } = await askNamed(new URL(address), {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body instanceof URLSearchParams && { body: body.toString() }),
    mostBytes: 1_000_000,
  })
  return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } })
}

// Many providers say how somebody is called only where they are asked for it.
async function told(config: client.Configuration, accessToken: string, subject: string): Promise<Record<string, unknown>> {
  if (!config.serverMetadata().userinfo_endpoint) return {}
  return client.fetchUserInfo(config, accessToken, subject)
}

function called(claims: Record<string, unknown>): string | null {
  const name = ['nickname', 'name', 'preferred_username'].map((claim) => claims[claim]).find((one) => typeof one === 'string' && one !== '')
  return typeof name === 'string' ? name : null
}
