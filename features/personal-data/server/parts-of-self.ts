import { sql } from 'kysely'
import type { Db } from '#base/server/database/database.ts'
import * as contact from '#contact/server/contact.ts'
import type { Part } from '#personal-data/server/part.ts'
import * as realName from '#real-name/server/real-name.ts'

/** Who one is here, and where one came in from. */
export const partsOfSelf: Part[] = [
  {
    name: 'profile',
    by: ['member.id'],
    rows: (memberId) => sql`
      select id, account, nickname, about, language, avatar, is_official as "isOfficial", shows_activity as "showsActivity", shows_last_seen as "showsLastSeen",
        hint_question as "hintQuestion", joined_at as "joinedAt", host(joined_ip) as "joinedIp", last_seen_at as "lastSeenAt", points_earned as "pointsEarned",
        topic_count as topics, comment_count as comments, reply_count as replies
      from member where id = ${memberId}`,
  },
  {
    name: 'former-names',
    by: ['former_name.member_id'],
    rows: (memberId) => sql`select name, given_up_at as "givenUpAt" from former_name where member_id = ${memberId} order by id`,
  },
  {
    name: 'fields',
    by: ['member_field.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", answer from member_field join field on field.id = field_id where member_id = ${memberId} order by field_id`,
  },
  { name: 'contacts', by: ['contact.member_id'], all: (db, memberId) => contact.addressesOf(db, memberId) },
  { name: 'real-name', by: ['real_name.member_id'], all: realNameOf },
  {
    name: 'sign-in-methods',
    by: ['member_identity.member_id'],
    rows: (memberId) => sql`
      select name_zh as "providerZh", name_en as "providerEn", subject, member_identity.name, linked_at as "linkedAt", used_at as "usedAt"
      from member_identity join identity_provider on identity_provider.id = provider_id where member_id = ${memberId} order by member_identity.id`,
  },
  {
    name: 'preferences',
    by: ['preference.member_id'],
    rows: (memberId) => sql`
      select language, theme, text_size as "textSize", time_zone as "timeZone" from preference where member_id = ${memberId}`,
  },
  {
    name: 'sessions',
    by: ['session.member_id'],
    rows: (memberId) => sql`
      select id, host(ip) as ip, user_agent as device, started_at as "startedAt", last_used_at as "lastUsedAt", ended_at as "endedAt", ended_because as "endedBecause"
      from session where member_id = ${memberId} order by id`,
  },
  {
    name: 'passkeys',
    by: ['passkey.member_id'],
    rows: (memberId) => sql`select name, made_at as "madeAt", used_at as "usedAt" from passkey where member_id = ${memberId} order by id`,
  },
  {
    name: 'access-tokens',
    by: ['personal_access_token.member_id'],
    rows: (memberId) => sql`
      select name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt" from personal_access_token
      where member_id = ${memberId} order by id`,
  },
  {
    name: 'trusted-devices',
    by: ['trusted_device.member_id'],
    rows: (memberId) => sql`
      select host(ip) as ip, user_agent as device, trusted_at as "trustedAt", used_at as "usedAt", expires_at as "expiresAt"
      from trusted_device where member_id = ${memberId} order by id`,
  },
  {
    name: 'logins',
    by: ['login_log.member_id'],
    rows: (memberId) => sql`select kind, host(ip) as ip, at, user_agent as device from login_log where member_id = ${memberId} order by id`,
  },
  {
    name: 'invitations',
    by: ['invitation.member_id'],
    rows: (memberId) => sql`
      select note, uses, used, made_at as "madeAt", until, revoked_at as "revokedAt" from invitation where member_id = ${memberId} order by id`,
  },
  {
    name: 'invited',
    by: ['invitation_use.member_id'],
    rows: (memberId) => sql`select used_at as "at" from invitation_use where member_id = ${memberId}`,
  },
  {
    name: 'joining',
    by: ['joining.member_id'],
    rows: (memberId) => sql`
      select asked_at as "askedAt", decided_at as "decidedAt", outcome, reason from joining where member_id = ${memberId}`,
  },
  {
    name: 'leaving',
    by: ['member_leaving.member_id'],
    rows: (memberId) => sql`select posts, asked_at as "askedAt", erase_at as "erasedAt" from member_leaving where member_id = ${memberId}`,
  },
  {
    name: 'roles',
    by: ['role_holding.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", lower(during) as "from", upper(during) as "until"
      from role_holding join role on role.id = role_id where member_id = ${memberId} order by role_holding.id`,
  },
  {
    name: 'memberships',
    by: ['membership_order.buyer_id', 'membership_order.member_id'],
    rows: (memberId) => sql`
      select number, bought.at, buyer_id = ${memberId} as "isMine", case when buyer_id = ${memberId} then member_id <> ${memberId} else true end as "isGift",
        note, names, quantity, duration, unit, case when buyer_id = ${memberId} then bought.cents end as cents,
        case when buyer_id = ${memberId} then bought.points end as points, lower(during) as "from", upper(during) as "until", back.at as "refundedAt"
      from membership_order as bought left join membership_refund as back on order_id = bought.id
      where buyer_id = ${memberId} or member_id = ${memberId} order by bought.id`,
  },
  {
    name: 'membership-gifts',
    by: ['membership_gift.member_id'],
    rows: (memberId) => sql`
      select name_zh as "nameZh", name_en as "nameEn", lower(during) as "from", upper(during) as "until", at
      from membership_gift join membership_gift_task as task on task.id = task_id join role on role.id = role_id where member_id = ${memberId} order by at`,
  },
  {
    name: 'bans',
    by: ['member_ban.member_id'],
    rows: (memberId) => sql`
      select function as "from", reason, given_at as "givenAt", ends_at as "endsAt", lifted_at as "liftedAt" from member_ban where member_id = ${memberId} order by id`,
  },
  {
    name: 'terms',
    by: ['terms_agreement.member_id'],
    rows: (memberId) =>
      sql`select terms_id as "termsId", agreed_at as "agreedAt" from terms_agreement where member_id = ${memberId} order by terms_id`,
  },
  {
    name: 'files',
    by: ['file.owner_id'],
    rows: (memberId) => sql`
      select id, kind, name, bytes, width, height, made_at as "uploadedAt" from file where owner_id = ${memberId} and kind <> 'archive' order by made_at, id`,
  },
]

/** The number itself is not handed out: whoever sits at a device found unlocked would have it. */
async function realNameOf(db: Db, memberId: string): Promise<unknown> {
  const its = await realName.knownOf(db, memberId)
  return its && { document: its.document, checkedAt: its.checkedAt, isMinor: its.isMinor, isWithdrawn: its.number === null }
}
