import { sql } from 'kysely'
import { anyOf, type Db } from '#base/server/database/database.ts'
import type { Viewer } from '#base/server/http/route.ts'
import type { Kind } from '#kind/contract.ts'
import type { RewardRule } from '#wallet/contract.ts'
import type { SubjectView } from '#wallet/log-contract.ts'

const postIn = /^(topic|comment|reply):(\d{1,18})\b/
const partIn = /^part:([\w-]{1,40}):/
const reversedIn = /^transaction:(\d{1,18})$/

/** The subjects of transactions by their sources: published posts that this viewer may see. */
export async function subjectsOf(db: Db, viewer: Pick<Viewer, 'may'>, sources: readonly string[]): Promise<Map<string, SubjectView>> {
  const resolved = await resolveSources(db, sources)
  const ids = (kind: Kind) =>
    [...resolved.values()].flatMap((source) => (postIn.exec(source)?.[1] === kind ? [postIn.exec(source)?.[2]] : []))
  const { rows } = await sql<SubjectView & { tagId: string }>`
    select its.*, title, topic.kind as "threadKind", tag_id as "tagId" from (
      select 'topic' as kind, id, id as "topicId", null::bigint as "commentId" from topic
        where id = any(${ids('topic')}::bigint[]) and status = 'published'
      union all select 'comment', id, topic_id, id from comment where id = any(${ids('comment')}::bigint[]) and status = 'published'
      union all select 'reply', id, topic_id, comment_id from reply where id = any(${ids('reply')}::bigint[]) and status = 'published'
    ) as its join topic on topic.id = "topicId" where status = 'published'`.execute(db)
  const seen = new Map(rows.flatMap(({ tagId, ...row }) => (viewer.may('tag.view', tagId) ? [[`${row.kind}:${row.id}`, row]] : [])))
  return new Map(
    [...resolved].flatMap(([source, meaning]) => {
      const [, kind, id] = postIn.exec(meaning) ?? []
      const row = seen.get(`${kind}:${id}`)
      return row ? [[source, row]] : []
    }),
  )
}

const rewardIn = /^(topic|comment|reply):(\d{1,18}):(?:(adopted|liked):)?/

export async function rulesOf(db: Db, sources: readonly string[]): Promise<Map<string, RewardRule>> {
  const found = new Map<string, RewardRule>()
  const posts: { source: string; kind: string; id: string }[] = []
  for (const source of sources) {
    const [, kind, id, beside] = rewardIn.exec(source) ?? []
    if (beside === 'adopted' || beside === 'liked') found.set(source, beside)
    else if (kind && id) posts.push({ source, kind, id })
  }
  if (posts.length === 0) return found
  const { rows } = await sql<{ source: string; rule: RewardRule }>`
    select source, rule from json_to_recordset(${JSON.stringify(posts)}::json) as asked (source text, kind post_kind, id bigint)
    join reward on post_kind = asked.kind and post_id = asked.id and not is_adoption and liker_id is null`.execute(db)
  for (const { source, rule } of rows) found.set(source, rule)
  return found
}

const disputeIn = /^dispute:([a-z]+):(.+)$/

/** The numbers of the payments behind top-ups, refunds and disputes, by the sources of their transactions. */
export async function paymentNumbersOf(db: Db, sources: readonly string[]): Promise<Map<string, string>> {
  const named = (kind: string) => sources.flatMap((source) => (source.startsWith(`${kind}:`) ? source.slice(kind.length + 1) : []))
  const found = new Map(named('payment').map((number) => [`payment:${number}`, number]))
  const disputes = sources.flatMap((source) => {
    const [, provider, number] = disputeIn.exec(source) ?? []
    return provider && number ? [{ source, provider, number }] : []
  })
  if (disputes.length === 0 && named('refund').length === 0 && named('event').length === 0) return found
  const { rows } = await sql<{ source: string; number: string }>`
    select 'refund:' || back.number as source, paid.number from payment_refund as back join payment_order as paid on paid.id = order_id
      where back.number = any(${named('refund')}::text[])
    union all select 'event:' || event_id, number from payment_order where event_id = any(${named('event')}::bigint[])
    union all select asked.source, paid.number
      from json_to_recordset(${JSON.stringify(disputes)}::json) as asked (source text, provider text, number text)
      join payment_dispute as its on its.provider = asked.provider and provider_number = asked.number
      join payment_order as paid on paid.id = order_id`.execute(db)
  for (const { source, number } of rows) found.set(source, number)
  return found
}

/** Resolves sources: of a reversal to the source of the reversed transaction, of a payment for a hidden part to its post. */
async function resolveSources(db: Db, sources: readonly string[]): Promise<Map<string, string>> {
  const reversed = sources.flatMap((source) => reversedIn.exec(source)?.[1] ?? [])
  const rows =
    reversed.length === 0
      ? []
      : await db.selectFrom('ledger.transaction').select(['id', 'source']).where('id', '=', anyOf(reversed)).execute()
  const known = new Map(rows.map(({ id, source }) => [`transaction:${id}`, source]))
  const causes = sources.map((source) => known.get(source) ?? source)
  const places = await placesOf(db, causes)
  return new Map(sources.map((source, place) => [source, postOf(causes[place] ?? source)]))

  function postOf(cause: string): string {
    const its = places.get(partIn.exec(cause)?.[1] ?? '')
    if (!its) return cause
    return its.comment_id ? `comment:${its.comment_id}` : `topic:${its.thread_id}`
  }
}

/** The topic of a payment for a hidden part, or of its refund, whether or not it is published. */
export async function topicOf(db: Db, { source, reverses }: { source: string; reverses: string | null }): Promise<string | null> {
  const its = reverses && (await db.selectFrom('ledger.transaction').select('source').where('id', '=', reverses).executeTakeFirst())
  const [place] = (await placesOf(db, [its ? its.source : source])).values()
  return place?.thread_id ?? null
}

async function placesOf(db: Db, causes: readonly string[]) {
  const parts = causes.flatMap((cause) => partIn.exec(cause)?.[1] ?? [])
  const rows =
    parts.length === 0
      ? []
      : await db.selectFrom('hidden.outline').select(['id', 'thread_id', 'comment_id']).where('id', '=', anyOf(parts)).execute()
  return new Map(rows.map((row) => [row.id ?? '', row]))
}
