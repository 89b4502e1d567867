import { sql } from 'kysely'
import type { z } from 'zod'
import { lazy } from '#base/lazy.ts'
import { isDuplicate, primary, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { PasskeyKnown, PasskeyWrong } from '#second-factor/contract.ts'
import type { PasskeyAnswer, PasskeyAsked, PasskeyMade, PasskeyWanted } from '#second-factor/passkey-contract.ts'

const minutes = 5

type Purpose = 'add' | 'login' | 'prove' | 'step2'
/** The purpose of a signature, and its member; null where the member is not known yet. */
type About = { purpose: Purpose; memberId: string | null }

/** Issues a challenge for a signature: for one use, in this browser. For a known member, by one of their passkeys. */
export async function ask(tx: Db, about: About, client: ClientInfo): Promise<z.infer<typeof PasskeyAsked>> {
  return {
    challenge: await challenge(tx, about, client),
    site: siteOf(client),
    known: about.memberId ? await knownOf(tx, about.memberId) : [],
  }
}

/** Issues the options for another passkey of a member. */
export async function want(
  tx: Db,
  memberId: string,
  names: { siteName: string; account: string },
  client: ClientInfo,
): Promise<z.infer<typeof PasskeyWanted>> {
  const asked = await ask(tx, { purpose: 'add', memberId }, client)
  return { ...asked, ...names, userId: Buffer.from(memberId).toString('base64url') }
}

export type Fresh = { credentialId: string; publicKey: Buffer; counter: number; transports: string[] }

/** Verifies a passkey that a device made. The challenge is consumed in any case. */
export async function made(
  inSeparateTransaction: RunInSeparateTransaction,
  memberId: string,
  its: PasskeyMade,
  client: ClientInfo,
): Promise<Fresh> {
  const asked = await spend(inSeparateTransaction, its.clientDataJSON, { purpose: 'add', memberId }, client)
  const { id, clientDataJSON, attestationObject, transports } = its
  const response = { ...shapeOf(id), response: { clientDataJSON, attestationObject } }
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({ response, ...expected(asked, client) }).catch(() => null)
  if (!verified?.verified) throw PasskeyWrong()
  const { credential } = verified.registrationInfo
  return { credentialId: credential.id, publicKey: Buffer.from(credential.publicKey), counter: credential.counter, transports }
}

export async function add(tx: Db, memberId: string, fresh: Fresh, name: string): Promise<void> {
  const { credentialId: credential_id, publicKey: public_key, counter, transports } = fresh
  await tx
    .insertInto('passkey')
    .values({ member_id: memberId, credential_id, public_key, counter: String(counter), transports, name })
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? PasskeyKnown() : error
    })
}

/** Verifies a signature and returns the owner of the passkey. The challenge is consumed in any case. */
export async function verify(
  inSeparateTransaction: RunInSeparateTransaction,
  its: PasskeyAnswer,
  about: About,
  client: ClientInfo,
): Promise<string> {
  const asked = await spend(inSeparateTransaction, its.clientDataJSON, about, client)
  const row = await inSeparateTransaction((tx) =>
    tx
      .selectFrom('passkey')
      .select(['id', 'member_id', 'public_key', 'counter'])
      .where('credential_id', '=', its.id)
      .$if(about.memberId !== null, (query) => query.where('member_id', '=', about.memberId ?? ''))
      .executeTakeFirst(),
  )
  if (!row) throw PasskeyWrong()
  const { id, ...response } = its
  const credential = { id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) }
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: { ...shapeOf(id), response },
    credential,
    ...expected(asked, client),
  }).catch(() => null)
  if (!verified?.verified) throw PasskeyWrong()
  await inSeparateTransaction((tx) => counted(tx, row.id, verified.authenticationInfo.newCounter))
  return row.member_id
}

/** The passkeys of a member, oldest first. */
export async function list(db: Db, memberId: string) {
  return primary(db)
    .selectFrom('passkey')
    .select(['id', 'name', 'made_at', 'used_at'])
    .where('member_id', '=', memberId)
    .orderBy('id')
    .execute()
}

export async function rename(tx: Db, memberId: string, passkeyId: string, name: string): Promise<boolean> {
  const row = await tx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function remove(tx: Db, memberId: string, passkeyId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkey')
    .where('id', '=', passkeyId)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function knownOf(db: Db, memberId: string): Promise<z.infer<typeof PasskeyAsked>['known']> {
  const rows = await db.selectFrom('passkey').select(['credential_id', 'transports']).where('member_id', '=', memberId).execute()
  return rows.map(({ credential_id: id, transports }) => ({ id, transports }))
}

async function challenge(tx: Db, { purpose, memberId }: About, client: ClientInfo): Promise<string> {
  const made = newToken()
  const expires_at = sql<Date>`now() + ${minutes} * interval '1 minute'`
  await tx
    .insertInto('passkey_challenge')
    .values({ hash: hashOf(made), asker: client.csrf, purpose, member_id: memberId, expires_at })
    .execute()
  return made
}

async function spend(
  inSeparateTransaction: RunInSeparateTransaction,
  clientDataJSON: string,
  { purpose, memberId }: About,
  client: ClientInfo,
): Promise<string> {
  const said = challengeIn(clientDataJSON)
  const row = await inSeparateTransaction((tx) =>
    tx
      .deleteFrom('passkey_challenge')
      .where('hash', '=', hashOf(said))
      .where('asker', '=', client.csrf)
      .where('purpose', '=', purpose)
      .where('member_id', memberId === null ? 'is' : '=', memberId)
      .where(sql<boolean>`expires_at > now()`)
      .returning('hash')
      .executeTakeFirst(),
  )
  if (!row) throw PasskeyWrong()
  return said
}

function challengeIn(clientDataJSON: string): string {
  try {
    return String((JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown } | null)?.challenge)
  } catch {
    return ''
  }
}

// A passkey that counts must show a higher count than before. Of two concurrent signatures with one count, one is accepted.
async function counted(tx: Db, passkeyId: string, counter: number): Promise<void> {
  const row = await tx
    .updateTable('passkey')
    .set({ counter: String(counter), used_at: sql`now()` })
    .where('id', '=', passkeyId)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw PasskeyWrong()
}

// It warns at the terminal of an experimental feature of Node, so it loads with the first passkey.
const library = lazy(() => import('@simplewebauthn/server'))

function expected(expectedChallenge: string, client: ClientInfo) {
  return { expectedChallenge, expectedOrigin: client.origin, expectedRPID: siteOf(client), requireUserVerification: true }
}

function siteOf({ origin }: ClientInfo): string {
  return new URL(origin).hostname
}

function shapeOf(id: string) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
}
