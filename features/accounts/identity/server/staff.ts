import { sql } from 'kysely'
import * as audit from '#audit/server/audit.ts'
import { Missing, type Output, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { PrepareContext, ClientInfo, StaffActor, Staff } from '#base/server/http/route.ts'
import { AddressNeeded, AddressUsed, InAppOfWechat, InAppSecretNeeded, ProviderUsed, SecretNeeded } from '#identity/contract.ts'
import type { Protocol } from '#identity/protocols.ts'
import { clientOf, protocolOf, sealSecret, viewOf } from '#identity/server/provider-queries.ts'
import { providers } from '#identity/server/providers/providers.ts'
import { reasonOf } from '#identity/server/providers/provider.ts'
import { redirectPath } from '#identity/server/provider-login.ts'
import type { addProvider, editProvider, providerList, tryProvider } from '#identity/staff-contract.ts'

export async function list(db: Db, { origin }: ClientInfo): Promise<Output<typeof providerList>> {
  const rows = await db
    .selectFrom('identity_provider')
    .select(['id', 'protocol', 'name_zh', 'name_en', 'address', 'client_id', 'in_app_client_id', 'is_enabled', 'sort', 'version'])
    .select(['failed_at', 'failure'])
    .select(linkedWith(sql`true`).as('members'))
    .select(linkedWith(sql`not has_password`).as('without'))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  return {
    redirectUri: origin + redirectPath,
    providers: rows.map(({ failed_at, failure, ...row }) => ({
      id: row.id,
      protocol: protocolOf(row.protocol),
      name: viewOf(row).name,
      address: row.address,
      clientId: row.client_id,
      inAppClientId: row.in_app_client_id,
      isEnabled: row.is_enabled,
      sort: row.sort,
      version: row.version,
      members: row.members,
      without: row.without,
      failure: failed_at && { at: failed_at.toISOString(), says: failure ?? '' },
    })),
  }
}

function linkedWith(what: ReturnType<typeof sql>) {
  return sql<number>`(select count(*)::int from member_identity join member on member.id = member_id
    where provider_id = identity_provider.id and ${what})`
}

type Draft = Omit<ParsedInput<typeof editProvider>, 'providerId' | 'version'>

export async function add(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { protocol, ...draft }: ParsedInput<typeof addProvider>,
): Promise<{ providerId: string }> {
  const row = rowOf(protocol, draft, null)
  const { id } = await tx
    .insertInto('identity_provider')
    .values({ protocol, ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  await audit.note(tx, by, client, {
    action: 'identityProvider.add',
    about: `identityProvider ${id}`,
    after: { protocol, ...auditDetails(draft) },
  })
  return { providerId: id }
}

export async function edit(
  tx: Db,
  by: StaffActor,
  client: ClientInfo,
  { providerId, version, ...draft }: ParsedInput<typeof editProvider>,
): Promise<void> {
  const before = await tx.selectFrom('identity_provider').selectAll().where('id', '=', providerId).forUpdate().executeTakeFirst()
  if (!before) throw Missing()
  await audit.refuseIfChanged(tx, `identityProvider ${providerId}`, before.version, version)
  if ((before.address ?? '') !== draft.address) await assertNotLinked(tx, providerId)
  await tx
    .updateTable('identity_provider')
    .set({ ...rowOf(protocolOf(before.protocol), draft, before), version: version + 1, failed_at: null, failure: null })
    .where('id', '=', providerId)
    .execute()
  const { name_zh: zh, name_en: en, address, client_id: clientId, in_app_client_id: inAppClientId, is_enabled: isEnabled, sort } = before
  await audit.note(tx, by, client, {
    action: 'identityProvider.edit',
    about: `identityProvider ${providerId}`,
    before: { zh, en, address: address ?? '', clientId, inAppClientId: inAppClientId ?? '', isEnabled, sort },
    after: auditDetails(draft),
  })
}

async function assertNotLinked(tx: Db, providerId: string): Promise<void> {
  const one = await tx.selectFrom('member_identity').select('id').where('provider_id', '=', providerId).limit(1).executeTakeFirst()
  if (one) throw AddressUsed()
}

/** Refuses a provider that accounts are linked with: they may have no other login method. */
export async function remove(tx: Db, by: StaffActor, client: ClientInfo, providerId: string): Promise<void> {
  const row = await tx
    .selectFrom('identity_provider')
    .select(['protocol', 'name_zh as zh', 'name_en as en', 'address', 'client_id as clientId'])
    .select(linkedWith(sql`true`).as('members'))
    .where('id', '=', providerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw Missing()
  const { members, ...before } = row
  if (members > 0) throw ProviderUsed({ members })
  await tx.deleteFrom('identity_provider').where('id', '=', providerId).execute()
  await audit.note(tx, by, client, { action: 'identityProvider.remove', about: `identityProvider ${providerId}`, before })
}

export async function prepareTry({ db, input, client }: PrepareContext<ParsedInput<typeof tryProvider>, Staff>): Promise<string | null> {
  const row = await db.selectFrom('identity_provider').selectAll().where('id', '=', input.providerId).executeTakeFirst()
  if (!row) throw Missing()
  try {
    const way = { state: 'try', nonce: 'try', verifier: 'try', redirectUri: client.origin + redirectPath }
    await providers[protocolOf(row.protocol)].authorizationUrl(clientOf(row, false), way)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

type ProviderRow = {
  address: string | null
  client_id: string
  client_secret: Buffer
  in_app_client_id: string | null
  in_app_client_secret: Buffer | null
}

/** The row of a form. An unchanged secret stays where it is still valid. */
function rowOf(protocol: Protocol, draft: Draft, before: ProviderRow | null) {
  const address = draft.address === '' ? null : draft.address
  if (protocol === 'oidc' && address === null) throw AddressNeeded()
  if (draft.inAppClientId !== '' && protocol !== 'wechat') throw InAppOfWechat()
  const whose = { protocol, address }
  const isSamePlace = before !== null && before.address === address
  const storedSecret = isSamePlace && before.client_id === draft.clientId ? before.client_secret : null
  const keptInApp = isSamePlace && before.in_app_client_id === draft.inAppClientId ? before.in_app_client_secret : null
  const secret = draft.clientSecret === '' ? storedSecret : sealSecret(whose, draft.clientId, draft.clientSecret)
  const inAppSecret = draft.inAppClientSecret === '' ? keptInApp : sealSecret(whose, draft.inAppClientId, draft.inAppClientSecret)
  if (secret === null) throw SecretNeeded()
  if (draft.inAppClientId !== '' && inAppSecret === null) throw InAppSecretNeeded()
  const hasInApp = draft.inAppClientId !== ''
  return {
    name_zh: draft.zh,
    name_en: draft.en,
    address,
    client_id: draft.clientId,
    client_secret: secret,
    in_app_client_id: hasInApp ? draft.inAppClientId : null,
    in_app_client_secret: hasInApp ? inAppSecret : null,
    is_enabled: draft.isEnabled,
    sort: draft.sort,
  }
}

// The audit log only says that a secret was replaced.
function auditDetails({ clientSecret, inAppClientSecret, ...draft }: Draft) {
  return { ...draft, ...(clientSecret !== '' && { clientSecret: true }), ...(inAppClientSecret !== '' && { inAppClientSecret: true }) }
}
