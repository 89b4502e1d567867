import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { ClientInfo } from '#base/server/http/route.ts'
import { RoleGiven, RoleSold, type NameView } from '#role/contract.ts'

/** The membership cards that sell this column's role. */
export function cardsOf(roleId: string): RawBuilder<{ id: string; name: NameView }[]> {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', card.id::text, 'name', jsonb_build_object('zh', card.name_zh, 'en', card.name_en)) order by card.sort, card.id)
    from membership_card as card where card.role_id = ${sql.ref(roleId)} and removed_at is null), '[]')`
}

/** The gift tasks that give it. */
export function tasksOf(roleId: string): RawBuilder<{ id: string; name: string }[]> {
  return sql`coalesce((
    select jsonb_agg(jsonb_build_object('id', task.id::text, 'name', task.name) order by task.id)
    from membership_gift_task as task where task.role_id = ${sql.ref(roleId)} and is_enabled and finished_at is null), '[]')`
}

/** Refuses changes that a role on sale, or given by a task, must not have. The role must be locked, so that no sale begins meanwhile. */
export async function refuseSold(tx: Db, { language }: Pick<ClientInfo, 'language'>, roleId: string): Promise<void> {
  const { cards, tasks } = await tx
    .selectFrom('role')
    .select([cardsOf('role.id').as('cards'), tasksOf('role.id').as('tasks')])
    .where('id', '=', roleId)
    .executeTakeFirstOrThrow()
  const inLine = new Intl.ListFormat(language)
  if (cards.length > 0) throw RoleSold({ cards: inLine.format(cards.map(({ name }) => name[language])) })
  if (tasks.length > 0) throw RoleGiven({ tasks: inLine.format(tasks.map(({ name }) => name)) })
}
