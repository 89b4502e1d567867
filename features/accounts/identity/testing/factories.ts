import { openIdProvider, type TestProvider } from '#base/testing/oidc-provider.ts'
import type { Visitor } from '#base/testing/visitor.ts'
import { addProvider } from '#identity/staff-contract.ts'

/** A real OpenID Connect provider, which `chief` has added to the login methods, and which redirects back to `home`. */
export async function anAddedProvider(chief: Pick<Visitor, 'call'>, home: string): Promise<{ provider: TestProvider; providerId: string }> {
  const provider = await openIdProvider(home)
  const { providerId } = await chief.call(addProvider, {
    protocol: 'oidc',
    zh: '公司',
    en: 'Company',
    address: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    isEnabled: true,
  })
  return { provider, providerId }
}
