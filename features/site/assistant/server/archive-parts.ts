import { sql } from 'kysely'
import type { ArchivePart } from '#base/server/archive-part.ts'

export const archive: readonly ArchivePart[] = [
  {
    name: 'assistant-conversations',
    by: ['assistant_conversation.member_id'],
    rows: (memberId) => sql`
      select id, title, topic_id as "topicId", created_at as "createdAt", (
        select coalesce(json_agg(json_build_object('prompt', prompt, 'answer', answer, 'sources', sources, 'at', created_at) order by id), '[]')
        from assistant_turn where conversation_id = conversation.id) as turns
      from assistant_conversation as conversation where member_id = ${memberId} order by id`,
  },
  {
    name: 'assistant-reports',
    by: ['assistant_report.member_id', 'assistant_report_copy.member_id'],
    rows: (memberId) => sql`
      select reason, note, reported_at as "reportedAt", result, handled_at as "handledAt",
        (select turns from assistant_report_copy where report_id = its.id) as turns
      from assistant_report as its where member_id = ${memberId} order by id`,
  },
  {
    name: 'assistant-answers',
    by: ['assistant_usage.member_id'],
    rows: (memberId) => sql`
      select job, input_tokens as "inputTokens", output_tokens as "outputTokens", began_at as "beganAt" from assistant_usage
      where member_id = ${memberId} order by id`,
  },
]
