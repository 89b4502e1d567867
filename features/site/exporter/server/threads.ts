import { sql, type RawBuilder } from 'kysely'
import type { Doc } from '#base/rich-text/document.ts'
import { bodyOf } from '#exporter/server/body.ts'
import { exported, isExported, type Exported } from '#exporter/server/exported.ts'
import { timeIn } from '#exporter/server/members.ts'
import { columnsOf, postRow, type StoredPost } from '#exporter/server/posts.ts'
import { postId, type Row, type SecretName } from '#importer/server/importer.ts'

type StoredPoll = {
  title: string
  options: string[]
  most: number
  isPublic: boolean
  shows: 'always' | 'voted' | 'ended'
  endsAt: string | null
  endedAt: string | null
  reason: 'due' | 'author' | 'staff' | null
}
type StoredPostscript = { body: Doc; at: string; removedAt: string | null; reason: string | null }
type StoredThread = StoredPost & {
  tag_id: string
  kind: 'topic' | 'question'
  title: string
  pin: number
  takes_comments: boolean
  featured_at: Date | null
  sunk_at: Date | null
  withdrawn_at: Date | null
  view_count: string
  further: string[]
  poll: StoredPoll | null
  postscripts: StoredPostscript[]
}

export function threads(secrets: ReadonlySet<SecretName>): Exported<'threads'> {
  const query = sql<StoredThread>`
    select ${columnsOf('topic')}, ${partsOf('topic_id', 'topic.id', secrets)} as parts, tag_id, kind, title, pin, takes_comments, featured_at, sunk_at,
      withdrawn_at, view_count, ${poll} as poll, ${postscripts} as postscripts,
      array(select tag_id::text from topic_tag where topic_id = topic.id and tag_id <> place_id order by topic_tag.tag_id) as further
    from topic where ${isExported('topic.id')} order by topic.id`
  return exported({ query, from: threadRow })
}

/** The texts of the hidden parts of a post, which are asked for by name. */
export function partsOf(column: 'topic_id' | 'comment_id', id: string, secrets: ReadonlySet<SecretName>): RawBuilder<unknown> {
  if (!secrets.has('hidden')) return sql`null::json`
  return sql`(
    select json_object_agg(part.id, json_build_object('document', document, 'hash', password_hash)) from hidden.part
    where ${sql.ref(`part.${column}`)} = ${sql.ref(id)} and position is not null)`
}

const poll = sql`(
  select json_build_object('title', title, 'most', max_choices, 'isPublic', is_public, 'shows', shows_results, 'endsAt', ends_at, 'endedAt', ended_at,
    'reason', end_reason, 'options', (select json_agg(label order by place) from poll_option where poll_option.topic_id = poll.topic_id))
  from poll where poll.topic_id = topic.id)`

const postscripts = sql`(
  select coalesce(json_agg(json_build_object('body', body, 'at', written_at, 'removedAt', removed_at, 'reason', removed_reason) order by number), '[]')
  from postscript where postscript.topic_id = topic.id)`

function threadRow(its: StoredThread): Row<'threads'> {
  return {
    id: its.id,
    tagId: its.tag_id,
    kind: its.kind,
    title: its.title,
    opening: postRow(postId.topic(its.id), its),
    pin: its.pin,
    isLocked: !its.takes_comments,
    isFeatured: its.featured_at !== null,
    views: Number(its.view_count),
    tags: [],
    poll: its.poll && pollRow(its.poll),
    bounties: [],
    furtherTagIds: its.further,
    featuredAt: its.featured_at,
    sunkAt: its.sunk_at,
    withdrawnAt: its.withdrawn_at,
    postscripts: its.postscripts.map(({ body, at, removedAt, reason }) => ({
      body: bodyOf(body),
      at: new Date(at),
      removal: removedAt === null ? null : { at: new Date(removedAt), reason },
    })),
  }
}

/** An option is named by its place: votes name it so. */
function pollRow({ title, options, most, isPublic, shows, endsAt, endedAt, reason }: StoredPoll): NonNullable<Row<'threads'>['poll']> {
  return {
    title,
    options: options.map((label, index) => ({ id: String(index + 1), label })),
    maxChoices: most,
    isPublic,
    showsResults: shows,
    endsAt: timeIn(endsAt),
    ended: endedAt !== null && reason ? { at: new Date(endedAt), reason } : null,
  }
}

/** The addresses of threads that were merged into another. */
export const moved = exported({
  query: sql<{ id: string; thread: string }>`
    select topic.id, comment.topic_id as thread from topic join comment on comment.id = topic.merged_as
    where ${isExported('comment.topic_id')} order by topic.id`,
  from: ({ id, thread: threadId }) => ({ id, threadId }),
})
