import { createHmac } from 'node:crypto'
import { WrongHint, TooManyHints } from '#account/contract.ts'
import type { hintOfAccount, myHint, recoverByHint, setMyHint } from '#account/recover-contract.ts'
import * as knownBrowser from '#account/server/known-browser.ts'
import { inventedQuestions } from '#account/server/invented-questions.ts'
import { normalizeAnswer } from '#account/server/register.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import * as attempts from '#base/server/security/attempts.ts'
import type { Db } from '#base/server/database/database.ts'
import { hashPassword, isPassword } from '#base/server/security/hash-password.ts'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import type { PrepareContext, Member, Viewer } from '#base/server/http/route.ts'
import { hashOf, secretOf } from '#base/server/security/secret.ts'
import * as contact from '#contact/server/contact.ts'
import * as secondFactor from '#second-factor/server/second-factor.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

const maxTriesPerDay = 5
/** Stops one network from going through a list of accounts. */
const maxTriesPerNetworkPerDay = 50
const day = 86_400

/** Spends the captcha, so that bots cannot collect questions. */
export async function prepareQuestion(context: PrepareContext<ParsedInput<typeof hintOfAccount>, Viewer>): Promise<void> {
  await assertHintsAllowed(context.db)
  await contact.spendCaptcha(context)
}

/** The question of an account. An account that does not exist or has none gets an invented one, always the same. */
export async function questionOf(db: Db, account: string): Promise<Output<typeof hintOfAccount>> {
  const key = user.nameKey(account)
  const member = await find(db, key)
  const { defaultLanguage } = await setting.all(db)
  const all = inventedQuestions[defaultLanguage === 'en_US' ? 'en' : 'zh']
  const number = createHmac('sha256', await secretOf(db, 'hint'))
    .update(key)
    .digest()
    .readUInt32BE(0)
  return { question: member?.hint_question ?? all[number % all.length] ?? '' }
}

/** Counts the attempt before the answer is compared, also for accounts that do not exist. Returns the member's id. */
export async function verifyAnswer(context: PrepareContext<ParsedInput<typeof recoverByHint>, Viewer>): Promise<string> {
  const { db, input, client, inSeparateTransaction } = context
  await assertHintsAllowed(db)
  await contact.spendCaptcha(context)
  const key = user.nameKey(input.account)
  const member = await find(db, key)
  // Attempts by strangers do not lock the owner out of a browser that logged in before.
  const isKnown = await knownBrowser.isKnown(db, member?.id ?? null, client)
  const ofAccount = {
    key: `hint ${key}${isKnown ? ` ${hashOf(client.csrf).toString('base64url')}` : ''}`,
    most: maxTriesPerDay,
    seconds: day,
  }
  // On the machine itself all visitors may come through one reverse proxy.
  const ofNetwork =
    isKnown || isLoopback(client.ip) ? [] : [{ key: attempts.networkKey('hint', client.ip), most: maxTriesPerNetworkPerDay, seconds: day }]
  const seconds = await inSeparateTransaction((tx) => attempts.take(tx, [ofAccount, ...ofNetwork]))
  if (seconds > 0) throw TooManyHints({ seconds, hours: Math.ceil(seconds / 3_600) })
  const isTheirs = await isPassword(member?.hint_answer_hash ?? null, normalizeAnswer(input.hintAnswer))
  if (!member || !isTheirs) throw WrongHint()
  return member.id
}

export async function read(db: Db, { id }: Member): Promise<Output<typeof myHint>> {
  const { recoverByHint: isAsked } = await setting.all(db)
  const { hint_question } = await db.selectFrom('member').select('hint_question').where('id', '=', id).executeTakeFirstOrThrow()
  return { question: hint_question, isAsked }
}

/** An unlocked device is not enough to choose the question. */
export async function prepareSave({ db, viewer, input }: PrepareContext<ParsedInput<typeof setMyHint>, Member>): Promise<string> {
  await secondFactor.requireRecentProof(db, viewer)
  return hashPassword(normalizeAnswer(input.hintAnswer))
}

/** Sets the member's own question with its answer, and notifies the owner. Call it last in a transaction. */
export async function save(tx: Db, { id }: Member, hintQuestion: string, hashed: string): Promise<void> {
  await tx.updateTable('member').set({ hint_question: hintQuestion, hint_answer_hash: hashed }).where('id', '=', id).execute()
  await contact.revokePendingCredentials(tx, id)
  await contact.recordChange(tx, id, 'hint', await contact.addressesOf(tx, id))
}

async function assertHintsAllowed(db: Db): Promise<void> {
  if (!(await setting.all(db)).recoverByHint) throw FunctionClosed()
}

function find(db: Db, key: string) {
  return db
    .selectFrom('member')
    .select(['id', 'hint_question', 'hint_answer_hash'])
    .where('account_key', '=', key)
    .where('deactivated_at', 'is', null)
    .where('hint_question', 'is not', null)
    .executeTakeFirst()
}
