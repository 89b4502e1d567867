import { FunctionClosed, type Settings } from '#setting/contract.ts'
import * as captcha from '#captcha/server/captcha.ts'
import { sql } from 'kysely'
import { AccountReserved, AccountTaken, PasswordCommon, TooManyFromHere, type LoginMethod, type register } from '#account/contract.ts'
import { NicknameReserved, NicknameTaken } from '#user/contract.ts'
import { isCommon } from '#account/server/common-password.ts'
import * as token from '#account/server/token.ts'
import { hashPassword } from '#base/server/security/hash-password.ts'
import { isDuplicate, type Db } from '#base/server/database/database.ts'
import { inNetwork, customerNetwork, normalizeIp } from '#base/server/http/network.ts'
import { isLoopback } from '#base/server/http/rate-limit.ts'
import type { PrepareContext, ClientInfo, Viewer } from '#base/server/http/route.ts'
import type { Output, ParsedInput } from '#base/contract.ts'
import type { Answers } from '#field/contract.ts'
import * as field from '#field/server/field.ts'
import * as invitation from '#invitation/server/invitation.ts'
import * as sensitiveWord from '#sensitive-word/server/sensitive-word.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type Form = ParsedInput<typeof register>
type AccountFields = Pick<Form, 'account' | 'nickname' | 'answers' | 'invitation'>
type AccountFieldsWithHint = AccountFields & Partial<Pick<Form, 'hintQuestion'>>
export type PreparedAccount = { password: string | null; hintAnswer: string | null; answers: Answers }

/** Checks the form and spends the captcha before it says whether the name is taken, so that bots cannot enumerate names. */
export async function prepare({ db, input, client, inSeparateTransaction }: PrepareContext<Form, Viewer>): Promise<PreparedAccount> {
  const { registerCaptcha } = await assertMethodAllowed(db, 'account')
  const answers = await checkRegistration(db, input, client)
  if (await isCommon(input.password, input.account)) throw PasswordCommon()
  if (registerCaptcha) captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, 'register', client, input)))
  await assertNamesFree(db, input)
  const [password, hintAnswer] = await Promise.all([
    hashPassword(input.password),
    input.hintAnswer === undefined ? null : hashPassword(normalizeAnswer(input.hintAnswer)),
  ])
  return { password, hintAnswer, answers }
}

/** Makes an account without a password for an identity of a provider. Returns the member's id. */
export async function addWithoutPassword(tx: Db, form: AccountFields, client: ClientInfo): Promise<string> {
  const answers = await checkRegistration(tx, form, client)
  await assertNamesFree(tx, form)
  return addOnce(tx, form, { password: null, hintAnswer: null, answers }, client)
}

/** Refuses a method that staff disabled. Returns all settings for the next step. */
export async function assertMethodAllowed(db: Db, method: LoginMethod): Promise<Settings> {
  await setting.mustBeOpen(db, 'allowRegistrations')
  const settings = await setting.all(db)
  if (!settings.allowRegisterAccountType.includes(method)) throw FunctionClosed()
  return settings
}

/** Refuses forbidden names, and too many registrations from one network. Returns the answers as they are stored. */
export async function checkRegistration(
  db: Db,
  { account, nickname, answers, invitation: code }: AccountFields,
  { ip }: ClientInfo,
): Promise<Answers> {
  await setting.mustBeOpen(db, 'allowRegistrations')
  await invitation.assertValid(db, code)
  const { reservedNames, registrationsPerDay } = await setting.all(db)
  if (user.isReserved(account, reservedNames)) throw AccountReserved()
  if (nickname && user.isReserved(nickname, reservedNames)) throw NicknameReserved()
  await sensitiveWord.refuseIn(db, { account, nickname })
  const fitting = await field.validated(db, answers)
  if (registrationsPerDay > 0 && (await registrationsToday(db, ip)) >= registrationsPerDay) throw TooManyFromHere()
  return fitting
}

export async function assertNamesFree(db: Db, { account, nickname }: AccountFields): Promise<void> {
  if (await user.isNameTaken(db, account)) throw AccountTaken()
  if (nickname && (await user.isNameTaken(db, nickname))) throw NicknameTaken()
}

/** Makes the member and begins the first session. */
export async function complete(tx: Db, form: Form, prepared: PreparedAccount, client: ClientInfo): Promise<Output<typeof register>> {
  const memberId = await addOnce(tx, form, prepared, client)
  return finishRegistration(tx, memberId, client)
}

export async function finishRegistration(tx: Db, memberId: string, client: ClientInfo): Promise<Output<typeof register>> {
  const pair = await token.createSession(tx, memberId, client)
  return { ...pair, systemUser: await user.systemUser(tx, memberId) }
}

// Of two concurrent registrations of one name, one succeeds.
export function addOnce(tx: Db, form: AccountFieldsWithHint, prepared: PreparedAccount, client: ClientInfo): Promise<string> {
  return add(tx, form, prepared, client).catch((error: unknown) => {
    if (isDuplicate(error, 'member_nickname_key_key')) throw NicknameTaken()
    throw isDuplicate(error) ? AccountTaken() : error
  })
}

async function add(tx: Db, form: AccountFieldsWithHint, prepared: PreparedAccount, client: ClientInfo): Promise<string> {
  if (await user.isTaken(tx, form.account)) throw AccountTaken()
  if (form.nickname && (await user.isTaken(tx, form.nickname))) throw NicknameTaken()
  const { id } = await tx
    .insertInto('member')
    .values({
      account: form.account,
      account_key: user.nameKey(form.account),
      ...(form.nickname && !isNicknameAccount(form) && { nickname: form.nickname, nickname_key: user.nameKey(form.nickname) }),
      password_hash: prepared.password,
      hint_question: form.hintQuestion ?? null,
      hint_answer_hash: prepared.hintAnswer,
      language: client.language,
      joined_ip: normalizeIp(client.ip),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await invitation.consume(tx, form.invitation, id)
  await field.saveAnswers(tx, id, prepared.answers)
  const { registrationMode } = await setting.all(tx)
  if (registrationMode === 'approval') await tx.insertInto('registration_request').values({ member_id: id }).execute()
  return id
}

// A nickname equal to the account name says nothing new.
function isNicknameAccount({ account, nickname }: AccountFields): boolean {
  return user.nameKey(account) === user.nameKey(nickname)
}

async function registrationsToday(db: Db, ip: string): Promise<number> {
  // On the machine itself all visitors may come through one reverse proxy.
  if (isLoopback(ip)) return 0
  const { count } = await db
    .selectFrom('member')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(inNetwork('joined_ip', customerNetwork(ip)))
    .where(sql<boolean>`joined_at > now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return count
}

/** An answer regardless of its spelling. */
export function normalizeAnswer(answer: string): string {
  return answer.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}
