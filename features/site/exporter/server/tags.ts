import { sql } from 'kysely'
import { exported } from '#exporter/server/exported.ts'
import type { Row } from '#importer/server/importer.ts'

export const groups = exported({
  query: sql<{ id: string; name_zh: string; name_en: string; sort: number; is_default: boolean; rights: string[] }>`
    select id, name_zh, name_en, sort, is_default,
      array(select right_name from role_right where role_id = role.id and tag_id is null order by right_name collate "C") as rights from role order by id`,
  from: ({ id, name_zh: name, name_en: nameEn, sort: order, is_default: isBuiltIn, rights }) => ({
    id,
    name,
    isBuiltIn,
    isStaff: false,
    nameEn,
    order,
    rights,
  }),
})

type StoredTag = {
  id: string
  parent_id: string | null
  key: string
  name_zh: string
  name_en: string
  description_zh: string
  description_en: string
  is_restricted: boolean
  has_children: boolean
  place: number
  base: string | null
  viewers: string[]
  posters: string[]
  commenters: string[]
}

// Each tag at the top, with those below it.
const place = sql`row_number() over (order by
  coalesce((select sort from tag as above where above.id = tag.parent_id), sort), coalesce(parent_id, id), parent_id is not null, sort, id)`

const rolesWith = (...rights: string[]) =>
  sql`array(select distinct role_id from role_right where tag_id = tag.id and right_name = any(${rights}) order by role_id)::text[]`

export const tags = exported({
  query: sql<StoredTag>`
    select id, parent_id, key, name_zh, name_en, description_zh, description_en, is_restricted,
      exists (select from tag as child where child.parent_id = tag.id) as has_children,
      ${place}::int - 1 as place, (select id::text from role where is_default) as base, ${rolesWith('tag.view')} as viewers,
      ${rolesWith('topic.publish', 'question.ask')} as posters, ${rolesWith('comment.post', 'answer.post')} as commenters
    from tag order by id`,
  from: tagRow,
})

function tagRow(its: StoredTag): Row<'tags'> {
  // The default role is everybody.
  const isOpen = (roleIds: readonly string[]) => !its.is_restricted || (its.base !== null && roleIds.includes(its.base))
  return {
    id: its.id,
    parentId: its.parent_id,
    isCategory: its.has_children,
    name: its.name_zh,
    description: its.description_zh,
    order: its.place,
    readers: isOpen(its.viewers) ? 'everybody' : its.viewers,
    writers: isOpen(its.posters) ? 'members' : its.posters,
    commenters: isOpen(its.commenters) ? 'members' : its.commenters,
    nameEn: its.name_en,
    descriptionEn: its.description_en,
    key: its.key,
  }
}
