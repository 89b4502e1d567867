import type pg from 'pg'
import { transact } from '#base/server/database/database.ts'
import { distinctTexts } from '#database/bulk/rows.ts'
import type { Size } from '#database/bulk/plan.ts'
import { connectAsOwner } from '#base/server/database/connect-as-owner.ts'
import type { Store } from '#apps/server/store.ts'
import { catchUp } from '#search/server/indexer.ts'
import { postgresEngine } from '#search/server/postgres/engine.ts'
import { periodLength, weeksPerPeriod } from '#search/server/postgres/vector.ts'

const remarks = ['comment', 'reply'] as const
type Remark = (typeof remarks)[number]

/**
 * Indexes a forum that `seedBulk` has filled. The first remark of each text goes the product's way; the entries of its copies are made of
 * its own, in sets, as the product would make them.
 */
export async function indexWithCopies({ database, ownerUrl }: Pick<Store, 'database' | 'ownerUrl'>, size: Size): Promise<void> {
  const [client, other] = await Promise.all([connectAsOwner(ownerUrl), connectAsOwner(ownerUrl)])
  try {
    const counts = { comment: size.comments, reply: size.replies }
    const first = { comment: await firstOf(client, 'comment', counts), reply: await firstOf(client, 'reply', counts) }
    for (const kind of remarks)
      await client.query('delete from search_change where kind = $1 and source_id >= $2', [kind, first[kind] + distinctTexts])
    await client.query('vacuum (analyze) search_change')
    await catchUp(database, postgresEngine)
    await Promise.all([copyEntries(client, 'comment', first.comment), copyOthers(other, first)])
    await client.query(`
      insert into search_week (week, entries) select floor(extract(epoch from published_at) / 604800)::int, count(*) from search_entry group by 1
      on conflict (week) do update set entries = excluded.entries`)
    await client.query('vacuum (analyze) search_entry, search_any, search_change')
    await transact(database, (tx) => postgresEngine.recount(tx))
  } finally {
    await Promise.all([client.end(), other.end()])
  }
}

async function firstOf(client: pg.Client, kind: Remark, counts: Record<Remark, number>): Promise<number> {
  const { rows } = await client.query<{ last: string }>(filled('select max(id) as last from {kind}', kind))
  return Number(rows[0]?.last) + 1 - counts[kind]
}

async function copyOthers(client: pg.Client, first: Record<Remark, number>): Promise<void> {
  await copyEntries(client, 'reply', first.reply)
  for (const kind of remarks)
    await client.query(
      filled(
        `insert into search_any (kind, source_id, words)
       select search_any.kind, copy.id, search_any.words
       from {kind} as copy join search_any on search_any.kind = '{kind}' and source_id = $1::bigint + (copy.id - $1) % {distinctTexts}
       where copy.id >= $1 + {distinctTexts} order by copy.id`,
        kind,
      ),
      [first[kind]],
    )
}

/** Words begin with the period of the post, and those after `=` say whose it is, where and when. */
async function copyEntries(client: pg.Client, kind: Remark, first: number): Promise<void> {
  await client.query(
    filled(
      `
    create temp table {kind}_text as
    select source_id, core, replace(ts_delete(words, facts)::text, '''' || period, '''@') as words
    from (
      select search_entry.*, split_part(key, '-', 2)::bigint as source_id, substr(fact, 1, {periodLength}) as period, facts from search_entry, lateral (
        select array_agg(lexeme) as facts, min(lexeme) as fact from unnest(words) where substr(lexeme, {periodLength} + 1, 1) = '=') as its
      where kind = '{kind}') as entry`,
      kind,
    ),
  )
  await client.query(filled('analyze {kind}_text', kind))
  await client.query(
    filled(
      `insert into search_entry (key, kind, topic_id, tag_id, published_at, core, words)
     select '{kind}-' || copy.id, '{kind}', topic_id, tag_id, copy.published_at, core, (replace(words, '@', period) || concat(
       ' ', period, '=by', copy.author_id, ' ', period, '=in', tag_id, ' ', period, '={kind} ', period, '=time0.', week, ' ', period, '=time2.', week >> 2))::tsvector
     from {kind} as copy join topic on topic.id = topic_id join {kind}_text on source_id = $1::bigint + (copy.id - $1) % {distinctTexts},
       lateral (select floor(extract(epoch from copy.published_at) / 604800)::int as week) as its, lateral (select lpad((week / {weeksPerPeriod})::text, {periodLength}, '0') as period) as its_period
     where copy.id >= $1 + {distinctTexts} order by copy.id`,
      kind,
    ),
    [first],
  )
}

function filled(text: string, kind: Remark): string {
  const values: Record<string, string | number> = { kind, distinctTexts, periodLength, weeksPerPeriod }
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
