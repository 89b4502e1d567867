import { truncate } from '#base/characters.ts'
import { toText } from '#base/rich-text/to-text.ts'
import type { Output } from '#base/contract.ts'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { maxDrafts, type DraftContent, type listDrafts } from '#draft/contract.ts'
import * as posts from '#post/server/post.ts'
import * as user from '#user/server/user.ts'
import type { Kind } from '#kind/contract.ts'

type View = Output<typeof listDrafts>['drafts'][number]
type DraftTarget = { kind: View['kind']; id: string | null }
type PostLocation = { topicId: string; commentId: string | null }

const shownLength = 180

/** All drafts of a member, newest first, each with its topic, if they may still see it, or its recipient. */
export async function list(db: Db, member: Member): Promise<Output<typeof listDrafts>> {
  const rows = await db
    .selectFrom('draft')
    .select(['place', 'version', 'content', 'saved_at', 'device'])
    .where('member_id', '=', member.id)
    .orderBy('saved_at', 'desc')
    .limit(maxDrafts)
    .execute()
  const places = new Map(rows.map(({ place }) => [place, targetOf(place)]))
  const stands = await locate(db, [...places.values()])
  const threads = await posts.visible(
    db,
    member,
    [...stands.values()].map(({ topicId }) => ({ kind: 'topic', id: topicId })),
  )
  const partners = await user.authors(
    db,
    [...places.values()].flatMap(({ kind, id }) => (kind === 'message' && id !== null ? [id] : [])),
  )
  const drafts = rows.map(({ place, version, content, saved_at, device }): View => {
    const { kind, id } = places.get(place) ?? { kind: 'topic', id: null }
    const at = kind === 'message' ? undefined : stands.get(`${targetKind(kind)} ${id}`)
    const thread = at && threads.get(`topic ${at.topicId}`)
    const topic = thread ? { id: thread.id, kind: thread.thread, title: thread.title } : null
    const { fields, text } = content as DraftContent
    return {
      place,
      version,
      kind,
      // The existence of such a comment must not be revealed if its topic is not visible.
      topic,
      member: (kind === 'message' && partners.get(id ?? '')) || null,
      commentId: topic && at ? at.commentId : null,
      title: fields['title'] ?? '',
      text: truncate(text ? (text.view === 'rich' ? toText(text.doc) : text.text) : '', shownLength),
      savedAt: saved_at.toISOString(),
      device,
    }
  })
  return { drafts }
}

function targetOf(place: string): DraftTarget {
  const [, kind = 'topic', id = null] = /^((?:edit )?\w+)(?: (\d+))?/.exec(place) ?? []
  return { kind: kind as DraftTarget['kind'], id }
}

// The kind of the id in a place: a comment belongs to a topic, a reply to a comment.
function targetKind(kind: Exclude<DraftTarget['kind'], 'message'>): Kind {
  if (kind === 'edit reply') return 'reply'
  return kind === 'reply' || kind === 'edit comment' ? 'comment' : 'topic'
}

async function locate(db: Db, places: readonly DraftTarget[]): Promise<Map<string, PostLocation>> {
  const idsOf = (what: ReturnType<typeof targetKind>) =>
    places.flatMap(({ kind, id }) => (id !== null && kind !== 'message' && targetKind(kind) === what ? [id] : []))
  const [comments, replies] = [idsOf('comment'), idsOf('reply')]
  const found = new Map<string, PostLocation>(idsOf('topic').map((id) => [`topic ${id}`, { topicId: id, commentId: null }]))
  if (comments.length > 0) {
    const rows = await db
      .selectFrom('comment')
      .select(['id', 'topic_id'])
      .where('id', '=', anyOf(comments))
      .where('status', '<>', 'pending')
      .execute()
    for (const { id, topic_id } of rows) found.set(`comment ${id}`, { topicId: topic_id, commentId: id })
  }
  if (replies.length > 0) {
    const rows = await db
      .selectFrom('reply')
      .select(['id', 'topic_id', 'comment_id'])
      .where('id', '=', anyOf(replies))
      .where('status', '=', 'published')
      .execute()
    for (const { id, topic_id, comment_id } of rows) found.set(`reply ${id}`, { topicId: topic_id, commentId: comment_id })
  }
  return found
}
