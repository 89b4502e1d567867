import type { Store } from '#apps/server/store.ts'
import { seedBulk } from '#database/bulk/bulk.ts'
import { ensureIndex } from '#search/server/indexer.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { indexWithCopies } from './index-copies.ts'
import { withoutIndexes } from './without-indexes.ts'

// The heat of topics and the checks of the ledger look things up by these.
const needed = ['comment_topic_id_author_id_idx', 'reply_topic_id_author_id_idx', 'reward_member_id_day_rule_points_idx']
const tables = ['topic', 'topic_word', 'comment', 'reply', 'written', 'reward', 'search_entry', 'search_any']

/** Fills a new forum that nobody uses yet with so many comments, and all that belongs to them, as the product would have left it. */
export async function fillInSets(store: Pick<Store, 'database' | 'ownerUrl'>, comments: number): Promise<void> {
  // Before there is anything, so that nothing is queued twice.
  await ensureIndex(store.database, postgresEngine)
  await withoutIndexes(store.ownerUrl, { tables, needed }, async () => {
    const size = await seedBulk(store, comments, () => undefined)
    await indexWithCopies(store, size)
  })
}
