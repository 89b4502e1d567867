import type { Db } from '#base/server/database/database.ts'
import type { Channel } from '#delivery/contract.ts'
import * as setting from '#setting/server/setting.ts'
import { NeededByProvider } from '#setting/contract.ts'
import { settingGroups, type Settings } from '#setting/staff-contract.ts'

export type ChannelHealth = {
  isSet: boolean
  /** Whether members log in, register or post by codes that are sent this way. */
  isNeeded: boolean
  /** Whether the provider's settings are incomplete. */
  isIncomplete: boolean
  waiting: number
  sentAt: Date | null
  failure: { at: Date; error: string | null } | null
  /** Whether an attempt failed temporarily, and none succeeded since. */
  isFailing: boolean
}

/** The configured provider of each channel, and whether it works. */
export async function health(db: Db): Promise<Record<Channel, ChannelHealth>> {
  const [settings, wrong] = await Promise.all([setting.all(db), setting.crossCheckErrors(db)])
  const lacks = (group: readonly string[]) => wrong.some(({ kind }) => kind.code === NeededByProvider.code && group.includes(kind.field))
  const [email, sms] = await Promise.all([recentActivity(db, 'email'), recentActivity(db, 'sms')])
  return {
    email: {
      ...email,
      isSet: setting.canSend(settings, 'email'),
      isNeeded: isNeeded(settings, 'email'),
      isIncomplete: lacks(settingGroups.email),
    },
    sms: { ...sms, isSet: setting.canSend(settings, 'sms'), isNeeded: isNeeded(settings, 'phone'), isIncomplete: lacks(settingGroups.sms) },
  }
}

function isNeeded({ allowLoginAccountType, allowRegisterAccountType, realNameForPosting }: Settings, by: 'email' | 'phone'): boolean {
  if (by === 'phone' && realNameForPosting === 'phone') return true
  return allowLoginAccountType.includes(by) || allowRegisterAccountType.includes(by)
}

type RecentActivity = Pick<ChannelHealth, 'waiting' | 'sentAt' | 'failure' | 'isFailing'>

async function recentActivity(db: Db, channel: Channel): Promise<RecentActivity> {
  const newest = (column: 'settled_at' | 'failed_at') =>
    db.selectFrom('delivery').where('channel', '=', channel).orderBy(column, 'desc').limit(1)
  const [waiting, sent, failed, failing] = await Promise.all([
    db
      .selectFrom('delivery')
      .select((row) => row.fn.countAll<string>().as('count'))
      .where('state', '=', 'waiting')
      .where('channel', '=', channel)
      .executeTakeFirstOrThrow(),
    newest('settled_at').select('settled_at as at').where('state', '=', 'sent').executeTakeFirst(),
    newest('failed_at').select(['failed_at as at', 'error']).where('failed_at', 'is not', null).executeTakeFirst(),
    // An unknown address says nothing of the provider.
    newest('failed_at').select('failed_at as at').where('failed_at', 'is not', null).where('state', '<>', 'refused').executeTakeFirst(),
  ])
  return {
    waiting: Number(waiting.count),
    sentAt: sent?.at ?? null,
    failure: failed?.at ? { at: failed.at, error: failed.error } : null,
    isFailing: Boolean(failing?.at && failing.at > (sent?.at ?? new Date(0))),
  }
}
