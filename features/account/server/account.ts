import * as captcha from '#captcha/server/captcha.ts'
import { needsCaptcha } from '#account/server/login.ts'
import type { Before, Viewer } from '#base/server/route.ts'

export { needsCaptcha } from '#account/server/login.ts'
export { hashPassword, isCommon, isPassword, randomPassword } from '#account/server/password.ts'
export { end as endSessionsNamed, endAll as endSessions } from '#account/server/token.ts'

type Answer = { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined }

/** Refuses a proof that comes after too many that failed, from this address or under this name, without a captcha. */
export async function mustPassCaptcha(
  { db, input, from, apart }: Before<Answer, Viewer>,
  purpose: captcha.Purpose,
  key: string,
): Promise<void> {
  if (!(await needsCaptcha(db, from, key))) return
  captcha.refuseUnless(await apart((tx) => captcha.spend(tx, purpose, from, input)))
}
