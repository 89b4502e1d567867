import { z } from 'zod'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { toNfc, typedString } from '#base/plain-text.ts'
import { CropOutside, pictureRefusals } from '#file/contract.ts'
import { AnswerView, answerRefusals, answers, FieldView } from '#field/contract.ts'
import { Banned, NameView, RoleView } from '#role/contract.ts'

export const NicknameTaken = refusal('user.nicknameTaken', { field: 'nickname' })
export const NicknameReserved = refusal('user.nicknameReserved', { field: 'nickname' })
/** The member was renamed lately. */
export const NicknameTooSoon = refusal('user.nicknameTooSoon', { field: 'nickname' })
/** The member hides their activity. */
export const ActivityHidden = refusal('user.activityHidden', { status: 403 })

/** A member as shown beside their posts. */
export const AuthorView = z.object({
  id: z.string(),
  /** The nickname, or the account name where none is chosen. The account name behind a nickname is private. */
  name: z.string(),
  avatar: z.string().nullable(),
  isOfficial: z.boolean(),
  isDeactivated: z.boolean(),
  roles: z.array(NameView),
})
export type AuthorView = z.infer<typeof AuthorView>

const CountsView = z.object({
  topics: z.number(),
  comments: z.number(),
  replies: z.number(),
  questions: z.number(),
  answers: z.number(),
  /** The number of answers that solved a question. */
  adopted: z.number(),
})

/** A member's card, beside their posts. */
export const PersonView = z.object({
  user: AuthorView,
  level: z.object({ rank: z.number(), name: NameView }),
  joinedAt: z.iso.datetime(),
  /** Null where the member hides their activity. */
  counts: CountsView.nullable(),
})
export type PersonView = z.infer<typeof PersonView>

export const HomeView = z.object({
  user: AuthorView,
  /** Null for others. */
  account: z.string().nullable(),
  roles: z.array(RoleView),
  /** The points and the next level are null for others. */
  level: z.object({ rank: z.number(), name: NameView, points: z.number().nullable(), nextAt: z.number().nullable() }),
  joinedAt: z.iso.datetime(),
  /** For members only, where the owner shows it: pages for visitors are cached, and would show an old value. */
  lastSeenAt: z.iso.datetime().nullable(),
  /** The biography; may be empty. */
  about: z.string(),
  /** Null where the member hides their activity. */
  counts: CountsView.nullable(),
  isMe: z.boolean(),
  showsActivity: z.boolean(),
  /** The answers about themselves that are public. */
  told: z.array(AnswerView),
  /** The earlier names that still count. */
  formerly: z.array(z.string()),
  /** The account is disabled for now. */
  isDisabled: z.boolean(),
  /** The viewer's own bans, and their ends. Empty for others. */
  bans: z.array(z.object({ from: z.string(), endsAt: z.iso.datetime({ offset: true }).nullable(), reason: z.string() })),
})

export const home = read('/user/control/home', {
  summary: 'Profile of a member: name, roles, level and counts. Without an id, the member’s own.',
  input: z.object({ userId: id.optional() }),
  output: HomeView,
})

/** Letters, digits and the marks that names need; lookalikes from other scripts are refused. */
export const nickname = z
  .string()
  .trim()
  // One name has one Unicode form.
  .overwrite(toNfc)
  .max(15)
  // Some letters of Hangul are invisible.
  .regex(
    /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{Script=Han}\p{Script=Latin}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}0-9０-９ ._·-])*$/u,
  )

export const maxAboutLength = 300
export const about = typedString.trim().max(maxAboutLength)

export const editableProfile = read('/user/control/editUser', {
  summary: 'The member’s own profile in its editable form.',
  input: nothing,
  output: z.object({
    user: AuthorView,
    account: z.string(),
    nickname: z.string(),
    /** Days between changes of the nickname, days for which a former one is reserved, and the earliest time of a change if not now. */
    nicknames: z.object({ everyDays: z.number(), heldDays: z.number(), keptUntil: z.iso.datetime().nullable() }),
    about,
    showsActivity: z.boolean(),
    showsLastSeen: z.boolean(),
    roles: z.array(RoleView),
    fields: z.array(FieldView),
    answers,
  }),
})

export const editProfile = write('/user/control/editUser', {
  summary: 'Changes the member’s nickname, biography, profile answers and privacy. Omitted optional fields stay.',
  input: z.object({
    nickname,
    showsActivity: z.boolean(),
    about: about.optional(),
    showsLastSeen: z.boolean().optional(),
    answers: answers.optional(),
  }),
  output: AuthorView,
  errors: [NicknameTaken, NicknameReserved, NicknameTooSoon, Banned, ...answerRefusals],
})

export const suggestMembers = read('/user/suggest', {
  summary: 'Members whose name begins with given letters, for mentions.',
  input: z.object({ query: typedString.trim().min(1).max(25) }),
  output: z.object({ members: z.array(AuthorView) }),
})

const pixels = z.int().min(0).max(100_000)

/** A square part of a picture, in its pixels. */
export const squarePart = z.object({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) }).superRefine((crop, context) => {
  if (crop.width !== crop.height) context.addIssue({ code: 'custom', path: ['height'], params: { code: 'user.cropNotSquare' } })
})

/** The largest picture that a square is cut from. */
export const maxCropKilobytes = 5_000

export const updateAvatar = write('/user/control/updateAvatar', {
  summary: 'Creates an avatar from a square crop of the file in a multipart form. Coordinates are pixels of the upright picture.',
  input: squarePart,
  output: AuthorView,
  errors: [...pictureRefusals, CropOutside, Banned],
})

export const removeAvatar = write('/user/control/removeAvatar', {
  summary: 'Removes the member’s avatar. The initials are shown instead.',
  input: nothing,
  output: AuthorView,
  errors: [Banned],
})
