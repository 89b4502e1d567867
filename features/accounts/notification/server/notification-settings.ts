import { sql } from 'kysely'
import type { Output, ParsedInput } from '#base/contract.ts'
import { primary, type Db } from '#base/server/database/database.ts'
import type { Member } from '#base/server/http/route.ts'
import * as contact from '#contact/server/contact.ts'
import * as delivery from '#delivery/server/delivery.ts'
import { EmailNotBound } from '#notification/contract.ts'
import { declarationOf, deliveredKinds, type DeliveredKind } from '#notification/all-kinds.ts'
import {
  type changeNotificationMail,
  type changeNotificationSetting,
  type NotificationChannel,
  type notificationSettings,
} from '#notification/notification-contract.ts'
import * as push from '#notification/server/push.ts'
import { nextEmailAt } from '#notification/server/schedule.ts'
import * as preferences from '#preferences/server/preferences.ts'
import * as setting from '#setting/server/setting.ts'

/** A member's kinds and channels. In the forum an unset kind has its default; the other channels are off until they are chosen. */
export async function list(db: Db, member: Member): Promise<Output<typeof notificationSettings>> {
  const settings = await setting.all(db)
  const [mutes, choices, way, { email: bound }, timeZone] = await Promise.all([
    db.selectFrom('notification_mute').select('kind').where('member_id', '=', member.id).execute(),
    db.selectFrom('notification_preference').select(['kind', 'channel']).where('member_id', '=', member.id).execute(),
    channelOf(db, member.id, 'email'),
    contact.maskedAddressesOf(primary(db), member.id),
    preferences.timeZoneOf(db, member.id),
  ])
  const muted = new Set(mutes.map(({ kind }) => kind))
  const chosen = new Set(choices.map(({ kind, channel }) => `${channel} ${kind}`))
  return {
    kinds: deliveredKinds.map((kind) => ({
      kind,
      forum: declarationOf(kind).hasOwnPage ? null : !muted.has(kind),
      email: chosen.has(`email ${kind}`),
      push: chosen.has(`push ${kind}`),
    })),
    email:
      settings.notificationEmailsPerDay > 0 && setting.canSend(settings, 'email')
        ? { bound, isUnreached: await isUndeliverable(primary(db), member.id), ...way }
        : null,
    push: await push.show(primary(db), member),
    timeZone,
  }
}

/** A muted kind writes no rows from now on; earlier ones stay. */
export async function change(
  tx: Db,
  member: Member,
  { kind, forum, email, push: isPushed }: ParsedInput<typeof changeNotificationSetting>,
): Promise<void> {
  if (email) await contact.assertSendable(tx, 'email')
  if (email && !(await contact.maskedAddressesOf(tx, member.id)).email) throw EmailNotBound()
  if (forum !== undefined && !declarationOf(kind).hasOwnPage) await setInForum(tx, member.id, kind, forum)
  if (email !== undefined) await setChannel(tx, member.id, { kind, channel: 'email' }, email)
  if (isPushed !== undefined) await setChannel(tx, member.id, { kind, channel: 'push' }, isPushed)
}

/** Waiting notifications are rescheduled. */
export async function changeMail(tx: Db, member: Member, { rhythm, hour }: ParsedInput<typeof changeNotificationMail>): Promise<void> {
  const rests_until = rhythm === 'atOnce' ? new Date() : nextEmailAt({ rhythm, hour }, await preferences.timeZoneOf(tx, member.id))
  await tx
    .insertInto('notification_channel')
    .values({ member_id: member.id, channel: 'email', rhythm, hour, rests_until })
    .onConflict((there) =>
      there.columns(['member_id', 'channel']).doUpdateSet({
        rhythm,
        hour,
        rests_until,
        next_at: sql`case when notification_channel.next_at is not null then ${rests_until}::timestamptz end`,
      }),
    )
    .execute()
}

/** Turns one channel for one kind on or off. */
export async function setChannel(
  tx: Db,
  memberId: string,
  { kind, channel }: { kind: DeliveredKind; channel: NotificationChannel },
  isOn: boolean,
): Promise<void> {
  if (!isOn) {
    await tx
      .deleteFrom('notification_preference')
      .where('member_id', '=', memberId)
      .where('kind', '=', kind)
      .where('channel', '=', channel)
      .execute()
    return
  }
  await tx
    .insertInto('notification_preference')
    .values({ member_id: memberId, kind, channel })
    .onConflict((there) => there.doNothing())
    .execute()
  await tx
    .insertInto('notification_channel')
    .values({ member_id: memberId, channel })
    .onConflict((there) => there.doNothing())
    .execute()
}

async function setInForum(tx: Db, memberId: string, kind: DeliveredKind, isOn: boolean): Promise<void> {
  if (isOn) await tx.deleteFrom('notification_mute').where('member_id', '=', memberId).where('kind', '=', kind).execute()
  else
    await tx
      .insertInto('notification_mute')
      .values({ member_id: memberId, kind })
      .onConflict((row) => row.doNothing())
      .execute()
}

async function channelOf(db: Db, memberId: string, channel: NotificationChannel) {
  const way = await db
    .selectFrom('notification_channel')
    .select(['rhythm', 'hour'])
    .where('member_id', '=', memberId)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return way ?? ({ rhythm: 'atOnce', hour: 8 } as const)
}

async function isUndeliverable(db: Db, memberId: string): Promise<boolean> {
  const its = (await contact.addressesOf(db, memberId)).find(({ kind }) => kind === 'email')
  return its !== undefined && delivery.isUndeliverable(db, its.address)
}
