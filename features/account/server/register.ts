import { AccountReserved, AccountTaken, PasswordCommon, type register } from '#account/contract.ts'
import * as captcha from '#captcha/server/captcha.ts'
import { hashPassword, isCommon } from '#account/server/password.ts'
import * as token from '#account/server/token.ts'
import { isDuplicate, type Db } from '#base/server/database.ts'
import type { Before, From, Viewer } from '#base/server/route.ts'
import type { Output, Taken } from '#base/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as user from '#user/server/user.ts'

type Form = Taken<typeof register>
export type Hashed = { password: string; hintAnswer: string }

/** Checks the form, spends the captcha, and only then says whether the name is taken: names cannot be tried out by machine. */
export async function prepare({ db, input, from, apart }: Before<Form, Viewer>): Promise<Hashed> {
  await setting.mustBeOpen(db, 'takesRegistrations')
  const { registerCaptcha, reservedNames } = await setting.all(db)
  if (user.isReserved(input.account, reservedNames)) throw AccountReserved()
  if (isCommon(input.password, input.account)) throw PasswordCommon()
  if (registerCaptcha) captcha.refuseUnless(await apart((tx) => captcha.spend(tx, 'register', from, input)))
  if (await user.isNameTaken(db, input.account)) throw AccountTaken()
  const [password, hintAnswer] = await Promise.all([hashPassword(input.password), hashPassword(folded(input.hintAnswer))])
  return { password, hintAnswer }
}

/** Makes the member and begins their first session. Two who want one name at once: one gets it. */
export async function join(tx: Db, form: Form, hashed: Hashed, from: From): Promise<Output<typeof register>> {
  const memberId = await add(tx, form, hashed, from).catch((error: unknown) => {
    throw isDuplicate(error) ? AccountTaken() : error
  })
  const pair = await token.begin(tx, memberId, from)
  return { ...pair, systemUser: await user.systemUser(tx, memberId) }
}

async function add(tx: Db, form: Form, hashed: Hashed, from: From): Promise<string> {
  const { id } = await tx
    .insertInto('member')
    .values({
      account: form.account,
      account_key: user.nameKey(form.account),
      password_hash: hashed.password,
      hint_question: form.hintQuestion,
      hint_answer_hash: hashed.hintAnswer,
      language: from.language,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function folded(answer: string): string {
  return answer.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')
}
