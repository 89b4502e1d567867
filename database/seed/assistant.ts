import { sql } from 'kysely'
import * as assistant from '#assistant/server/assistant.ts'
import type { Db } from '#base/server/database/database.ts'
import { isReachedFromNetwork } from '#base/server/http/site-address.ts'
import type { People } from '#database/seed/document.ts'
import { asMember } from '#message/server/message.ts'
import { required } from '#database/seed/required.ts'
import * as setting from '#setting/server/setting.ts'

type SampleConversation = { by: string; title: string; hoursAgo: number; turns: readonly (readonly [prompt: string, answer: string])[] }

const conversations: readonly SampleConversation[] = [
  {
    by: 'laochen',
    title: '乌龙茶第二泡要多久',
    hoursAgo: 26,
    turns: [
      ['乌龙茶第二泡要多久？', '（这是供开发用的模拟模型，不是真正的模型。）\n\n社区里没有找到相关内容。'],
      ['那普洱呢？', '（这是供开发用的模拟模型，不是真正的模型。）\n\n社区里没有找到相关内容。'],
    ],
  },
  {
    by: 'maya_r',
    title: 'Which teapot for one cup',
    hoursAgo: 5,
    turns: [['Which teapot for one cup?', '(A stand-in for development answers, not a model.)\n\nNothing about that was found here.']],
  },
]

const dayHours = 24
const minuteMs = 60_000

/** On a site reached from this machine only, the stand-in model answers, and some members have used it. */
export async function addConversations(tx: Db, people: People, now: Date): Promise<void> {
  if (isReachedFromNetwork()) return
  const modelId = await assistant.addStandIn(tx, '模拟模型 / Stand-in')
  await setting.change(tx, 'allowAssistant', true, 'sample')
  for (const { by, title, hoursAgo, turns } of conversations) {
    const at = new Date(now.getTime() - hoursAgo * 60 * minuteMs)
    const memberId = required(people, by).id
    // Row-level security shows a conversation to its member only.
    await asMember(tx, memberId, async (as) => {
      const { id } = await as
        .insertInto('assistant_conversation')
        .values({ member_id: memberId, title, created_at: at, updated_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
      const rows = turns.map(([prompt, answer], place) => {
        const createdAt = new Date(at.getTime() + (place - turns.length) * minuteMs)
        return {
          conversation_id: id,
          prompt,
          answer,
          state: 'finished' as const,
          is_stand_in: true,
          created_at: createdAt,
          ended_at: createdAt,
        }
      })
      await as.insertInto('assistant_turn').values(rows).execute()
    })
  }
  const members = [...new Set(conversations.map(({ by }) => required(people, by).id))]
  await sql`
    insert into assistant_usage (member_id, model_id, job, input_tokens, output_tokens, began_at, ended_at)
    select member_id, ${modelId}, 'chat', 900 + 40 * ago, 120 + 10 * ago, at, at + interval '3 seconds'
    from unnest(${members}::bigint[]) as member_id, generate_series(1, 6) as ago,
      lateral (select ${now}::timestamptz - make_interval(hours => ago * ${dayHours}) as at) as its`.execute(tx)
}
