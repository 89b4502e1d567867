import { z } from 'zod'
import { nothing, read, refusal, write } from '#base/contract.ts'
import { typed } from '#base/plain-text.ts'

/** What a name and a number may be read off. */
export const documents = ['chineseId', 'other'] as const
export type Document = (typeof documents)[number]

/** Whom the site lets post. A bound phone is enough for the first, a checked name and number for both. */
export const askedOf = ['nobody', 'phone', 'identity'] as const

/** Shown beside the form, with the way there. */
export const PhoneFirst = refusal('realName.phoneFirst', { field: 'verifyFirst' })
export const IdentityFirst = refusal('realName.identityFirst', { field: 'verifyFirst' })
export const verifyRefusals = [PhoneFirst, IdentityFirst]

export const NotOffered = refusal('realName.notOffered')
export const CheckedAlready = refusal('realName.checkedAlready')
export const NotChecked = refusal('realName.notChecked')
export const WrongName = refusal('realName.wrongName', { field: 'name' })
export const WrongIdNumber = refusal('realName.wrongIdNumber', { field: 'number' })
export const WrongBirthday = refusal('realName.wrongBirthday', { field: 'birthday' })
/** Whoever knows says that name and number do not belong together. */
export const NotTheSame = refusal('realName.notTheSame', { field: 'number' })
/** Told to those alone who showed that the number is theirs. */
export const PersonTaken = refusal('realName.personTaken', { field: 'number' })
/** The same of those who withdrew as minors: they stay so old as was proved, until they are grown. */
export const AnotherBirthday = refusal('realName.anotherBirthday', { field: 'number' })
export const CheckerAway = refusal('realName.checkerAway', { status: 503 })
export const TooManyTries = refusal('realName.tooManyTries', { status: 429, field: 'number' })

export const realName = read('/user/control/realNameAuthentication', {
  summary: 'Whether it is known who I am: my bound phone and what was checked of me, most of it as stars, and whom the site lets post.',
  input: nothing,
  output: z.object({
    asked: z.enum(askedOf),
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
    /** What can be checked here now; nothing where the site checks nobody. */
    documents: z.array(z.enum(documents)),
  }),
})

export const checkRealName = write('/user/control/realNameAuthentication', {
  summary: 'Has my name and the number of my document checked by whom the site has chosen, and keeps them sealed.',
  input: z.object({
    document: z.enum(documents),
    name: typed.trim().min(1).max(100),
    number: z.string().trim().min(1).max(60),
    /** A Chinese identity number says it itself. */
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
  summary: 'Takes my name and number back: they are deleted. Of a minor the birthday stays sealed until they are grown.',
  input: nothing,
  output: nothing,
  errors: [NotChecked],
  availableWhile: 'readOnly',
})
