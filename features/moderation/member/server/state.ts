import { sql } from 'kysely'
import type { states } from '#member/contract.ts'

export type State = (typeof states)[number]

/** Whether the row's ban runs now. */
export const isRunning = sql<boolean>`lifted_at is null and (ends_at is null or ends_at > now())`

const isBanned = sql<boolean>`exists (select from member_ban where member_ban.member_id = member.id and ${isRunning})`

/** The state of the row's member. */
export const stateExpression = sql<State>`case
  when deactivated_as = 'disabled' then 'disabled'
  when deactivated_as = 'left' then 'left'
  when deactivated_at is not null then 'cancelled'
  when ${isBanned} then 'banned'
  else 'active' end`

/** The condition that the row's member has this state, in a form that an index serves where such members are few. */
export const hasState: Record<State, ReturnType<typeof sql<boolean>>> = {
  active: sql<boolean>`(deactivated_at is null and not ${isBanned})`,
  banned: sql<boolean>`(deactivated_at is null and member.id in (select member_id from member_ban where ${isRunning}))`,
  disabled: sql<boolean>`(deactivated_at is not null and deactivated_as = 'disabled')`,
  left: sql<boolean>`(deactivated_at is not null and deactivated_as = 'left')`,
  cancelled: sql<boolean>`(deactivated_at is not null and deactivated_as not in ('disabled', 'left'))`,
}
