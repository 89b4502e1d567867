import * as captcha from '#captcha/server/captcha.ts'
import type { PrepareContext, Viewer } from '#base/server/http/route.ts'

export { isAdministrator, pendingStaffSteps } from '#account/server/staff-login.ts'
export { loginAs, loginFromAdministration, finishLogin, canLogIn } from '#account/server/login.ts'
export { recordBrowser } from '#account/server/known-browser.ts'
export {
  countingFailures,
  clearFailures,
  failureCounterFor,
  needsCaptcha,
  networkKeyOf,
  notifyOfFailures,
  type FailureCounter,
} from '#account/server/login-limits.ts'
export { hashPassword, isPassword } from '#base/server/security/hash-password.ts'
export { isCommon } from '#account/server/common-password.ts'
export { randomPassword } from '#account/server/password.ts'
export { addWithoutPassword } from '#account/server/register.ts'
export { purgeUndecryptable } from '#account/server/register-by.ts'
export { requireTermsAgreement, termsDeadline } from '#account/server/terms-agreement.ts'
export { endAllSessions, endSessions, holdSession } from '#account/server/end-sessions.ts'
export { endLastingCredentials, lastingCredentials, type LastingCredential } from '#account/server/credentials.ts'
export { viewerOf } from '#account/server/viewer-of.ts'

type CaptchaAnswer = { captchaId?: string | undefined; captcha?: string | undefined; captchaWork?: number | undefined }

/** Refuses a login attempt without a captcha, where one is due. */
export async function requireCaptcha(
  { input, client, inSeparateTransaction }: PrepareContext<CaptchaAnswer, Viewer>,
  purpose: captcha.Purpose,
): Promise<void> {
  captcha.requireRight(await inSeparateTransaction((tx) => captcha.consume(tx, purpose, client, input)))
}
