import { sql } from 'kysely'
import type { z } from 'zod'
import { lazy } from '#base/lazy.ts'
import { isDuplicate, primary, type Db } from '#base/server/database/database.ts'
import type { RunInSeparateTransaction, ClientInfo } from '#base/server/http/route.ts'
import { hashOf, newToken } from '#base/server/security/secret.ts'
import { PasskeyKnown, PasskeyWrong } from '#second-factor/contract.ts'
import type { PasskeyAnswer, PasskeyRequest, PasskeyRegistration, PasskeyCreation } from '#second-factor/passkey-contract.ts'

const minutes = 5

type Purpose = 'add' | 'login' | 'prove' | 'step2'
/** The purpose of a signature, and its member; null where the member is not known yet. */
type ChallengeContext = { purpose: Purpose; memberId: string | null }

/** Issues a challenge for a signature: for one use, in this browser. For a known member, by one of their passkeys. */
export async function requestPasskeySignature(
  tx: Db,
  context: ChallengeContext,
  client: ClientInfo,
): Promise<z.infer<typeof PasskeyRequest>> {
  return {
    challenge: await createChallenge(tx, context, client),
    site: siteOf(client),
    known: context.memberId ? await credentialsOf(tx, context.memberId) : [],
  }
}

/** Issues the options for another passkey of a member. */
export async function requestPasskeyRegistration(
  tx: Db,
  memberId: string,
  names: { siteName: string; account: string },
  client: ClientInfo,
): Promise<z.infer<typeof PasskeyCreation>> {
  const challenge = await requestPasskeySignature(tx, { purpose: 'add', memberId }, client)
  return { ...challenge, ...names, userId: Buffer.from(memberId).toString('base64url') }
}

export type NewPasskey = { credentialId: string; publicKey: Buffer; counter: number; transports: string[] }

/** Verifies a passkey that a device made. The challenge is consumed in any case. */
export async function verifyPasskeyRegistration(
  inSeparateTransaction: RunInSeparateTransaction,
  memberId: string,
  registration: PasskeyRegistration,
  client: ClientInfo,
): Promise<NewPasskey> {
  const challenge = await consumeChallenge(inSeparateTransaction, registration.clientDataJSON, { purpose: 'add', memberId }, client)
  const { id, clientDataJSON, attestationObject, transports } = registration
  const response = { ...credentialShape(id), response: { clientDataJSON, attestationObject } }
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({ response, ...expectations(challenge, client) }).catch(() => null)
  if (!verified?.verified) throw PasskeyWrong()
  const { credential } = verified.registrationInfo
  return { credentialId: credential.id, publicKey: Buffer.from(credential.publicKey), counter: credential.counter, transports }
}

export async function addPasskey(tx: Db, memberId: string, newPasskey: NewPasskey, name: string): Promise<void> {
  const { credentialId: credential_id, publicKey: public_key, counter, transports } = newPasskey
  await tx
    .insertInto('passkey')
    .values({ member_id: memberId, credential_id, public_key, counter: String(counter), transports, name })
    .execute()
    .catch((error: unknown) => {
      throw isDuplicate(error) ? PasskeyKnown() : error
    })
}

/** Verifies a signature and returns the owner of the passkey. The challenge is consumed in any case. */
export async function verifyPasskey(
  inSeparateTransaction: RunInSeparateTransaction,
  answer: PasskeyAnswer,
  context: ChallengeContext,
  client: ClientInfo,
): Promise<string> {
  const challenge = await consumeChallenge(inSeparateTransaction, answer.clientDataJSON, context, client)
  const row = await inSeparateTransaction((tx) =>
    tx
      .selectFrom('passkey')
      .select(['id', 'member_id', 'public_key', 'counter'])
      .where('credential_id', '=', answer.id)
      .$if(context.memberId !== null, (query) => query.where('member_id', '=', context.memberId ?? ''))
      .executeTakeFirst(),
  )
  if (!row) throw PasskeyWrong()
  const { id, ...response } = answer
  const credential = { id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) }
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: { ...credentialShape(id), response },
    credential,
    ...expectations(challenge, client),
  }).catch(() => null)
  if (!verified?.verified) throw PasskeyWrong()
  await inSeparateTransaction((tx) => updateCounter(tx, row.id, verified.authenticationInfo.newCounter))
  return row.member_id
}

/** The passkeys of a member, oldest first. */
export async function passkeys(db: Db, memberId: string) {
  return primary(db)
    .selectFrom('passkey')
    .select(['id', 'name', 'made_at', 'used_at'])
    .where('member_id', '=', memberId)
    .orderBy('id')
    .execute()
}

export async function renamePasskey(tx: Db, memberId: string, passkeyId: string, name: string): Promise<boolean> {
  const row = await tx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', passkeyId)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function removePasskey(tx: Db, memberId: string, passkeyId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkey')
    .where('id', '=', passkeyId)
    .where('member_id', '=', memberId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function credentialsOf(db: Db, memberId: string): Promise<z.infer<typeof PasskeyRequest>['known']> {
  const rows = await db.selectFrom('passkey').select(['credential_id', 'transports']).where('member_id', '=', memberId).execute()
  return rows.map(({ credential_id: id, transports }) => ({ id, transports }))
}

async function createChallenge(tx: Db, { purpose, memberId }: ChallengeContext, client: ClientInfo): Promise<string> {
  const challenge = newToken()
  const expires_at = sql<Date>`now() + ${minutes} * interval '1 minute'`
  await tx
    .insertInto('passkey_challenge')
    .values({ hash: hashOf(challenge), asker: client.csrf, purpose, member_id: memberId, expires_at })
    .execute()
  return challenge
}

async function consumeChallenge(
  inSeparateTransaction: RunInSeparateTransaction,
  clientDataJSON: string,
  { purpose, memberId }: ChallengeContext,
  client: ClientInfo,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON)
  const row = await inSeparateTransaction((tx) =>
    tx
      .deleteFrom('passkey_challenge')
      .where('hash', '=', hashOf(challenge))
      .where('asker', '=', client.csrf)
      .where('purpose', '=', purpose)
      .where('member_id', memberId === null ? 'is' : '=', memberId)
      .where(sql<boolean>`expires_at > now()`)
      .returning('hash')
      .executeTakeFirst(),
  )
  if (!row) throw PasskeyWrong()
  return challenge
}

function challengeIn(clientDataJSON: string): string {
  try {
    return String((JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown } | null)?.challenge)
  } catch {
    return ''
  }
}

// A passkey that counts must show a higher count than before. Of two concurrent signatures with one count, one is accepted.
async function updateCounter(tx: Db, passkeyId: string, counter: number): Promise<void> {
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

function expectations(expectedChallenge: string, client: ClientInfo) {
  return { expectedChallenge, expectedOrigin: client.origin, expectedRPID: siteOf(client), requireUserVerification: true }
}

function siteOf({ origin }: ClientInfo): string {
  return new URL(origin).hostname
}

function credentialShape(id: string) {
  return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
}
