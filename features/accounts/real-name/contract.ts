import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { typedString } from '#base/plain-text.ts'

/** The documents that name and number come from. */
export const documents = ['chineseId', 'other'] as const
export type Document = (typeof documents)[number]

/** The requirement for posting. A bound phone is enough for the first, a checked name and number for both. */
export const requirements = ['nobody', 'phone', 'identity'] as const

/** Shown beside the form, with a link to the verification. */
export const PhoneFirst = refusal('realName.phoneFirst', { field: 'verifyFirst' })
export const IdentityFirst = refusal('realName.identityFirst', { field: 'verifyFirst' })
export const verifyRefusals = [PhoneFirst, IdentityFirst]

export const NotOffered = refusal('realName.notOffered')
export const CheckedAlready = refusal('realName.checkedAlready')
export const NotChecked = refusal('realName.notChecked')
export const WrongName = refusal('realName.wrongName', { field: 'name' })
export const WrongIdNumber = refusal('realName.wrongIdNumber', { field: 'number' })
export const WrongBirthday = refusal('realName.wrongBirthday', { field: 'birthday' })
/** The provider says that name and number do not belong together. */
export const NotTheSame = refusal('realName.notTheSame', { field: 'number' })
/** Only a member who proved that the number is theirs gets this answer. */
export const PersonTaken = refusal('realName.personTaken', { field: 'number' })
/** The same for members who withdrew as minors: the proven birthday stays until they are of age. */
export const AnotherBirthday = refusal('realName.anotherBirthday', { field: 'number' })
export const CheckerAway = refusal('realName.checkerAway', { status: 503 })
export const TooManyTries = refusal('realName.tooManyTries', { status: 429, field: 'number' })

export const realName = read('/user/control/realNameAuthentication', {
  summary: 'Identity verification of the member: masked phone number and verified identity, and the site’s requirement for posting.',
  input: nothing,
  output: z.object({
    asked: z.enum(requirements),
    mayPost: z.boolean(),
    phone: z.string().nullable(),
    /** Whether a code can be sent to bind one. */
    canBind: z.boolean(),
    checked: z
      .object({
        document: z.enum(documents),
        name: z.string(),
        number: z.string(),
        checkedAt: z.iso.datetime(),
        isMinor: z.boolean(),
      })
      .nullable(),
    /** The documents that can be checked here; empty where the site checks none. */
    documents: z.array(z.enum(documents)),
  }),
})

export const checkRealName = write('/user/control/realNameAuthentication', {
  summary: 'Verifies the member’s name and document number with the configured provider, and stores them encrypted.',
  input: z.object({
    document: z.enum(documents),
    name: typedString.trim().min(1).max(100),
    number: z.string().trim().min(1).max(60),
    /** Not for a Chinese identity number, which contains it. */
    birthday: z.iso.date().optional(),
    agrees: z.boolean().refine((agrees) => agrees, { params: { code: 'realName.mustAgree' } }),
  }),
  output: nothing,
  errors: [
    NotOffered,
    CheckedAlready,
    WrongName,
    WrongIdNumber,
    WrongBirthday,
    NotTheSame,
    PersonTaken,
    AnotherBirthday,
    CheckerAway,
    TooManyTries,
  ],
})

export const withdrawRealName = write('/user/control/realNameAuthentication/withdraw', {
  summary: 'Withdraws the identity verification and deletes its data. A minor’s birthday stays encrypted until they are of age.',
  input: nothing,
  output: nothing,
  errors: [NotChecked],
  availableWhile: 'readOnly',
})
