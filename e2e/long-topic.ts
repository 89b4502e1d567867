import { sql } from 'kysely'
import { invalidate } from '#base/server/cache/invalidation.ts'
import type { Site } from './site.ts'

/** Extends a sample topic to any length: every comment has its floor as text, and each third one quotes the one two above it. */
export async function addComments(site: Site, topicId: string, floors: number): Promise<void> {
  await site.write(async (tx) => {
    const { floors: before, author_id } = await tx
      .selectFrom('topic')
      .select(['floors', 'author_id'])
      .where('id', '=', topicId)
      .executeTakeFirstOrThrow()
    await sql`
      insert into comment (topic_id, author_id, floor, body, segments, text, published_at)
      select ${topicId}, member.id, floor, '{"type":"doc","content":[]}', jsonb_build_array(jsonb_build_object('html',
          '<p>This is floor ' || floor || '.</p>' || repeat('<p>茶凉了再续上，话说完了再想想。</p>', floor % 4))), 'This is floor ' || floor,
        now() - (${floors} - floor) * interval '1 hour'
      from generate_series(${before + 1}::int, ${floors}::int) as floor, lateral (
        select id from member where id <> ${author_id} order by (id * 7 + floor) % 11, id limit 1) as member`.execute(tx)
    await sql`
      update comment set quotes = quoted.id from comment as quoted
      where comment.topic_id = ${topicId} and quoted.topic_id = ${topicId} and quoted.floor = comment.floor - 2
        and comment.floor > ${before + 2} and comment.floor % 3 = 0`.execute(tx)
    await tx.updateTable('topic').set({ floors, comment_count: floors }).where('id', '=', topicId).execute()
    invalidate(tx, `topic:${topicId}`)
  })
}

/** Adds a comment, as if from another machine. */
export async function addOtherComment(site: Site, topicId: string): Promise<void> {
  const { floors } = await site.database.app.selectFrom('topic').select('floors').where('id', '=', topicId).executeTakeFirstOrThrow()
  await addComments(site, topicId, floors + 1)
}
