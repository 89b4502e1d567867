import { sql } from 'kysely'
import type { about, welcome } from '#about/contract.ts'
import type { Output } from '#base/contract.ts'
import { dayAt, startOfDay } from '#base/server/calendar.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { ThreadLanguage } from '#kind/contract.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import * as topic from '#topic/server/topic.ts'

/** The welcome for visitors. */
export async function greet(db: Db, viewer: Viewer, language?: ThreadLanguage): Promise<Output<typeof welcome>> {
  const [{ welcomeZh: zh, welcomeEn: en }, topics] = await Promise.all([setting.all(db), topic.recommended(db, viewer, language)])
  return { says: { zh, en }, topics }
}

export async function show(db: Db, viewer: Viewer): Promise<Output<typeof about>> {
  const settings = await setting.all(db)
  const [members, topics, today] = await Promise.all([
    countMembers(db),
    tag.countTopics(db, viewer),
    countSince(db, viewer, startOfDay(dayAt(Date.now(), settings.timeZone), settings.timeZone)),
  ])
  return {
    says: { zh: settings.welcomeZh, en: settings.welcomeEn },
    runBy: { zh: settings.runByZh, en: settings.runByEn },
    members,
    topics,
    today,
  }
}

async function countMembers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('member')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('deactivated_at', 'is', null)
    .where('is_official', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

/** Posts since a time, in tags that this viewer may see. */
async function countSince(db: Db, viewer: Viewer, since: Date): Promise<number> {
  const seen = sql`topic.status = 'published' and ${tag.seenBy(viewer)}`
  const under = (table: 'comment' | 'reply') => sql`
    select count(*) from ${sql.table(table)} as its join topic on topic.id = its.topic_id
    where its.published_at >= ${since} and its.status = 'published' and ${seen}`
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from topic where published_at >= ${since} and ${seen}) + (${under('comment')}) + (${under('reply')}))::int as count`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
