import { createHash } from 'node:crypto'
import { fetchConfigured } from '#base/server/outbound/safe-fetch.ts'
import {
  InvalidResponse,
  codeIn,
  fieldsOf,
  optionalTextIn,
  textIn,
  type Client,
  type Provider,
} from '#identity/server/providers/provider.ts'

/** GitHub, or a GitHub Enterprise Server. It speaks OAuth 2.0, and no OpenID Connect. */
export const github: Provider = {
  authorizationUrl(us, { state, verifier, redirectUri }) {
    const address = new URL('/login/oauth/authorize', site(us))
    address.search = new URLSearchParams({
      client_id: us.id,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).toString()
    return Promise.resolve(address)
  },

  async fetchPerson(us, { verifier, redirectUri }, answer) {
    const params = { client_id: us.id, client_secret: us.secret, code: codeIn(answer), redirect_uri: redirectUri, code_verifier: verifier }
    const tokenResponse = await fetchConfigured(new URL('/login/oauth/access_token', site(us)), {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(params).toString(),
      maxBytes: 100_000,
    })
    const token = textIn(fieldsOf(tokenResponse.status, tokenResponse.text), 'access_token')
    const userResponse = await fetchConfigured(
      us.address === null ? new URL('https://api.github.com/user') : new URL('/api/v3/user', us.address),
      {
        headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${token}`, 'user-agent': 'Teahouse' },
        maxBytes: 100_000,
      },
    )
    const person = fieldsOf(userResponse.status, userResponse.text)
    // A login can be given up and taken by another person; the number stays.
    const id = person['id']
    // An id beyond the safe integers would be rounded to that of others.
    if (!Number.isSafeInteger(id) || Number(id) <= 0) throw new InvalidResponse('The id in its answer names nobody')
    return { subject: String(id), name: optionalTextIn(person, 'name') ?? optionalTextIn(person, 'login') }
  },
}

function site({ address }: Client): string {
  return address ?? 'https://github.com'
}
