import { sql } from 'kysely'
import { NothingThere, ReportedAlready, StillRunning } from '#assistant/contract.ts'
import type { reportAnswer } from '#assistant/report-contract.ts'
import { isBeingWritten } from '#assistant/server/usage.ts'
import { Missing, type ParsedInput } from '#base/contract.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import { asMember } from '#message/server/message.ts'

type Turn = { conversationId: string; isEmpty: boolean; isRunning: boolean }

/** Reports an answer to staff, with a copy of the conversation up to it, which stays when the member deletes the conversation. */
export function report(tx: Db, member: Member, { turnId, reason, note }: ParsedInput<typeof reportAnswer>): Promise<void> {
  return asMember(tx, member.id, async (as) => {
    const { rows } = await sql<Turn>`
      select conversation_id::text as "conversationId", answer = '' as "isEmpty", state = 'running' and ${isBeingWritten(sql`assistant_turn.id`)} as "isRunning"
      from assistant_turn where id = ${turnId}`.execute(as)
    const [turn] = rows
    if (!turn) throw Missing()
    if (turn.isRunning) throw StillRunning()
    if (turn.isEmpty) throw NothingThere()
    const added = await as
      .insertInto('assistant_report')
      .values({ member_id: member.id, turn_id: turnId, reason, note })
      .onConflict((there) => there.column('turn_id').where('handled_at', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw ReportedAlready()
    await sql`
      insert into assistant_report_copy (report_id, member_id, turns)
      select ${added.id}, ${member.id}, json_agg(json_build_object('id', id::text, 'prompt', prompt, 'answer', answer, 'sources', sources,
        'isStandIn', is_stand_in, 'at', created_at, 'model', (
          select model.name from assistant_usage as used join assistant_model as model on model.id = model_id
          where used.turn_id = turn.id order by used.id desc limit 1)) order by id)
      from assistant_turn as turn where conversation_id = ${turn.conversationId} and id <= ${turnId}`.execute(as)
  })
}
