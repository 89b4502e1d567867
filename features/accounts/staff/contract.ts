import { z } from 'zod'
import { accountField, codeField, existingSecret, newSecret, passwordAgain, passwordsDiffer, passwordsMatch } from '#base/secret-input.ts'
import { accountName, TokenPair } from '#account/contract.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { captchaFields } from '#captcha/contract.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'
import { AppSetup, RecoveryCodesView } from '#second-factor/contract.ts'

/** A pseudo-right for actions on one's own account, which all staff have. */
export const ownAccount = 'self'

export const WrongSignIn = refusal('staff.wrongSignIn', { field: 'password' })
/** Checked before the account, so that it does not disclose whether the account exists. */
export const TooManySignIns = refusal('staff.tooManySignIns', { status: 429, field: 'password' })
export const TooCommon = refusal('staff.tooCommon', { field: 'password' })
export const CodeNeeded = refusal('staff.codeNeeded', { field: 'code' })
export const CodeWrong = refusal('staff.codeWrong', { field: 'code' })
export const TooManyCodes = refusal('staff.tooManyCodes', { field: 'code' })
export const NotBegun = refusal('staff.notBegun', { field: 'code' })
export const LastAdministrator = refusal('staff.lastAdministrator')
export const RoleInUse = refusal('staff.roleInUse')
export const StaffChanged = refusal('staff.changed', { status: 409, field: 'version' })
export const NameTaken = refusal('staff.nameTaken', { field: 'account' })
/** Staff may not decide cases of their own. */
export const OwnCase = refusal('staff.ownCase', { status: 403 })

/** Six digits of an authenticator app, or a recovery code. */
const code = codeField.max(40)

export const signInForm = read('/admin/signInForm', {
  summary: 'Whether a sign-in to the administration from this client requires a captcha.',
  input: nothing,
  output: z.object({ needsCaptcha: z.boolean() }),
})

export const signIn = write('/admin/signIn', {
  summary: 'Starts a staff session in an HttpOnly cookie.',
  input: z.object({ account: accountField.max(25), password: existingSecret, code: code.optional(), ...captchaFields }),
  /** Failed logins and password prompts since the last login. */
  output: z.object({ failures: z.number() }),
  errors: [TooManySignIns, WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const signOut = write('/admin/signOut', { summary: 'Ends the current staff session.', input: nothing, output: nothing })

export const enterForum = write('/admin/forum/enter', {
  summary: 'Starts a forum session as the official member of the staff account.',
  input: nothing,
  output: TokenPair,
})

export const prove = write('/admin/prove', {
  summary: 'Re-authenticates the staff account before a sensitive action. The fifth failure ends the session.',
  input: z.object({ password: existingSecret, code: code.optional() }),
  output: nothing,
  errors: [WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const ownSessions = read('/admin/session/list', {
  summary: 'Sessions of the signed-in staff account, newest first.',
  input: nothing,
  output: z.object({
    sessions: z.array(
      z.object({
        id: z.string(),
        ip: z.string(),
        region: z.string().nullable(),
        userAgent: z.string(),
        beganAt: z.iso.datetime(),
        lastUsedAt: z.iso.datetime(),
        isThis: z.boolean(),
      }),
    ),
  }),
})

export const endOwnSession = write('/admin/session/end', {
  summary: 'Ends one of the sessions of the signed-in staff account.',
  input: z.object({ sessionId: id }),
  output: nothing,
})

export const changeOwnPassword = write('/admin/password', {
  summary: 'Changes the password of the signed-in staff account and ends its other sessions.',
  input: z.object({ password: newSecret({ min: 10, max: 256 }), passwordAgain }).refine(passwordsMatch, passwordsDiffer),
  output: nothing,
  errors: [TooCommon],
})

export const beginSecondFactor = write('/admin/secondFactor/begin', {
  summary: 'Creates a secret for an authenticator app. It takes effect once a code of the app is confirmed.',
  input: nothing,
  output: AppSetup,
})

export const confirmSecondFactor = write('/admin/secondFactor/confirm', {
  summary: 'Confirms the authenticator app with a code and returns ten recovery codes, shown once.',
  input: z.object({ code }),
  output: RecoveryCodesView,
  errors: [CodeWrong, NotBegun],
})

export const renewRecoveryCodes = write('/admin/secondFactor/codes', {
  summary: 'Replaces the recovery codes with ten new ones, shown once. The old ones become invalid.',
  input: nothing,
  output: RecoveryCodesView,
})

export const removeSecondFactor = write('/admin/secondFactor/remove', {
  summary: 'Turns off the second factor of the signed-in staff account.',
  input: nothing,
  output: nothing,
})

export const StaffRoleView = z.object({
  id: z.string(),
  name: NameView,
  isAdministrator: z.boolean(),
  rights: z.array(z.string()),
  holders: z.number(),
  version: z.string(),
})

export const staffRoles = read('/admin/staffRole/list', {
  summary: 'Staff roles, with all available rights.',
  input: nothing,
  output: z.object({ roles: z.array(StaffRoleView), rights: z.array(z.string()) }),
})

/** The version as it was read. */
const version = z.string().max(30).optional()

export const removeStaffRole = write('/admin/staffRole/remove', {
  summary: 'Removes a staff role without holders.',
  input: z.object({ roleId: id }),
  output: nothing,
  errors: [MoreThanOwn, RoleInUse],
})

export const staffList = read('/admin/staff/list', {
  summary: 'Staff accounts with their roles.',
  input: nothing,
  output: z.object({
    staff: z.array(
      z.object({
        id: z.string(),
        account: z.string(),
        /** The official forum member of the account, whose name may differ. */
        speaksAs: z.object({ id: z.string(), name: z.string() }),
        roleIds: z.array(z.string()),
        hasSecondFactor: z.boolean(),
        isDisabled: z.boolean(),
        version: z.string(),
        lastSeenAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
})

export const addStaff = write('/admin/staff/add', {
  summary: 'Adds a staff account with its official member. The password is shown once.',
  input: z.object({ account: accountName, roleIds: z.array(id).max(50).default([]) }),
  output: z.object({ staffId: z.string(), password: z.string() }),
  errors: [NameTaken, MoreThanOwn],
})

export const editStaff = write('/admin/staff/edit', {
  summary:
    'Changes the roles of a staff account, or locks or unlocks it, except the last administrator. Fails if it changed since it was read.',
  input: z.object({ staffId: id, version, roleIds: z.array(id).max(50).default([]), isDisabled: z.boolean() }),
  output: nothing,
  errors: [LastAdministrator, MoreThanOwn, StaffChanged],
})

export const resetStaff = write('/admin/staff/reset', {
  summary: 'Resets the password of a staff account, shows it once, turns off its second factor and ends its sessions.',
  input: z.object({ staffId: id }),
  output: z.object({ password: z.string() }),
  errors: [MoreThanOwn],
})
