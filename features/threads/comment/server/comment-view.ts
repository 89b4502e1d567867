import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { AuthorView } from '#user/contract.ts'
import type { CommentView } from '#comment/contract.ts'
import type { CommentRow, QuotedRow } from '#comment/server/comment-rows.ts'
import { movedTo, movedThreads, type MovedThreads } from '#comment/server/moved-references.ts'
import { fieldViews, type FieldViews } from '#comment/server/post-parts.ts'
import { peopleIn as peopleInReply, replyView } from '#comment/server/replies.ts'
import * as linkPreview from '#link-preview/server/link-preview.ts'
import * as user from '#user/server/user.ts'
import * as writing from '#writing/server/writing.ts'

export async function viewsOf(db: Db, viewer: Viewer, topicId: string, comments: readonly CommentRow[]): Promise<CommentView[]> {
  const [people, threads, fields] = await Promise.all([
    user.authors(db, comments.flatMap(peopleIn)),
    movedThreads(db, viewer, topicId, comments),
    fieldViews(db),
  ])
  const views = comments.map((comment) => commentView(comment, { topicId, people, threads, fields }))
  const carded = await linkPreview.cardsIn(
    db,
    views.flatMap((one) => [one, ...one.replies]),
  )
  return views.map((one) => ({ ...carded(one), replies: one.replies.map(carded) }))
}

function peopleIn(row: CommentRow): string[] {
  const inReplies = row.replies.flatMap(peopleInReply)
  if (!isShown(row)) return inReplies
  return [row.author_id, ...(row.quoted ? [row.quoted.author_id] : []), ...writing.mentionedIn(row.segments), ...inReplies]
}

type ViewContext = {
  topicId: string
  people: ReadonlyMap<string, AuthorView>
  threads: MovedThreads
  fields: FieldViews
}

function commentView(row: CommentRow, context: ViewContext): CommentView {
  const { people, threads, fields } = context
  const isVisible = isShown(row)
  return {
    id: row.id,
    floor: row.floor,
    isDeleted: !isVisible,
    movedTo: movedTo(row, threads),
    author: isVisible ? (people.get(row.author_id) ?? null) : null,
    segments: isVisible ? writing.withNames(row.segments, people) : [],
    publishedAt: new Date(row.published_at).toISOString(),
    editedAt: isVisible && row.edited_at !== null ? new Date(row.edited_at).toISOString() : null,
    isEditedByStaff: isVisible && row.edited_by !== null && row.edited_by !== row.author_id,
    quote: isVisible && row.quoted ? quoteView(row.quoted, context) : null,
    replies: row.replies.map((reply) => replyView(reply, people, fields)),
    replyCount: row.reply_count,
    ...fields.ofComment(row.fields, !isVisible),
  }
}

function quoteView(quoted: QuotedRow, { topicId, people, threads }: ViewContext): CommentView['quote'] {
  const topicOpened = quoted.became && threads.get(quoted.became)
  const isVisible = quoted.status === 'published' && (quoted.topic_id === topicId || threads.has(quoted.topic_id))
  const author = isVisible || topicOpened ? people.get(quoted.author_id) : undefined
  return {
    commentId: quoted.id,
    topicId: quoted.became ?? quoted.topic_id,
    floor: !topicOpened && (isVisible || quoted.topic_id === topicId) ? (quoted.floor ?? 0) : 0,
    author: author ? { id: author.id, name: author.name } : null,
    text: topicOpened ? topicOpened.excerpt : isVisible ? quoted.text : '',
    only: isVisible ? quoteKindOf(quoted) : null,
    isDeleted: !isVisible && !topicOpened,
  }
}

type QuoteKind = NonNullable<CommentView['quote']>['only']
const quoteKinds: Record<string, QuoteKind> = { image: 'picture', table: 'table', file: 'file', codeBlock: 'code' }

// Blank posts are refused, so a post without text has a picture.
function quoteKindOf({ first, text }: QuotedRow): QuoteKind {
  return text === '' ? 'picture' : (quoteKinds[first ?? ''] ?? null)
}

function isShown(row: CommentRow): boolean {
  return row.status === 'published'
}
