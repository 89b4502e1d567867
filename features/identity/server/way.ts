import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { beginningOf } from '#base/characters.ts'
import { type Output, type ParsedInput } from '#base/contract.ts'
import { plainLine } from '#base/plain-text.ts'
import type { Db } from '#base/server/database/database.ts'
import {
  isMember,
  SignedOut,
  type RunInSeparateTransaction,
  type PrepareContext,
  type ClientInfo,
  type Viewer,
} from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { Declined, ProviderFailed, WayExpired, type beginWay, type endWay } from '#identity/contract.ts'
import * as linked from '#identity/server/linked.ts'
import { enabled, isInApp, type ConfiguredProvider } from '#identity/server/known.ts'
import { providers } from '#identity/server/providers/providers.ts'
import { mustBeName, reasonOf, Refused, SentBack, type Person, type Way } from '#identity/server/providers/provider.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as ticket from '#identity/server/ticket.ts'

const minutes = 15
const longestName = 100

/** The redirect URI at every provider. */
export const wayBack = '/thirdParty/loginRedirect'

type Begun = { way: Way; redirectUrl: string }

/** The provider's authorization URL. */
export async function lead({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof beginWay>, Viewer>): Promise<Begun> {
  if (input.links) await mustBeThemselves(db, viewer)
  const found = await enabled(db, input.providerId, isInApp(client))
  // WeChat accepts only letters and digits.
  const state = hashOf(newToken()).toString('hex')
  const way = { state, nonce: newToken(), verifier: newToken(), redirectUri: client.origin + wayBack }
  const address = await tried(found, { client, inSeparateTransaction }, () => providers[found.protocol].leadTo(found.client, way))
  return { way, redirectUrl: address.href }
}

/** Stores the state of a login in progress. The answer is only accepted from the same browser. */
export async function begin(
  db: Db,
  viewer: Viewer,
  input: ParsedInput<typeof beginWay>,
  { way, redirectUrl }: Begun,
  client: ClientInfo,
): Promise<Output<typeof beginWay>> {
  await db
    .insertInto('identity_request')
    .values({
      state_hash: hashOf(way.state),
      provider_id: input.providerId,
      asker: client.csrf,
      member_id: input.links ? viewer.id : null,
      is_in_app: isInApp(client),
      nonce: way.nonce,
      verifier: way.verifier,
      jump_url: input.jumpUrl ?? null,
      expires_at: sql<Date>`now() + ${minutes} * interval '1 minute'`,
    })
    .execute()
  return { redirectUrl }
}

export type Came = { found: ConfiguredProvider; person: Person; memberId: string | null; jumpUrl: string | null }

/** Consumes the login in progress in any case, and asks the provider for the person. */
export async function arrive({
  db,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof endWay>, Viewer>): Promise<Came> {
  const answer = new URLSearchParams(input.answer)
  const state = answer.get('state') ?? ''
  const begun = await inSeparateTransaction((tx) =>
    tx
      .deleteFrom('identity_request')
      .where('state_hash', '=', hashOf(state))
      .where('asker', '=', client.csrf)
      .where(sql<boolean>`expires_at > now()`)
      .returning(['provider_id', 'member_id', 'is_in_app', 'nonce', 'verifier', 'jump_url'])
      .executeTakeFirst(),
  )
  if (!begun) throw WayExpired()
  const found = await enabled(db, begun.provider_id, begun.is_in_app)
  const way = { state, nonce: begun.nonce, verifier: begun.verifier, redirectUri: client.origin + wayBack }
  const person = await tried(found, { client, inSeparateTransaction }, () => whoCame(found, way, answer))
  if (person.flaw !== undefined) await noteFailure(inSeparateTransaction, found, person.flaw)
  return { found, person: { ...person, name: readable(person.name) }, memberId: begun.member_id, jumpUrl: begun.jump_url }
}

async function whoCame({ protocol, client }: ConfiguredProvider, way: Way, answer: URLSearchParams): Promise<Person> {
  const person = await providers[protocol].find(client, way, answer)
  for (const subject of [person.subject, person.formerly ?? person.subject]) mustBeName(subject)
  return person
}

// Display names of providers are free text.
function readable(name: string | null): string | null {
  const { data } = plainLine.safeParse(name ?? '')
  return beginningOf(data ?? '', longestName).trim() || null
}

/** Logs in the member of a linked identity, links it, or issues a ticket for a new one. */
export async function end(
  tx: Db,
  viewer: Viewer,
  { found, person, memberId, jumpUrl }: Came,
  client: ClientInfo,
): Promise<Output<typeof endWay>> {
  const told = { session: null, ticket: null, provider: found.view, name: person.name, jumpUrl }
  if (memberId !== null) {
    if (viewer.id !== memberId) throw WayExpired()
    await linked.linkAndTell(tx, memberId, found.id, person)
    return { ...told, outcome: 'linked' }
  }
  const owner = await linked.ownerOf(tx, found.id, person)
  if (owner !== null) return { ...told, outcome: 'loggedIn', session: await account.admit(tx, owner, client) }
  return { ...told, outcome: 'isNew', ticket: await ticket.give(tx, found.id, person, client) }
}

/** An unlocked device is not enough to link another person's identity. */
async function mustBeThemselves(db: Db, viewer: Viewer): Promise<void> {
  if (!isMember(viewer)) throw SignedOut()
  await secondFactor.requireRecentProof(db, viewer)
}

async function tried<T>(
  { id, view }: ConfiguredProvider,
  { client, inSeparateTransaction }: { client: ClientInfo; inSeparateTransaction: RunInSeparateTransaction },
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused) throw Declined()
    if (error instanceof SentBack) throw ProviderFailed({ name: view.name[client.language] })
    await noteFailure(inSeparateTransaction, { id }, reasonOf(error))
    throw ProviderFailed({ name: view.name[client.language] })
  }
}

/** Staff see it beside the provider. */
async function noteFailure(
  inSeparateTransaction: RunInSeparateTransaction,
  { id }: Pick<ConfiguredProvider, 'id'>,
  failure: string,
): Promise<void> {
  await inSeparateTransaction((tx) =>
    tx
      .updateTable('identity_provider')
      .set({ failed_at: sql`now()`, failure })
      .where('id', '=', id)
      .execute(),
  )
}
