import { anOpenIdProvider, type TestProvider } from '#base/testing/oidc-provider.ts'
import type { Visitor } from '#base/testing/visit.ts'
import { addProvider } from '#identity/staff-contract.ts'

/** A real provider of OpenID Connect, which `chief` has added to those one may log in by, and which sends people back to `home`. */
export async function anAddedProvider(chief: Pick<Visitor, 'call'>, home: string): Promise<{ provider: TestProvider; providerId: string }> {
  const provider = await anOpenIdProvider(home)
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
