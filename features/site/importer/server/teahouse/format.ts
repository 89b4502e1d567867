import { z } from 'zod'
import { kinds, type Kind, type SourceRows } from '#importer/server/source.ts'
import { keptTables } from '#importer/server/source-same.ts'
import { referringDocument } from '#importer/server/teahouse/document.ts'

/**
 * An exported community: a folder with a file of JSON lines for each kind of rows, and the files of posts in `files`. The first line of each
 * is the manifest, the last one its end. docs/moving-out.md describes every field.
 */
export const formatVersion = 1
export const filesFolder = 'files'
export const secretNames = ['passwords', 'messages', 'hidden'] as const
export type SecretName = (typeof secretNames)[number]

const id = z.string().min(1).max(100)
const text = z.string()
const time = z.iso.datetime().transform((value) => new Date(value))
const someTime = time.nullable()
const count = z.int().min(0)
const amount = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform(BigInt)
const path = z.string().regex(/^files\/[\w-]{1,64}$/)
const who = z.union([z.literal('members'), z.array(id)])
const hash = z.string().max(500)

const form = z.strictObject({
  kind: z.enum(['picture', 'avatar', 'attachment']),
  type: text,
  width: z.int().min(1).nullable(),
  height: z.int().min(1).nullable(),
  moves: z.boolean(),
  ground: z.enum(['light', 'dark', 'mid']).nullable(),
})
const body = z.strictObject({ document: referringDocument, notes: z.array(text), partHashes: z.record(id, hash) })
const state = z.enum(['published', 'pending', 'deleted'])
const deletion = z.strictObject({
  by: z.enum(['author', 'staff']),
  from: z.enum(['pending', 'published']).nullable(),
  at: someTime,
  reason: text.nullable(),
})
const post = {
  id,
  author: z.strictObject({ memberId: id }),
  body,
  publishedAt: time,
  editedAt: someTime,
  state,
  fileIds: z.array(id),
  aiLabel: z.enum(['author', 'staff']).nullable(),
  deletion: deletion.nullable(),
  isPurged: z.boolean(),
}
const poll = z.strictObject({
  title: text,
  options: z.array(z.strictObject({ id, label: text })),
  maxChoices: count,
  isPublic: z.boolean(),
  showsResults: z.enum(['always', 'voted', 'ended']),
  endsAt: someTime,
  ended: z.strictObject({ at: time, reason: z.enum(['due', 'author', 'staff']) }).nullable(),
})
const postscript = z.strictObject({ body, at: time, removal: z.strictObject({ at: time, reason: text.nullable() }).nullable() })
const ban = z.strictObject({ from: z.enum(['logging in', 'posting']), reason: text, until: someTime, functions: z.array(text), at: time })
const closed = z.strictObject({ as: z.enum(['disabled', 'cancelled', 'left', 'erased']), because: text.nullable(), at: time })
/** Shapes that several rows have, by the names that the documentation gives them. */
export const partSchemas = { post: z.strictObject(post), body, form, deletion, poll, postscript, ban, closed }
const ofThread = { threadId: id, memberId: id }

/** The rows of each kind, as the neutral shape has them: times as text, amounts as decimal digits. */
export const rowSchemas = {
  groups: z.strictObject({
    id,
    name: text,
    isBuiltIn: z.boolean(),
    isStaff: z.boolean(),
    nameEn: text,
    order: z.int(),
    rights: z.array(text),
  }),
  tags: z.strictObject({
    id,
    parentId: id.nullable(),
    isCategory: z.boolean(),
    name: text,
    description: text,
    order: z.int(),
    readers: z.union([z.literal('everybody'), z.array(id)]),
    writers: who,
    commenters: who,
    nameEn: text,
    descriptionEn: text,
    key: z.string().regex(/^[a-z0-9-]{1,40}$/),
  }),
  members: z.strictObject({
    id,
    name: text,
    email: z.strictObject({ address: text, isConfirmed: z.boolean() }).nullable(),
    password: z.null(),
    joinedAt: time,
    lastSeenAt: time,
    avatar: path.nullable(),
    groups: z.array(z.strictObject({ id, until: someTime })),
    bans: z.array(ban),
    credits: z.strictObject({ points: amount, cny: amount }),
    fields: z.record(z.string(), z.string()),
    about: text,
    nickname: text.nullable(),
    language: z.enum(['zh', 'en']),
    phone: text.nullable(),
    passwordHash: hash.nullable(),
    avatarForm: form.nullable(),
    showsActivity: z.boolean(),
    showsLastSeen: z.boolean(),
    isOfficial: z.boolean(),
    closed: closed.nullable(),
  }),
  files: z.strictObject({ id, ownerId: id.nullable(), path, name: text, form }),
  threads: z.strictObject({
    id,
    tagId: id,
    kind: z.enum(['topic', 'question']),
    title: text,
    opening: partSchemas.post,
    pin: count,
    isLocked: z.boolean(),
    isFeatured: z.boolean(),
    views: count,
    tags: z.array(text),
    poll: poll.nullable(),
    bounties: z.array(z.never()),
    furtherTagIds: z.array(id),
    featuredAt: someTime,
    sunkAt: someTime,
    withdrawnAt: someTime,
    postscripts: z.array(postscript),
  }),
  moved: z.strictObject({ id, threadId: id }),
  comments: z.strictObject({ ...post, threadId: id, number: count.nullable(), answersId: id.nullable(), belowId: id.nullable() }),
  accepted: z.strictObject({ threadId: id, acceptedId: id, at: time }),
  votes: z.strictObject({ ...ofThread, optionIds: z.array(id), at: time }),
  unlocks: z.strictObject({ ...ofThread, partId: id }),
  likes: z.strictObject({ postId: id, memberId: id, at: time }),
  favourites: z.strictObject({
    ...ofThread,
    at: time,
    note: text,
    folder: z.strictObject({ name: text, isPublic: z.boolean() }).nullable(),
  }),
  follows: z.strictObject({
    of: z.enum(['thread', 'tag', 'member']),
    id,
    memberId: id,
    level: z.enum(['watching', 'tracking', 'normal', 'muted']),
    at: time,
    block: z.enum(['muted', 'blocked']).nullable(),
  }),
  readPositions: z.strictObject({ ...ofThread, number: count, at: time }),
  messages: z.strictObject({
    id,
    authorId: id,
    readerIds: z.array(id),
    title: text,
    body,
    sentAt: time,
    isRead: z.boolean(),
    goneFor: z.array(id),
  }),
} as const satisfies { [K in Kind]: z.ZodType<SourceRows[K]> }
export type Row<K extends Kind> = z.output<(typeof rowSchemas)[K]>

/** The first line of each file. */
export const manifestSchema = z.strictObject({
  format: z.literal(formatVersion),
  program: z.literal('teahouse'),
  version: text,
  title: text,
  address: text.nullable(),
  madeAt: z.iso.datetime(),
  secrets: z.array(z.enum(secretNames)),
  kind: z.enum(kinds),
  counts: z.strictObject(Object.fromEntries(kinds.map((kind) => [kind, count])) as Record<Kind, typeof count>),
  highestIds: z.strictObject(
    Object.fromEntries(keptTables.map((table) => [table, amount])) as Record<(typeof keptTables)[number], typeof amount>,
  ),
})
export type Manifest = z.output<typeof manifestSchema>

/** The last line of each file. */
export const endSchema = z.strictObject({ end: z.enum(kinds), rows: count })

export function fileNameOf(kind: Kind): string {
  return `${kind}.jsonl`
}

/** A value as a line: amounts as decimal digits. */
export function lineOf(value: object): string {
  return `${JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))}\n`
}
