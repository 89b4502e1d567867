import { sql } from 'kysely'
import * as contact from '#contact/server/contact.ts'
import { exported, type Exported } from '#exporter/server/exported.ts'
import { pathOf } from '#exporter/server/files.ts'
import type { Row, SecretName, StoredForm } from '#importer/server/importer.ts'

type Until = { id: string; until: string | null }
type Ban = { reason: string; until: string | null; functions: string[]; at: string }
type StoredMember = {
  id: string
  account: string
  nickname: string | null
  language: 'zh' | 'en'
  about: string
  joined_at: Date
  last_seen_at: Date
  shows_activity: boolean
  shows_last_seen: boolean
  is_official: boolean
  deactivated_at: Date | null
  deactivated_as: 'disabled' | 'cancelled' | 'left' | 'erased' | null
  deactivated_because: string | null
  avatar: string | null
  form: StoredForm | null
  hash: string | null
  email: Buffer | null
  phone: Buffer | null
  groups: Until[]
  bans: Ban[]
  points: string
  cents: string
  fields: Record<string, string>
}

/** Members of all kinds, closed accounts among them. One that was merged into another lives on there. */
export function members(secrets: ReadonlySet<SecretName>): Exported<'members'> {
  // A member that the site speaks as has the password of the administration.
  const hash = secrets.has('passwords') ? sql`case when not is_official then password_hash end` : sql`null`
  const query = sql<StoredMember>`
    select member.id, account, nickname, language, about, joined_at, last_seen_at, shows_activity, shows_last_seen, is_official, deactivated_at,
      deactivated_as, deactivated_because, avatar, ${hash} as hash, ${addressOf('email')} as email, ${addressOf('phone')} as phone, (
        select json_build_object('kind', kind, 'type', type, 'width', width, 'height', height, 'moves', moves, 'ground', ground)
        from file where file.id = avatar) as form, ${holdings} as groups, ${bans} as bans, ${amountOf('points')} as points, ${amountOf('cny')} as cents, (
        select coalesce(json_object_agg(name_zh, array_to_string(answer, ', ') order by field.id), '{}') from member_field join field on field.id = field_id
        where member_field.member_id = member.id) as fields
    from member where merged_into is null order by member.id`
  return exported({ query, from: memberRow })
}

const addressOf = (kind: string) => sql`(select address from contact where member_id = member.id and kind = ${kind})`

// Of several periods of a role in a row, the last one ends it.
const holdings = sql`(
  select coalesce(json_agg(json_build_object('id', role_id::text, 'until', until) order by role_id), '[]')
  from (
    select role_id, case when not bool_or(upper_inf(during)) then max(upper(during)) end as until from role_holding
    where member_id = member.id and (upper_inf(during) or upper(during) > now()) group by role_id) as held)`

const bans = sql`(
  select coalesce(json_agg(json_build_object('reason', reason, 'until', ends_at, 'functions', functions, 'at', given_at) order by given_at, ends_at, reason), '[]')
  from (
    select reason, ends_at, given_at, array_agg(function order by function) as functions from member_ban
    where member_id = member.id and lifted_at is null and (ends_at is null or ends_at > now()) group by reason, ends_at, given_at) as given)`

/** The balance with what is held for the member: nothing is held in a file. */
function amountOf(currency: 'points' | 'cny') {
  return sql`(
    select coalesce(sum(balance), 0)::text from ledger.account where currency = ${currency}
      and (name = 'member' and owner_id = member.id
        or name = 'escrow' and owner_id in (select id from ledger.hold where hold.owner_id = member.id and state = 'open')))`
}

function memberRow(its: StoredMember): Row<'members'> {
  const { id, deactivated_as: as, deactivated_at: at } = its
  const address = (kind: 'email' | 'phone', box: Buffer | null) => (box ? contact.unsealAddress(kind, id, box) : null)
  const email = address('email', its.email)
  return {
    id,
    name: its.account,
    email: email === null ? null : { address: email, isConfirmed: true },
    password: null,
    joinedAt: its.joined_at,
    lastSeenAt: its.last_seen_at,
    avatar: its.avatar === null ? null : pathOf(its.avatar),
    groups: its.groups.map((group) => ({ id: group.id, until: timeIn(group.until) })),
    bans: its.bans.map((ban) => ({ ...ban, from: 'posting', until: timeIn(ban.until), at: new Date(ban.at) })),
    credits: { points: BigInt(its.points), cny: BigInt(its.cents) },
    fields: its.fields,
    about: its.about,
    nickname: its.nickname,
    language: its.language,
    phone: address('phone', its.phone),
    passwordHash: its.hash,
    avatarForm: its.form,
    showsActivity: its.shows_activity,
    showsLastSeen: its.shows_last_seen,
    isOfficial: its.is_official,
    closed: as && at ? { as, because: its.deactivated_because, at } : null,
  }
}

export function timeIn(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
