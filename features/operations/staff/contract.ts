import { z } from 'zod'
import { accountField, codeField, existingSecret, newSecret } from '#base/secret-input.ts'
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
  summary: 'Whether signing in from here asks for a captcha.',
  input: nothing,
  output: z.object({ needsCaptcha: z.boolean() }),
})

export const signIn = write('/admin/signIn', {
  summary: 'Begins a session of staff, in a cookie that no script reads.',
  input: z.object({ account: accountField.max(25), password: existingSecret, code: code.optional(), ...captchaFields }),
  /** Failed logins and password prompts since the last login. */
  output: z.object({ failures: z.number() }),
  errors: [TooManySignIns, WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const signOut = write('/admin/signOut', { summary: 'Ends this session of staff.', input: nothing, output: nothing })

export const enterForum = write('/admin/forum/enter', {
  summary: 'Begins a session in the forum, as the official member I speak as.',
  input: nothing,
  output: TokenPair,
})

export const prove = write('/admin/prove', {
  summary: 'Shows again that it is me, before a action that is dangerous. The fifth failure ends the session.',
  input: z.object({ password: existingSecret, code: code.optional() }),
  output: nothing,
  errors: [WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const ownSessions = read('/admin/session/list', {
  summary: 'Where I am signed in, newest first.',
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
  summary: 'Ends one of my sessions.',
  input: z.object({ sessionId: id }),
  output: nothing,
})

export const changeOwnPassword = write('/admin/password', {
  summary: 'Gives me another password and ends my other sessions.',
  input: z.object({ password: newSecret({ min: 10, max: 256 }) }),
  output: nothing,
  errors: [TooCommon],
})

export const beginSecondFactor = write('/admin/secondFactor/begin', {
  summary: 'A new secret for an authenticator app; it counts once a code of it was given.',
  input: nothing,
  output: AppSetup,
})

export const confirmSecondFactor = write('/admin/secondFactor/confirm', {
  summary: 'Shows that the app works, and gives ten recovery codes, once.',
  input: z.object({ code }),
  output: RecoveryCodesView,
  errors: [CodeWrong, NotBegun],
})

export const renewRecoveryCodes = write('/admin/secondFactor/codes', {
  summary: 'Gives ten new recovery codes, once; the old ones open nothing any more.',
  input: nothing,
  output: RecoveryCodesView,
})

export const removeSecondFactor = write('/admin/secondFactor/remove', {
  summary: 'Takes my second factor away.',
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
  summary: 'The roles of staff, with all rights there are.',
  input: nothing,
  output: z.object({ roles: z.array(StaffRoleView), rights: z.array(z.string()) }),
})

/** The version as it was read. */
const version = z.string().max(30).optional()

export const removeStaffRole = write('/admin/staffRole/remove', {
  summary: 'Removes a role of staff that nobody holds.',
  input: z.object({ roleId: id }),
  output: nothing,
  errors: [MoreThanOwn, RoleInUse],
})

export const staffList = read('/admin/staff/list', {
  summary: 'All staff, with their roles.',
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
  summary: 'Adds a member of staff, and the official member they speak as. The password is shown once.',
  input: z.object({ account: accountName, roleIds: z.array(id).max(50).default([]) }),
  output: z.object({ staffId: z.string(), password: z.string() }),
  errors: [NameTaken, MoreThanOwn],
})

export const editStaff = write('/admin/staff/edit', {
  summary: 'Gives staff their roles, and locks them out or in. The last administrator stays. Refuses where it is another version by now.',
  input: z.object({ staffId: id, version, roleIds: z.array(id).max(50).default([]), isDisabled: z.boolean() }),
  output: nothing,
  errors: [LastAdministrator, MoreThanOwn, StaffChanged],
})

export const resetStaff = write('/admin/staff/reset', {
  summary: 'Gives staff a new password, shown once, takes their second factor away and ends their sessions.',
  input: z.object({ staffId: id }),
  output: z.object({ password: z.string() }),
  errors: [MoreThanOwn],
})
