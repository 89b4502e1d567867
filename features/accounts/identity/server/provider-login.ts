import { sql } from 'kysely'
import * as account from '#account/server/account.ts'
import { firstCharacters } from '#base/characters.ts'
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
import { enabledProvider, isInApp, type ConfiguredProvider } from '#identity/server/provider-queries.ts'
import { providers } from '#identity/server/providers/providers.ts'
import {
  assertSubject,
  reasonOf,
  PersonDeclined,
  RedirectError,
  type Person,
  type LoginRequest,
} from '#identity/server/providers/provider.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import * as ticket from '#identity/server/ticket.ts'

const minutes = 15
const maxNameLength = 100

/** The redirect URI at every provider. */
export const redirectPath = '/thirdParty/loginRedirect'

type StartedLogin = { way: LoginRequest; redirectUrl: string }

/** The provider's authorization URL. */
export async function prepareStart({
  db,
  viewer,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof beginWay>, Viewer>): Promise<StartedLogin> {
  if (input.links) await requireRecentProof(db, viewer)
  const found = await enabledProvider(db, input.providerId, isInApp(client))
  // WeChat accepts only letters and digits.
  const state = hashOf(newToken()).toString('hex')
  const request = { state, nonce: newToken(), verifier: newToken(), redirectUri: client.origin + redirectPath }
  const address = await callProvider(found, { client, inSeparateTransaction }, () =>
    providers[found.protocol].authorizationUrl(found.client, request),
  )
  return { way: request, redirectUrl: address.href }
}

/** Stores the state of a login in progress. The answer is only accepted from the same browser. */
export async function start(
  db: Db,
  viewer: Viewer,
  input: ParsedInput<typeof beginWay>,
  { way, redirectUrl }: StartedLogin,
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

export type ProviderLogin = { provider: ConfiguredProvider; person: Person; memberId: string | null; jumpUrl: string | null }

/** Consumes the login in progress in any case, and asks the provider for the person. */
export async function prepareEnd({
  db,
  input,
  client,
  inSeparateTransaction,
}: PrepareContext<ParsedInput<typeof endWay>, Viewer>): Promise<ProviderLogin> {
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
  const found = await enabledProvider(db, begun.provider_id, begun.is_in_app)
  const request = { state, nonce: begun.nonce, verifier: begun.verifier, redirectUri: client.origin + redirectPath }
  const person = await callProvider(found, { client, inSeparateTransaction }, () => personFrom(found, request, answer))
  if (person.flaw !== undefined) await recordFailure(inSeparateTransaction, found, person.flaw)
  return { provider: found, person: { ...person, name: readableName(person.name) }, memberId: begun.member_id, jumpUrl: begun.jump_url }
}

async function personFrom({ protocol, client }: ConfiguredProvider, request: LoginRequest, answer: URLSearchParams): Promise<Person> {
  const person = await providers[protocol].fetchPerson(client, request, answer)
  for (const subject of [person.subject, person.formerSubject ?? person.subject]) assertSubject(subject)
  return person
}

// Display names of providers are free text.
function readableName(name: string | null): string | null {
  const { data } = plainLine.safeParse(name ?? '')
  return firstCharacters(data ?? '', maxNameLength).trim() || null
}

/** Logs in the member of a linked identity, links it, or issues a ticket for a new one. */
export async function end(
  tx: Db,
  viewer: Viewer,
  { provider, person, memberId, jumpUrl }: ProviderLogin,
  client: ClientInfo,
): Promise<Output<typeof endWay>> {
  const result = { session: null, ticket: null, provider: provider.view, name: person.name, jumpUrl }
  if (memberId !== null) {
    if (!isMember(viewer) || viewer.id !== memberId) throw WayExpired()
    await account.holdSession(tx, viewer)
    await linked.linkAndNotify(tx, memberId, provider.id, person)
    return { ...result, outcome: 'linked' }
  }
  const owner = await linked.ownerOf(tx, provider.id, person)
  if (owner !== null) return { ...result, outcome: 'loggedIn', session: await account.loginAs(tx, owner, client) }
  return { ...result, outcome: 'isNew', ticket: await ticket.issue(tx, provider.id, person, client) }
}

/** An unlocked device is not enough to link another person's identity. */
async function requireRecentProof(db: Db, viewer: Viewer): Promise<void> {
  if (!isMember(viewer)) throw SignedOut()
  await secondFactor.requireRecentProof(db, viewer)
}

async function callProvider<T>(
  { id, view }: ConfiguredProvider,
  { client, inSeparateTransaction }: { client: ClientInfo; inSeparateTransaction: RunInSeparateTransaction },
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PersonDeclined) throw Declined()
    if (error instanceof RedirectError) throw ProviderFailed({ name: view.name[client.language] })
    await recordFailure(inSeparateTransaction, { id }, reasonOf(error))
    throw ProviderFailed({ name: view.name[client.language] })
  }
}

/** Staff see it beside the provider. */
async function recordFailure(
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
