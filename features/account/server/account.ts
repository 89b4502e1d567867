import * as captcha from '#captcha/server/captcha.ts'
import type { PrepareContext, Viewer } from '#base/server/http/route.ts'

export { isAdministrator, owed } from '#account/server/door.ts'
export { admit, handOver, letIn, mayComeIn } from '#account/server/login.ts'
export { remember as rememberBrowser } from '#account/server/known-browser.ts'
export { comparing, forgetFailures, keyFor, needsCaptcha, networkKeyOf, tellOfFailure, type Counted } from '#account/server/login-limits.ts'
export { hashPassword, isPassword } from '#base/server/security/hash-password.ts'
export { isCommon } from '#account/server/common-password.ts'
export { randomPassword } from '#account/server/password.ts'
export { addWithoutPassword } from '#account/server/register.ts'
export { forgetSealed } from '#account/server/register-by.ts'
export { mustHaveAgreed, termsOwed } from '#account/server/terms-owed.ts'
export { end as endSessionsNamed, endAll as endSessions } from '#account/server/token.ts'
export { viewerOf } from '#account/server/viewer-of.ts'

type Answer = { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined }

/** Refuses a login attempt without a captcha, where one is due. */
export async function mustPassCaptcha(
  { input, client, inSeparateTransaction }: PrepareContext<Answer, Viewer>,
  purpose: captcha.Purpose,
): Promise<void> {
  captcha.refuseUnless(await inSeparateTransaction((tx) => captcha.spend(tx, purpose, client, input)))
}
