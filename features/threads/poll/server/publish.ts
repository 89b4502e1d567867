import { sql } from 'kysely'
import { NotAllowed } from '#base/contract.ts'
import { normalizeSecret } from '#base/secret-input.ts'
import type { Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import type { NewThread } from '#base/server/thread-part.ts'
import { EndsTooSoon, OptionsAlike, TooManyChoices, TooManyOptions, type PollDraft } from '#poll/thread-part.ts'
import * as role from '#role/server/role.ts'
import { FunctionClosed } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'

/** The most options a poll may have now; 0 while polls are off. */
export async function maxOptions(db: Db): Promise<number> {
  const { maxPollOptions } = await setting.all(db)
  return maxPollOptions < 2 ? 0 : maxPollOptions
}

/** The same for a member's own polls; 0 for one who may add none. */
export async function maxOptionsFor(db: Db, member: Member): Promise<number> {
  const scope = member.where('poll.add')
  const isBanned = member.bans?.some(({ from }) => from === 'poll')
  return isBanned || ('only' in scope && scope.only.length === 0) ? 0 : maxOptions(db)
}

/** Whether two options read the same, whatever keyboard they were typed with. */
export function hasAlike(options: readonly string[]): boolean {
  return new Set(options.map((one) => normalizeSecret(one).replaceAll(/\s+/g, ' ').trim())).size < options.length
}

/** Adds a poll to a new thread. */
export async function publish(tx: Db, author: Member, { id: topicId, tagId, at }: NewThread, draft: PollDraft): Promise<void> {
  const { title, options, maxChoices, isPublic, showsResults } = draft
  role.refuseBanned(author, ['poll'])
  const most = await maxOptions(tx)
  if (most === 0) throw FunctionClosed()
  if (!author.may('poll.add', tagId)) throw NotAllowed()
  if (options.length > most) throw TooManyOptions({ most })
  if (hasAlike(options)) throw OptionsAlike()
  if (maxChoices > options.length) throw TooManyChoices({ most: options.length })
  const endsAt = draft.endsAt ? new Date(draft.endsAt) : null
  if (endsAt && endsAt <= (at ?? new Date())) throw EndsTooSoon()
  await tx
    .insertInto('poll')
    .values({ topic_id: topicId, title, max_choices: maxChoices, is_public: isPublic, shows_results: showsResults, ends_at: endsAt })
    .execute()
  await sql`
    insert into poll_option (topic_id, place, label)
    select ${topicId}, place, label from unnest(${options}::text[]) with ordinality as given (label, place)`.execute(tx)
}
