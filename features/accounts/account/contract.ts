import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { accountField, existingSecret, newSecret, passwordAgain, passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { id, nothing, read, refusal, TooManyHashes, write } from '#base/contract.ts'
import { captchaFields, CaptchaNeeded, CaptchaWrong } from '#captcha/contract.ts'
import { addressRefusals, code, CodeWrong, CountryView, emailFields, kinds, phoneFields, sendingRefusals } from '#contact/contract.ts'
import { TooManySent } from '#delivery/contract.ts'
import { answerRefusals, answers, FieldView } from '#field/contract.ts'
import { invitationField, invitationRefusals } from '#invitation/contract.ts'
import { ProveAgain, SecondStep, TooManyTries } from '#second-factor/contract.ts'
import { FunctionClosed, registrationModes, SystemUserView } from '#setting/contract.ts'
import { nickname, NicknameReserved, NicknameTaken } from '#user/contract.ts'

/** The browser answers this refusal with a dialog that asks for agreement. */
export const TermsFirst = refusal('account.termsFirst', { field: 'newTerms' })
export const AccountTaken = refusal('account.taken', { field: 'account' })
export const AccountReserved = refusal('account.reserved', { field: 'account' })
export const PasswordCommon = refusal('account.passwordCommon', { field: 'password' })
/** Only a caller who proved by a code that the address is theirs gets this answer. */
export const NoAccountThere = refusal('account.noAccountThere', { field: 'code' })
/** The ticket has expired, was used before, or was issued to another browser. */
export const RecoveryExpired = refusal('account.recoveryExpired')
export const RegisterExpired = refusal('account.registerExpired')
/** The link was used, an earlier link took the account back, or its seven days are over. */
export const TakeBackExpired = refusal('account.takeBackExpired')
export const WrongHint = refusal('account.wrongHint', { field: 'hintAnswer' })
export const WrongAddressLogin = refusal('account.wrongAddressLogin', { field: 'password' })
export const WrongLogin = refusal('account.wrongLogin', { field: 'password' })
/** Checked before the password is compared, and the same for accounts that do not exist. */
export const TooManyLogins = refusal('account.tooManyLogins', { status: 429, field: 'password' })
export const TooManyHints = refusal('account.tooManyHints', { status: 429, field: 'hintAnswer' })
/** Only a caller who knows the password gets this answer. */
export const AccountDisabled = refusal('account.disabled', { field: 'account' })
/** For staff, while the administration requires more than the password. */
export const ComeFromAdministration = refusal('account.comeFromAdministration', { field: 'password' })
export const PasswordOfStaff = refusal('account.passwordOfStaff', { field: 'oldPassword' })
export const OldPasswordWrong = refusal('account.oldPasswordWrong', { field: 'oldPassword' })
/** The token is unknown, expired, used before or of an ended session. */
export const RefreshWrong = refusal('account.refreshWrong', { status: 401 })
export const TooManyFromHere = refusal('account.tooManyFromHere', { field: 'account' })

/** Identifiers for login and registration. */
export const loginMethods = ['account', ...kinds] as const
export type LoginMethod = (typeof loginMethods)[number]

export const accountName = z
  .string()
  .min(3)
  .max(25)
  .regex(/^[A-Za-z0-9_]+$/)
export const password = newSecret({ min: 7, max: 256 })
export const hint = plainString.min(7).max(100)
export const newPassword = { password, passwordAgain }

export const TokenPair = z.object({ accessToken: z.string(), refreshToken: z.string(), systemUser: SystemUserView })

/** The result of proving an identity: a session, or the second step that is still due. */
export const LoginView = z.union([TokenPair, z.object({ secondFactor: SecondStep })])

export const registerForm = read('/account/registerForm', {
  summary: 'State and mode of registration, its methods, whether it requires a captcha, and the profile fields.',
  input: nothing,
  output: z.object({
    isOpen: z.boolean(),
    mode: z.enum(registrationModes),
    needsCaptcha: z.boolean(),
    ways: z.array(z.enum(loginMethods)),
    countries: z.array(CountryView),
    fields: z.array(FieldView),
  }),
})

export const suggestAccount = read('/account/suggestName', {
  summary: 'A suggested account name that resembles the nickname, with digits. It may be taken, which the registration checks.',
  input: z.object({ nickname: nickname.pipe(z.string().min(1)) }),
  output: z.object({ account: z.string() }),
})

export const register = write('/account/register', {
  summary: 'Registers an account and signs in. A hint question with its answer for account recovery is optional.',
  input: z
    .object({
      account: accountName,
      password,
      passwordAgain,
      nickname: nickname.default(''),
      hintQuestion: hint.optional(),
      hintAnswer: hint.optional(),
      answers: answers.default({}),
      ...invitationField,
      agrees: z.boolean().refine((agrees) => agrees, { params: { code: 'account.mustAgree' } }),
      ...captchaFields,
    })
    .refine(passwordsMatch, passwordsDiffer)
    .refine(({ hintQuestion, hintAnswer }) => !hintQuestion === !hintAnswer, {
      path: ['hintAnswer'],
      params: { code: 'validation.required' },
    }),
  output: TokenPair,
  errors: [
    FunctionClosed,
    AccountTaken,
    AccountReserved,
    NicknameTaken,
    NicknameReserved,
    PasswordCommon,
    CaptchaNeeded,
    CaptchaWrong,
    TooManyFromHere,
    TooManyHashes,
    ...invitationRefusals,
    ...answerRefusals,
  ],
})

export const loginForm = read('/account/loginForm', {
  summary:
    'Sign-in methods and their code channels, supported countries, whether a captcha is required, and whether accounts can be recovered.',
  input: nothing,
  output: z.object({
    needsCaptcha: z.boolean(),
    ways: z.array(z.enum(loginMethods)),
    /** The methods above that take a code instead of the password. */
    codes: z.array(z.enum(kinds)),
    countries: z.array(CountryView),
    /** Whether a forgotten password can be reset, or staff can be written to. */
    canRecover: z.boolean(),
  }),
})

export const login = write('/account/login', {
  summary: 'Starts a session, or returns the required second step.',
  input: z.object({ account: accountField.min(1).max(90), password: existingSecret, ...captchaFields }),
  output: LoginView,
  errors: [FunctionClosed, TooManyLogins, WrongLogin, AccountDisabled, ComeFromAdministration, CaptchaNeeded, CaptchaWrong, TooManyHashes],
  availableWhile: 'readOnly',
})

/** A phone number or an e-mail address, as typed. */
export const typedAddress = {
  kind: z.enum(kinds),
  phone: phoneFields.phone.optional(),
  countryCode: phoneFields.countryCode,
  email: emailFields.email.optional(),
}

export const sendLoginCode = write('/account/loginCode', {
  summary: 'Sends a sign-in code to a phone number or an e-mail address, whether or not it is bound. Requires a captcha.',
  input: z.object({ ...typedAddress, ...captchaFields }),
  output: nothing,
  errors: [FunctionClosed, ...sendingRefusals],
  availableWhile: 'readOnly',
})

export const loginBy = write('/account/loginBy', {
  summary: 'Starts a session for the account of a phone number or an e-mail address, by the password or by a code sent there.',
  input: z
    .object({ ...typedAddress, password: existingSecret.optional(), code: code.optional(), ...captchaFields })
    .refine((form) => form.password !== undefined || form.code !== undefined, {
      path: ['password'],
      params: { code: 'validation.required' },
    }),
  output: LoginView,
  errors: [
    FunctionClosed,
    WrongAddressLogin,
    TooManyLogins,
    NoAccountThere,
    CodeWrong,
    AccountDisabled,
    ComeFromAdministration,
    CaptchaNeeded,
    CaptchaWrong,
    TooManyHashes,
    ...addressRefusals,
  ],
  availableWhile: 'readOnly',
})

export const logout = write('/account/logout', {
  summary: 'Ends the current session, or the one given by its refresh token or by the token’s SHA-256 in base64url.',
  input: z.object({
    token: z
      .string()
      .regex(/^[\w-]{43}$/)
      .optional(),
  }),
  output: nothing,
  availableWhile: 'closed',
})

export const refreshToken = write('/refreshToken', {
  summary: 'Exchanges the refresh token in the Authorization header for new tokens. Fails for an invalid token; returns nulls without one.',
  input: nothing,
  output: z.object({
    accessToken: z.string().nullable(),
    refreshToken: z.string().nullable(),
    systemUser: SystemUserView.nullable(),
  }),
  errors: [RefreshWrong],
  availableWhile: 'closed',
})

export const changePassword = write('/user/control/changePassword', {
  summary:
    'Changes the password, ends all other sessions and all tokens, and notifies the owner. With a second factor it requires re-authentication.',
  input: z.object({ oldPassword: existingSecret, ...newPassword }).refine(passwordsMatch, passwordsDiffer),
  output: nothing,
  errors: [OldPasswordWrong, PasswordOfStaff, PasswordCommon, ProveAgain, TooManySent, TooManyTries, TooManyHashes],
  availableWhile: 'readOnly',
})

export const sessions = read('/user/control/sessions', {
  summary: 'Active sessions of the member.',
  input: nothing,
  output: z.object({
    sessions: z.array(
      z
        .object({ id: z.string(), ip: z.string(), region: z.string().nullable(), device: z.string(), isThis: z.boolean() })
        .extend({ startedAt: z.iso.datetime(), lastUsedAt: z.iso.datetime() }),
    ),
    /** The number of tokens of the member’s programs, which end with the other sessions. */
    tokens: z.number(),
  }),
})

export const endSession = write('/user/control/session/end', {
  summary: 'Ends one of the member’s sessions.',
  input: z.object({ sessionId: id }),
  output: nothing,
  availableWhile: 'readOnly',
})

export const endOtherSessions = write('/user/control/session/endOthers', {
  summary: 'Ends all of the member’s sessions except the current one, and the tokens of their programs.',
  input: nothing,
  output: nothing,
  availableWhile: 'readOnly',
})
