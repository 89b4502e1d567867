import { aConversation } from '#assistant/testing/factories.ts'
import { report } from '#assistant/server/report.ts'
import { transact, type Database } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { asMember } from '#message/server/message.ts'

/** Reports the second answer of a conversation; returns the id of the report. */
export async function aReportedAnswer(database: Database, memberId: string): Promise<string> {
  const answer = '**Three minutes.**\n\n- First pour: 20 seconds\n- Second pour: 30 seconds, and `no more`'
  const conversationId = await aConversation(database, memberId, ['Which tea?', answer])
  return transact(database, async (tx) => {
    const { id: turnId } = await asMember(tx, memberId, (as) =>
      as
        .selectFrom('assistant_turn')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow(),
    )
    await report(tx, { id: memberId } as Member, { turnId, reason: 'incorrect', note: 'Oolong steeps far longer than that.' })
    const { id } = await tx.selectFrom('assistant_report').select('id').where('turn_id', '=', turnId).executeTakeFirstOrThrow()
    return id
  })
}

/** A failing model in its cooldown, its costs, a nearly exhausted budget, and a prompt written by staff. */
export async function someUsage({ app }: Database, memberId: string): Promise<void> {
  const { id } = await app
    .insertInto('assistant_model')
    .values({
      name: 'A model with a rather long name',
      protocol: 'openai',
      address: 'https://a-provider-with-a-long-name.example.com/compatible-mode/v1',
      model: 'qwen-plus-with-a-long-suffix-2026-11-27',
      jobs: ['chat', 'summary', 'writing', 'translation'],
      is_enabled: true,
      context_tokens: 128_000,
      input_price: 80,
      cached_price: 16,
      output_price: 200,
      failed_at: new Date(),
      failure: 'HTTP 429',
      failures: 3,
      rests_until: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const now = Date.now()
  const uses = Array.from({ length: 40 }, (_, place) => ({
    member_id: memberId,
    model_id: id,
    job: (['chat', 'summary', 'writing'] as const)[place % 3] ?? 'chat',
    input_tokens: 1_234_567,
    cached_tokens: 23_456,
    output_tokens: 345_678,
    cost: 123_456_789,
    is_estimated: place % 10 === 0,
    began_at: new Date(now - place * 8_000_000),
    ended_at: new Date(now - place * 8_000_000),
  }))
  await app.insertInto('assistant_usage').values(uses).execute()
  const month = new Date(new Date(now).toISOString().slice(0, 8).concat('01'))
  await app.insertInto('assistant_month').values({ month, cost: 8_400_000_000 }).execute()
  const prompt = { name: 'chat', language: 'en', text: 'You serve tea in {site}.', changed_by: 'one_who_has_a_long_name' } as const
  await app
    .insertInto('assistant_prompt')
    .values({ ...prompt, version: 1 })
    .execute()
}
