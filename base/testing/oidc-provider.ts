import { generateKeyPairSync } from 'node:crypto'
import { Provider, type Configuration } from 'oidc-provider'
import { afterFile } from '#base/testing/after-file.ts'
import { serve } from '#base/testing/fake-server.ts'

export type TestProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The account that logs in; null declines. */
  person: { id: string; name: string } | null
}

type Method = 'client_secret_basic' | 'client_secret_post' | 'client_secret_jwt'
/** The client authentication method that is required, and those that the provider announces. */
type ClientAuthentication = { method?: Method; named?: readonly Method[] }

/** A real OpenID Connect provider for one test file. Every login is `person`, without a prompt. */
export async function openIdProvider(redirectUri: string, takes: ClientAuthentication = {}): Promise<TestProvider> {
  const test: TestProvider = {
    issuer: '',
    clientId: 'teahouse',
    clientSecret: 'a-secret-that-only-the-two-of-them-know',
    person: { id: 'lin', name: 'Lin Xi' },
  }
  const served = await serve((address) => {
    const provider = new Provider(address, configurationOf(test, redirectUri, takes))
    const answer = provider.callback()
    return (request, response) => {
      if (!request.url?.startsWith('/who/')) return void answer(request, response)
      const { person } = test
      void provider.interactionFinished(request, response, person ? { login: { accountId: person.id } } : { error: 'access_denied' })
    }
  })
  afterFile(served.close)
  return Object.assign(test, { issuer: served.address })
}

function configurationOf(
  test: TestProvider,
  redirectUri: string,
  { method = 'client_secret_post', named }: ClientAuthentication,
): Configuration {
  return {
    clients: [
      {
        client_id: test.clientId,
        client_secret: test.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: method,
      },
    ],
    jwks: {
      keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }],
    },
    ...(named && { clientAuthMethods: [...named] }),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    cookies: { keys: ['of this test alone'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/who/${uid}` },
    claims: { openid: ['sub'], profile: ['name'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...(test.person && { name: test.person.name }) }) }),
    async loadExistingGrant({ oidc }) {
      const clientId = oidc.client?.clientId
      const accountId = oidc.session?.accountId
      if (!clientId || !accountId) return undefined
      const grant = new oidc.provider.Grant({ clientId, accountId })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
  }
}
