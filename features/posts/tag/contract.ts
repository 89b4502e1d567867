import { z } from 'zod'
import { plainString } from '#base/plain-text.ts'
import { refuseUnused } from '#base/unused-fields.ts'
import { withLanguageFallback } from '#base/both-languages.ts'
import { id, nothing, read, refusal, write } from '#base/contract.ts'
import { CropOutside, fileId, pictureRefusals } from '#file/contract.ts'
import { MoreThanOwn, NameView } from '#role/contract.ts'
import { squarePart } from '#user/contract.ts'

/** The tag does not exist, has subtags, or does not allow posts by this member. */
export const TagNotOpen = refusal('tag.notOpen', { field: 'tagId' })

export const TooManyTags = refusal('tag.tooMany', { field: 'tagIds' })
/** A further tag does not exist, has subtags, or does not allow posts by this member. */
export const TagsNotOpen = refusal('tag.furtherNotOpen', { field: 'tagIds' })
/** The refusals of calls with the tags of a thread. */
export const tagRefusals = [TagNotOpen, TooManyTags, TagsNotOpen] as const

/** The tags of a thread in addition to its primary tag. */
export const furtherTags = z.array(id).max(20)
/** The tags of an edited thread. Omitted ones stay. */
export const movedTo = { tagId: id.optional(), tagIds: furtherTags.optional() }

export const KeyTaken = refusal('tag.keyTaken', { field: 'key' })
/** Only tags without subtags hold topics. */
export const HoldsTopics = refusal('tag.holdsTopics', { field: 'parentId' })
export const TooDeep = refusal('tag.tooDeep', { field: 'parentId' })
export const HasTagsBelow = refusal('tag.hasTagsBelow')
/** The picture of a tag must be a new upload by the actor. */
export const PictureNotNew = refusal('tag.pictureNotNew', { field: 'picture' })
export const TagChangedSince = refusal('tag.changedSince', { status: 409, field: 'version' })

const TagView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  /** Empty if there is none. */
  description: NameView,
  /** The address of its picture, a square; null for none. */
  picture: z.string().nullable(),
  topicCount: z.number(),
  isRestricted: z.boolean(),
  /** The roles that may see the tag, if it is restricted. */
  viewers: z.array(NameView),
})

/** A tag with its parent, for display. */
export const PlaceView = z.object({
  id: z.string(),
  key: z.string(),
  name: NameView,
  isRestricted: z.boolean(),
  parent: z.object({ id: z.string(), key: z.string(), name: NameView }).nullable(),
})
export type PlaceView = z.infer<typeof PlaceView>

export const listTags = read('/tag/list', {
  summary: 'Tags visible to the viewer, on two levels, with their numbers of topics.',
  input: nothing,
  output: z.object({ tags: z.array(TagView.extend({ children: z.array(TagView) })) }),
  shared: true,
})

export const myTags = read('/tag/mine', {
  summary: 'Ids of the tags in which the member may publish topics, and of those in which they may ask questions.',
  input: nothing,
  output: z.object({ publishIn: z.array(z.string()), askIn: z.array(z.string()) }),
})

/** The access that a role can have to a restricted tag. */
export const accesses = ['view', 'post'] as const
const TagPicture = z.object({ file: z.string(), src: z.string() })
const Access = z.object({ roleId: id, may: z.enum(accesses) })

export const tagsForStaff = read('/admin/tag/list', {
  summary: 'All tags in display order, with their access rules, and the roles for such rules.',
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
        /** Topics in any state, erased ones included. */
        allTopics: z.number(),
        /** Null for a tag without restrictions. */
        access: z.array(Access).nullable(),
      }),
    ),
    roles: z.array(
      z.object({
        id: z.string(),
        name: NameView,
        isDefault: z.boolean(),
        /** These may edit posts of others in all unrestricted tags, and should be offered access to this one. */
        keepsOrder: z.boolean(),
      }),
    ),
  }),
})

const named = plainString.min(1).max(50).optional()
const described = plainString.max(300).default('')
const tagForm = {
  key: z.string().regex(/^[a-z0-9-]{1,40}$/),
  nameZh: named,
  nameEn: named,
  descriptionZh: described,
  descriptionEn: described,
  parentId: id.optional(),
  /** The id of a new upload; empty to remove the picture. Omitted, it stays. */
  picture: fileId.or(z.literal('')).optional(),
  isRestricted: z.boolean().default(false),
  access: z.array(Access).max(100).default([]),
}

const tagUses = { access: ({ isRestricted }: { isRestricted: boolean }) => isRestricted }

export const addTag = write('/admin/tag/add', {
  summary: 'Adds a tag at the end of its level.',
  input: withLanguageFallback(refuseUnused(z.object(tagForm), tagUses), ['nameZh', 'nameEn']),
  output: z.object({ tagId: z.string() }),
  errors: [KeyTaken, HoldsTopics, TooDeep, PictureNotNew],
})

export const editTag = write('/admin/tag/edit', {
  summary: 'Changes the name, the parent and the access rules of a tag.',
  input: withLanguageFallback(
    refuseUnused(z.object({ tagId: id, version: z.number().int().min(1).max(2_000_000_000), ...tagForm }), tagUses),
    ['nameZh', 'nameEn'],
  ),
  output: nothing,
  errors: [KeyTaken, HoldsTopics, TooDeep, PictureNotNew, TagChangedSince, MoreThanOwn],
})

export const uploadTagPicture = write('/admin/tag/picture', {
  summary: 'Creates a tag picture from a square crop of the file in a multipart form. An unused picture is deleted after a while.',
  input: squarePart,
  output: TagPicture,
  errors: [...pictureRefusals, CropOutside],
})

export const sortTags = write('/admin/tag/sort', {
  summary: 'Sets the order of the tags of one level.',
  input: z.object({ tagIds: z.array(id).min(1).max(1_000) }),
  output: nothing,
})
