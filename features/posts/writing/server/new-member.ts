import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import type { Value } from '#base/server/database/statement.ts'
import type { Member, Viewer } from '#base/server/http/route.ts'
import type { Settings } from '#setting/contract.ts'
import * as setting from '#setting/server/setting.ts'
import type { NewcomerView } from '#writing/contract.ts'

/** A condition on a member row: the member is new by time or by number of posts. */
export function isNew({
  newMemberDays,
  newMemberPosts,
}: { [Name in 'newMemberDays' | 'newMemberPosts']: Value<Settings[Name]> }): RawBuilder<boolean> {
  return sql<boolean>`(
    joined_at > clock_timestamp() - make_interval(days => ${newMemberDays}::int)
    or topic_count + comment_count + reply_count < ${newMemberPosts}::int)`
}

export async function isNewMember(db: Db, settings: Settings, memberId: string): Promise<boolean> {
  const row = await db.selectFrom('member').select(isNew(settings).as('isNew')).where('id', '=', memberId).executeTakeFirst()
  return row?.isNew ?? false
}

/** The limits that a new member sees while writing; null for all others. */
export async function newcomer(db: Db, member: Member): Promise<NewcomerView> {
  const settings = await setting.all(db)
  return newcomerView(settings, member, !isTrusted(member) && (await isNewMember(db, settings, member.id)))
}

/** The same for a member whose `isNew` was selected already. */
export function newcomerView(settings: Settings, member: Member, isNewHere: boolean): NewcomerView {
  if (!isNewHere || isTrusted(member)) return null
  return {
    links: settings.newMemberLinks,
    pictures: Math.min(settings.newMemberPictures, settings.picturesPerPost),
    secondsBetweenTopics: settings.newMemberSecondsBetweenTopics,
    secondsBetweenComments: settings.newMemberSecondsBetweenComments,
  }
}

/** Staff and moderators of any tag are trusted everywhere: they are exempt from all limits against flooding. */
export function isTrusted(member: Viewer): boolean {
  if (member.staff || member.isOfficial) return true
  const keeps = member.where('content.edit.any')
  return 'except' in keeps || keeps.only.length > 0
}
