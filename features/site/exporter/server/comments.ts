import { sql } from 'kysely'
import { countOf, cursorOver, isExported, type Exported } from '#exporter/server/exported.ts'
import { columnsOf, postRow, type StoredPost } from '#exporter/server/posts.ts'
import { partsOf } from '#exporter/server/threads.ts'
import { postId, type Row, type SecretName } from '#importer/server/importer.ts'

type StoredComment = StoredPost & { topic_id: string; floor: number | null; quotes: string | null }
type StoredReply = StoredPost & { topic_id: string; comment_id: string; answers: string | null }

/** Thread by thread: its comments from floor to floor, then the replies below them. */
export function comments(secrets: ReadonlySet<SecretName>): Exported<'comments'> {
  const ofComments = sql<StoredComment>`
    select ${columnsOf('comment')}, ${partsOf('comment_id', 'comment.id', secrets)} as parts, topic_id, floor, quotes from comment
    where ${isExported('comment.topic_id')} order by topic_id, floor, id`
  const ofReplies = sql<StoredReply>`
    select ${columnsOf('reply')}, null::json as parts, topic_id, comment_id, answers from reply
    where ${isExported('reply.topic_id')} order by topic_id, id`
  return {
    count: async (tx) => (await countOf(tx, ofComments)) + (await countOf(tx, ofReplies)),
    async *rows(tx) {
      const replies = cursorOver(tx, ofReplies, 'exported_replies')
      let next = await replies.next()
      for await (const comment of cursorOver(tx, ofComments)) {
        while (!next.done && BigInt(next.value.topic_id) < BigInt(comment.topic_id)) {
          yield replyRow(next.value)
          next = await replies.next()
        }
        yield commentRow(comment)
      }
      if (!next.done) yield replyRow(next.value)
      for await (const reply of replies) yield replyRow(reply)
    },
  }
}

/** The opening is number 1, so the first floor is number 2. */
function commentRow(its: StoredComment): Row<'comments'> {
  return {
    ...postRow(postId.comment(its.id), its),
    threadId: its.topic_id,
    number: its.floor === null ? null : its.floor + 1,
    answersId: its.quotes === null ? null : postId.comment(its.quotes),
    belowId: null,
  }
}

function replyRow(its: StoredReply): Row<'comments'> {
  return {
    ...postRow(postId.reply(its.id), its),
    threadId: its.topic_id,
    number: null,
    answersId: its.answers === null ? null : postId.reply(its.answers),
    belowId: postId.comment(its.comment_id),
  }
}
