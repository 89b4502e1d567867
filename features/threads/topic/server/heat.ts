import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { ThreadLanguage } from '#kind/contract.ts'
import { heatOf } from '#post/server/post.ts'
import * as setting from '#setting/server/setting.ts'
import * as tag from '#tag/server/tag.ts'
import type { TopicLinkView } from '#topic/contract.ts'
import { linkColumns, linkView } from '#topic/server/topic-link.ts'
import { isPublished, isUnpinned } from '#topic/server/listed.ts'

const hotCount = 8
const cooledCount = 300
const recommendedCount = 3
/** The number of candidates among which the reader's language is preferred, and the factor for other languages. */
const candidateCount = 60
const otherLanguageFactor = 0.3

/**
 * The eight hottest topics that this viewer may see, without pinned ones; topics in the reader's language are preferred, where it
 * is known.
 */
export async function hottestFor(db: Db, viewer: Viewer, language?: ThreadLanguage): Promise<TopicLinkView[]> {
  const rows = await db
    .selectFrom((query) =>
      query
        .selectFrom('topic')
        .select([...linkColumns, 'heat', 'language'])
        .where(isPublished)
        .where(isUnpinned)
        .where('heat', '>', 0)
        .where(tag.seenBy(viewer))
        .orderBy('heat', 'desc')
        .orderBy('id', 'desc')
        .limit(language ? candidateCount : hotCount)
        .as('topic'),
    )
    .select(linkColumns)
    .orderBy(heatIn(language), 'desc')
    .orderBy('id', 'desc')
    .limit(hotCount)
    .execute()
  return rows.map(linkView)
}

function heatIn(language: ThreadLanguage | undefined) {
  return sql`heat * case when language <> ${language ?? null}::text then ${otherLanguageFactor}::float8 else 1 end`
}

/** Three recommended topics for newcomers: featured ones in the reader's language, other featured ones, then hot ones, each by heat. */
export async function recommended(db: Db, viewer: Viewer, language?: ThreadLanguage): Promise<TopicLinkView[]> {
  const [featured, hot] = await Promise.all([
    db
      .selectFrom('topic')
      .select(linkColumns)
      .where(isPublished)
      .where('featured_at', 'is not', null)
      .where(tag.seenBy(viewer))
      .orderBy(sql`coalesce(language <> ${language ?? null}::text, false)`)
      .orderBy('heat', 'desc')
      .orderBy('id', 'desc')
      .limit(recommendedCount)
      .execute(),
    hottestFor(db, viewer, language),
  ])
  const views = featured.map(linkView)
  return [...views, ...hot.filter(({ id }) => views.every((view) => view.id !== id))].slice(0, recommendedCount)
}

/** Recomputes the heat of the hottest topics. The others stay colder than these at any hour until they get activity. */
export async function decayHeat(tx: Db): Promise<void> {
  const settings = await setting.all(tx)
  await tx
    .updateTable('topic')
    .set({ heat: heatOf(settings) })
    .where('id', 'in', (query) =>
      query
        .selectFrom('topic')
        .select('id')
        .where(isPublished)
        .where(isUnpinned)
        .where('heat', '>', 0)
        .orderBy('heat', 'desc')
        .limit(cooledCount),
    )
    .execute()
}
