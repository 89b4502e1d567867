import { sql } from 'kysely'
import { truncate, maxUnitsPerCharacter } from '#base/characters.ts'
import type { Output } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import * as posts from '#post/server/post.ts'
import type { similarQuestions } from '#question/contract.ts'
import * as tag from '#tag/server/tag.ts'
import * as topics from '#topic/server/topic.ts'

type SimilarQuestions = Output<typeof similarQuestions>['questions']

const maxResults = 5
const longestAnswer = 200

/** Questions whose titles share words with this one while it is typed, resolved ones first. */
export async function similar(db: Db, viewer: Viewer, title: string): Promise<SimilarQuestions> {
  const words = posts.titleWords(title)
  if (words.length === 0) return []
  const { rows } = await sql<SimilarQuestions[number]>`
    select topic.id, topic.title, question_state as state, ${topics.answerCount} as "answerCount", left(comment.text, ${maxUnitsPerCharacter * longestAnswer}) as best
    from (${topics.alike(words, null)}) as alike
    join topic on topic.id = alike.topic_id
    left join adoption on adoption.topic_id = topic.id
    left join comment on comment.id = adoption.comment_id and comment.status = 'published'
    where topic.kind = 'question' and topic.question_state is not null and topic.status = 'published' and ${tag.seenBy(viewer)}
    order by is_resolved desc, likeness desc, topic.id desc limit ${maxResults}`.execute(db)
  return rows.map((row) => ({ ...row, best: row.best === null ? null : truncate(row.best, longestAnswer) }))
}
