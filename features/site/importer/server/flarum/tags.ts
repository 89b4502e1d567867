import { z } from 'zod'
import { mostTopicTags, type SourceTag } from '#importer/server/source.ts'
import { numberKeys, pagesOf, rowsBy } from '#importer/server/tables/pages.ts'
import { integer, type Row } from '#importer/server/tables/source-tables.ts'
import { both, includes, membersIn, rightsIn, type Rights } from '#importer/server/flarum/access.ts'
import { discussionColumns, isPending, isPrivate, recipientsOf } from '#importer/server/flarum/discussions.ts'
import { id, isSet, plainText, smallTable, timeOf, type Flarum } from '#importer/server/flarum/source.ts'

export type Tag = {
  id: string
  slug: string
  name: string
  description: string
  parentId: string | null
  isPrimary: boolean
  position: number
  takesQuestions: boolean
  rights: Rights
}

/** The place of discussions without a tag, and of all where the forum has no tags. */
export const withoutTag = '0'

export type Tags = { all: readonly Tag[]; byId: ReadonlyMap<string, Tag>; general: Tag }

/** Where a discussion stands here, and what else it was tagged with. */
export type Place = {
  tag: Tag
  others: readonly Tag[]
  /** Its tags are read by different groups, and nobody must read what one of them forbids. */
  isClosed: boolean
  takesQuestions: boolean
}

const columns = ['id', 'name', 'slug', 'description', 'position', 'parent_id', 'is_restricted', 'is_primary', 'is_qna']

/** All tags: primary ones with those below them, then secondary ones. A tag is read and written by those alone who may in its parent too. */
export async function tagsOf(flarum: Flarum): Promise<Tags> {
  const rows = await smallTable(flarum, 'tags', { columns, keys: numberKeys('id') })
  const [rights, questions] = [await rightsIn(flarum), tagsOfQuestions(flarum)]
  const byId = new Map(rows.map((row) => [id(row, 'id'), row]))
  const read = rows.map((row): Tag => {
    const [its, parent] = [id(row, 'id'), byId.get(id(row, 'parent_id'))]
    const own = ownRights(row, rights)
    return {
      id: its,
      slug: plainText(flarum, row, 'slug'),
      name: plainText(flarum, row, 'name'),
      description: plainText(flarum, row, 'description'),
      parentId: parent ? id(parent, 'id') : null,
      // Flarum 1 tells them by their position.
      isPrimary: row['is_primary'] === undefined ? row['position'] !== null : isSet(row, 'is_primary'),
      position: integer(row, 'position'),
      takesQuestions: isSet(row, 'is_qna') || questions.has(its),
      rights: parent ? within(own, ownRights(parent, rights)) : own,
    }
  })
  const general: Tag = {
    id: withoutTag,
    slug: '',
    name: flarum.settings.get('forum_title') ?? 'Flarum',
    description: '',
    parentId: null,
    isPrimary: false,
    position: 0,
    takesQuestions: false,
    rights: rows.length > 0 ? { ...rights(null), start: [] } : rights(null),
  }
  return { all: inOrder(read), byId: new Map(read.map((tag) => [tag.id, tag])), general }
}

function ownRights(row: Row, rights: (tagId: string | null) => Rights): Rights {
  return rights(isSet(row, 'is_restricted') ? id(row, 'id') : null)
}

function within(own: Rights, parents: Rights): Rights {
  return { view: both(own.view, parents.view), start: both(own.start, parents.start), reply: both(own.reply, parents.reply) }
}

/** The tags that the extension for best answers is set to, as a list in JSON. */
function tagsOfQuestions({ settings }: Flarum): Set<string> {
  const written = settings.get('fof-best-answer.enabled-tags') ?? ''
  const ids = /^\[[\d",\s]*\]$/.test(written) ? z.array(z.coerce.string()).safeParse(JSON.parse(written)).data : []
  return new Set(ids)
}

function inOrder(tags: readonly Tag[]): Tag[] {
  const sorted = tags.toSorted(
    (one, other) => Number(other.isPrimary) - Number(one.isPrimary) || one.position - other.position || Number(one.id) - Number(other.id),
  )
  const tops = sorted.filter(({ parentId }) => parentId === null)
  return tops.flatMap((top) => [top, ...sorted.filter(({ parentId }) => parentId === top.id)])
}

/** Where these discussions stand. */
export async function placesOf(flarum: Flarum, tags: Tags, discussionIds: readonly string[]): Promise<(discussionId: string) => Place> {
  const rows = await rowsBy(
    flarum.tables,
    { table: flarum.table('discussion_tag'), columns: ['tag_id'], column: 'discussion_id' },
    discussionIds,
  )
  return (discussionId) =>
    placeAmong(
      tags,
      (rows.get(discussionId) ?? []).flatMap((row) => tags.byId.get(id(row, 'tag_id')) ?? []),
    )
}

/** A discussion is seen by whoever may see all its tags. It stands in the one below another, or else in its first. */
function placeAmong({ all, general }: Tags, its: readonly Tag[]): Place {
  const order = new Map(all.map((tag, at) => [tag.id, at]))
  const rank = (tag: Tag) => (tag.parentId === null ? 1 : 0) + (tag.isPrimary || tag.parentId !== null ? 0 : 2)
  const sorted = its.toSorted((one, other) => rank(one) - rank(other) || (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0))
  const narrowest = sorted.find(({ rights }) => its.every((other) => includes(other.rights.view, rights.view)))
  const tag = narrowest ?? sorted[0] ?? general
  return {
    tag,
    others: sorted.filter(({ id: other }) => other !== tag.id && other !== tag.parentId),
    isClosed: narrowest === undefined && its.length > 0,
    takesQuestions: its.some(({ takesQuestions }) => takesQuestions),
  }
}

/** The primary tags on their two levels, what else is the place of a discussion, and the most used ones beside these. */
export async function forums(flarum: Flarum, tags: Tags): Promise<SourceTag[]> {
  const { places, beside } = await tagsInUse(flarum, tags)
  const coming = [...tags.all, tags.general].filter((tag) => tag.parentId !== null || tag.isPrimary || places.has(tag.id))
  const topicTags = [...beside].filter(([tag]) => !coming.includes(tag)).toSorted(([, one], [, other]) => other - one)
  return [...coming, ...topicTags.slice(0, mostTopicTags).map(([tag]) => tag)].map((tag, order) => ({
    id: tag.id,
    parentId: tag.parentId,
    ...(order >= coming.length && { isTopicTag: true }),
    name: tag.name,
    description: tag.description,
    order,
    readers: tag.rights.view,
    writers: membersIn(tag.rights.start),
    commenters: membersIn(tag.rights.reply),
  }))
}

/** The places of discussions, and how often tags stand beside them where everybody reads: the name of another may tell of it. */
async function tagsInUse(flarum: Flarum, tags: Tags): Promise<{ places: Set<string>; beside: Map<Tag, number> }> {
  const table = flarum.table('discussions')
  const read = { table, columns: await flarum.columnsOf(table, discussionColumns), keys: numberKeys('id') }
  const [places, beside] = [new Set<string>(), new Map<Tag, number>()]
  for await (const { rows } of pagesOf(flarum.tables, read, null, (some) => some)) {
    const ids = rows.map((row) => id(row, 'id'))
    const [placeOf, recipients] = [await placesOf(flarum, tags, ids), await recipientsOf(flarum, ids)]
    for (const row of rows.filter((one) => !isPrivate(one, recipients))) {
      const { tag, others } = placeOf(id(row, 'id'))
      places.add(tag.id)
      const isOpen = tag.rights.view === 'everybody' && timeOf(row, 'hidden_at') === null && !isPending(row)
      if (isOpen) for (const other of others) beside.set(other, (beside.get(other) ?? 0) + 1)
    }
  }
  return { places, beside }
}
