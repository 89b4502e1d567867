import { z } from 'zod'
import { plain } from '#base/plain-text.ts'
import { inEitherLanguage } from '#base/both-languages.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { CropOutside, fileId, pictureRefusals } from '#file/contract.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'
import { squarePart } from '#user/contract.ts'

/** The tag does not exist, has tags of its own below it, or is not one this member may publish in. */
export const TagNotOpen = refusal('tag.notOpen', { field: 'tagId' })

export const TooManyTags = refusal('tag.tooMany', { field: 'tagIds' })
/** A further tag does not exist, has tags below it, or is not one this member may look into and post in. */
export const TagsNotOpen = refusal('tag.furtherNotOpen', { field: 'tagIds' })
/** Of whatever names the tags of a thread. */
export const tagRefusals = [TagNotOpen, TooManyTags, TagsNotOpen] as const

/** The tags of a thread beside the one it lies in. */
export const furtherTags = z.array(id).max(20)
/** The tags of a thread that is edited. Those that are not given stay. */
export const movedTo = { tagId: id.optional(), tagIds: furtherTags.optional() }

export const KeyTaken = refusal('tag.keyTaken', { field: 'key' })
/** Topics lie only in tags that have none below them. */
export const HoldsTopics = refusal('tag.holdsTopics', { field: 'parentId' })
export const TooDeep = refusal('tag.tooDeep', { field: 'parentId' })
export const HasTagsBelow = refusal('tag.hasTagsBelow')
/** A tag shows only what whoever chooses it has just uploaded for it. */
export const PictureNotNew = refusal('tag.pictureNotNew', { field: 'picture' })
export const TagChangedSince = refusal('tag.changedSince', { status: 409, field: 'version' })

const TagView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  /** Empty where nobody has written one. */
  description: NameView,
  /** Where its picture is, a square; null where it has none. */
  picture: z.string().nullable(),
  topicCount: z.number(),
  isRestricted: z.boolean(),
  /** The roles that may look here, where not everybody may. */
  viewers: z.array(NameView),
})

/** Where a topic belongs. */
export const PlaceView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  isRestricted: z.boolean(),
  parent: z.object({ id: z.string(), key: z.string(), name: NameView }).nullable(),
})
export type PlaceView = z.infer<typeof PlaceView>

export const listTags = read('/tag/list', {
  summary: 'The tags this viewer may look into, on two levels, with how many topics each holds.',
  input: nothing,
  output: z.object({ tags: z.array(TagView.extend({ children: z.array(TagView) })) }),
  shared: true,
})

export const myTags = read('/tag/mine', {
  summary: 'The ids of the tags I may publish topics in, and ask questions.',
  input: nothing,
  output: z.object({ publishIn: z.array(z.string()), askIn: z.array(z.string()) }),
})

/** What a role may do in a tag that is not open to everybody. */
export const accesses = ['view', 'post'] as const
const TagPicture = z.object({ file: z.string(), src: z.string() })
const Access = z.object({ roleId: id, may: z.enum(accesses) })

export const tagsForStaff = read('/admin/tag/list', {
  summary: 'All tags, each level in its order, with who may look and post there, and the roles there are.',
  input: nothing,
  output: z.object({
    tags: z.array(
      z.object({
        id: z.string(),
        parentId: z.string().nullable(),
        key: z.string(),
        name: NameView,
        description: NameView,
        picture: TagPicture.nullable(),
        version: z.number(),
        topicCount: z.number(),
        /** Topics of every state, those too whose words are gone for good. */
        allTopics: z.number(),
        /** Null where everybody may do there what they may do elsewhere. */
        access: z.array(Access).nullable(),
      }),
    ),
    roles: z.array(
      z.object({
        id: z.string(),
        name: NameView,
        isDefault: z.boolean(),
        /** Those may edit anybody’s posts wherever it is not restricted, and should be let into what is. */
        keepsOrder: z.boolean(),
      }),
    ),
  }),
})

const named = plain.min(1).max(50).optional()
const described = plain.max(300).default('')
const tagForm = {
  key: z.string().regex(/^[a-z0-9-]{1,40}$/),
  nameZh: named,
  nameEn: named,
  descriptionZh: described,
  descriptionEn: described,
  parentId: id.optional(),
  /** One that was uploaded for this; empty for none. Without it, what the tag has stays. */
  picture: fileId.or(z.literal('')).optional(),
  isRestricted: z.boolean().default(false),
  access: z.array(Access).max(100).default([]),
}

export const addTag = write('/admin/tag/add', {
  summary: 'Makes a tag, at the end of its level.',
  input: inEitherLanguage(z.object(tagForm), ['nameZh', 'nameEn']),
  output: z.object({ tagId: z.string() }),
  errors: [KeyTaken, HoldsTopics, TooDeep, PictureNotNew],
})

export const editTag = write('/admin/tag/edit', {
  summary: 'Changes what a tag is called, where it stands, and who may look and post there.',
  input: inEitherLanguage(z.object({ tagId: id, version: z.number().int().min(1).max(2_000_000_000), ...tagForm }), ['nameZh', 'nameEn']),
  output: nothing,
  errors: [KeyTaken, HoldsTopics, TooDeep, PictureNotNew, TagChangedSince, MoreThanOwn],
})

export const uploadTagPicture = write('/admin/tag/picture', {
  summary: 'Makes a picture for a tag of a square part of the file of a multipart form. It is cleared away unless a tag uses it in time.',
  input: squarePart,
  output: TagPicture,
  errors: [...pictureRefusals, CropOutside],
})

export const sortTags = write('/admin/tag/sort', {
  summary: 'Puts the tags of one level in this order.',
  input: z.object({ tagIds: z.array(id).min(1).max(1_000) }),
  output: nothing,
})
