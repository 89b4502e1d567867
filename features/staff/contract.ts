import { z } from 'zod'
import { plain } from '#base/plain-text.ts'
import { accountField, codeField, givenSecret, newSecret } from '#base/typed-secret.ts'
import { accountName, TokenPair } from '#account/contract.ts'
import { inEitherLanguage } from '#base/both-languages.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { captchaFields } from '#captcha/contract.ts'
import { MoreThanOwn, NameView, RoleChanged } from '#role/contract.ts'
import { Begun, RecoveryCodesView } from '#second-factor/contract.ts'
import { staffRights } from './rights.ts'

export { staffRights }

/** What concerns oneself alone, which all staff may do. */
export const own = 'self'

export const WrongSignIn = refusal('staff.wrongSignIn', { field: 'password' })
/** Told before anything is compared, whether there is such an account or not. */
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
/** Nobody judges what is their own. */
export const OwnCase = refusal('staff.ownCase', { status: 403 })

/** Six digits of an authenticator app, or a recovery code. */
const code = codeField.max(40)

export const signInForm = read('/admin/signInForm', {
  does: 'Whether signing in from here asks for a captcha.',
  takes: nothing,
  gives: z.object({ needsCaptcha: z.boolean() }),
})

export const signIn = write('/admin/signIn', {
  does: 'Begins a session of staff, in a cookie that no script reads.',
  takes: z.object({ account: accountField.max(25), password: givenSecret, code: code.optional(), ...captchaFields }),
  /** How often somebody failed to sign in or to prove it is them since the last time. */
  gives: z.object({ failures: z.number() }),
  refuses: [TooManySignIns, WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const signOut = write('/admin/signOut', { does: 'Ends this session of staff.', takes: nothing, gives: nothing })

export const enterForum = write('/admin/forum/enter', {
  does: 'Begins a session in the forum, as the official member I speak as.',
  takes: nothing,
  gives: TokenPair,
})

export const me = read('/admin/me', {
  does: 'Who I am in the administration, and what I may do there.',
  takes: nothing,
  gives: z.object({
    id: z.string(),
    account: z.string(),
    memberId: z.string(),
    rights: z.array(z.enum(staffRights)),
    /** What they have to do before they may do anything else. */
    owes: z.array(z.enum(['password', 'secondFactor'])),
    hasSecondFactor: z.boolean(),
    recoveryCodesLeft: z.number(),
    provedAt: z.iso.datetime(),
  }),
})

export const prove = write('/admin/prove', {
  does: 'Shows again that it is me, before a deed that is dangerous. The fifth failure ends the session.',
  takes: z.object({ password: givenSecret, code: code.optional() }),
  gives: nothing,
  refuses: [WrongSignIn, CodeNeeded, CodeWrong, TooManyCodes],
})

export const ownSessions = read('/admin/session/list', {
  does: 'Where I am signed in, newest first.',
  takes: nothing,
  gives: z.object({
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
  does: 'Ends one of my sessions.',
  takes: z.object({ sessionId: id }),
  gives: nothing,
})

export const changeOwnPassword = write('/admin/password', {
  does: 'Gives me another password and ends my other sessions.',
  takes: z.object({ password: newSecret({ min: 10, max: 256 }) }),
  gives: nothing,
  refuses: [TooCommon],
})

export const beginSecondFactor = write('/admin/secondFactor/begin', {
  does: 'A new secret for an authenticator app; it counts once a code of it was given.',
  takes: nothing,
  gives: Begun,
})

export const confirmSecondFactor = write('/admin/secondFactor/confirm', {
  does: 'Shows that the app works, and gives ten recovery codes, once.',
  takes: z.object({ code }),
  gives: RecoveryCodesView,
  refuses: [CodeWrong, NotBegun],
})

export const renewRecoveryCodes = write('/admin/secondFactor/codes', {
  does: 'Gives ten new recovery codes, once; the old ones open nothing any more.',
  takes: nothing,
  gives: RecoveryCodesView,
})

export const removeSecondFactor = write('/admin/secondFactor/remove', {
  does: 'Takes my second factor away.',
  takes: nothing,
  gives: nothing,
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
  does: 'The roles of staff, with all rights there are.',
  takes: nothing,
  gives: z.object({ roles: z.array(StaffRoleView), rights: z.array(z.string()) }),
})

/** As it was when it was read. */
const version = z.string().max(30).optional()

const roleName = plain.min(1).max(30).optional()
const roleForm = {
  zh: roleName,
  en: roleName,
  rights: z.array(z.enum(staffRights)).max(100).default([]),
}

export const addStaffRole = write('/admin/staffRole/add', {
  does: 'Makes a role of staff. Nobody gives rights they do not have.',
  takes: inEitherLanguage(z.object(roleForm), ['zh', 'en']),
  gives: z.object({ roleId: z.string() }),
  refuses: [MoreThanOwn],
})

export const editStaffRole = write('/admin/staffRole/edit', {
  does: 'Changes a role of staff. The administrator’s cannot be changed. Refuses where it is another version by now.',
  takes: inEitherLanguage(z.object({ roleId: id, version, ...roleForm }), ['zh', 'en']),
  gives: nothing,
  refuses: [MoreThanOwn, RoleChanged],
})

export const removeStaffRole = write('/admin/staffRole/remove', {
  does: 'Removes a role of staff that nobody holds.',
  takes: z.object({ roleId: id }),
  gives: nothing,
  refuses: [MoreThanOwn, RoleInUse],
})

export const staffList = read('/admin/staff/list', {
  does: 'All staff, with their roles.',
  takes: nothing,
  gives: z.object({
    staff: z.array(
      z.object({
        id: z.string(),
        account: z.string(),
        /** The official member they speak as, who may go by another name. */
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
  does: 'Adds a member of staff, and the official member they speak as. The password is shown once.',
  takes: z.object({ account: accountName, roleIds: z.array(id).max(50).default([]) }),
  gives: z.object({ staffId: z.string(), password: z.string() }),
  refuses: [NameTaken, MoreThanOwn],
})

export const editStaff = write('/admin/staff/edit', {
  does: 'Gives staff their roles, and locks them out or in. The last administrator stays. Refuses where it is another version by now.',
  takes: z.object({ staffId: id, version, roleIds: z.array(id).max(50).default([]), isDisabled: z.boolean() }),
  gives: nothing,
  refuses: [LastAdministrator, MoreThanOwn, StaffChanged],
})

export const resetStaff = write('/admin/staff/reset', {
  does: 'Gives staff a new password, shown once, takes their second factor away and ends their sessions.',
  takes: z.object({ staffId: id }),
  gives: z.object({ password: z.string() }),
  refuses: [MoreThanOwn],
})
