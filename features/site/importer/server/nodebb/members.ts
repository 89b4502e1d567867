import type { ImportedPassword } from '#base/server/security/imported-password.ts'
import type { SourceBan, SourceEmail, SourceMember } from '#importer/server/source.ts'
import { allOf, flag, id, time, type Fields, type KeyStore, type Scored } from '#importer/server/nodebb/store.ts'
import { uploadAt } from '#importer/server/nodebb/uploads.ts'
import type { Site } from '#importer/server/nodebb/site.ts'

/** What all members need of the site. */
export type MemberContext = Site & { groups: ReadonlyMap<string, string[]>; banned: ReadonlySet<string>; questions: readonly Question[] }
/** A question of the profile: its field, and its name. */
type Question = { field: string; name: string }

const ownQuestions: readonly Question[] = [
  { field: 'fullname', name: 'Full name' },
  { field: 'location', name: 'Location' },
  { field: 'website', name: 'Website' },
  { field: 'birthday', name: 'Birthday' },
]

/** The questions of the profile that NodeBB has, and since NodeBB 4 those that an administrator made. */
export async function questionsIn({ store }: Site): Promise<Question[]> {
  const fields = (await allOf(store, 'user-custom-fields')).map(([field]) => field)
  const objects = await store.objects(fields.map((field) => `user-custom-field:${field}`))
  const made = fields.map((field, at) => ({ field, name: objects[at]?.['name'] ?? field }))
  return [...ownQuestions.filter(({ field }) => !fields.includes(field)), ...made]
}

export async function bannedIn({ store }: Site): Promise<Set<string>> {
  return new Set((await allOf(store, 'users:banned')).map(([uid]) => uid))
}

/** The members among `users:joindate`. Accounts of other servers have addresses as ids and are no members. */
export async function membersFrom(context: MemberContext, members: readonly Scored[]): Promise<SourceMember[]> {
  const ids = members.flatMap(([uid]) => id(uid) ?? [])
  const objects = await context.store.objects(ids.map((uid) => `user:${uid}`))
  return Promise.all(ids.flatMap((uid, at) => (objects[at] ? [memberOf(context, uid, objects[at])] : [])))
}

async function memberOf(context: MemberContext, uid: string, fields: Fields): Promise<SourceMember> {
  const [email, bans] = await Promise.all([emailOf(context.store, uid, fields), bansOf(context, uid, fields)])
  return {
    id: uid,
    name: fields['username'] ?? '',
    email,
    password: passwordOf(fields),
    joinedAt: time(fields['joindate']),
    lastSeenAt: time(fields['lastonline']),
    avatar: uploadAt(fields['picture'] || fields['uploadedpicture'] || '', context.origins),
    groups: (context.groups.get(uid) ?? []).map((group) => ({ id: group, until: null })),
    bans,
    credits: /^-?\d{1,15}$/.test(fields['reputation'] ?? '') ? { reputation: BigInt(fields['reputation'] ?? 0) } : {},
    fields: Object.fromEntries(
      context.questions.flatMap(({ field, name }) => (fields[field]?.trim() ? [[name, fields[field].trim()] as const] : [])),
    ),
    about: [fields['aboutme'], fields['signature']].flatMap((text) => text?.trim() || []).join('\n\n'),
  }
}

/** An address is in the account once it was confirmed, and until then only with the code that was sent. Old accounts have both there. */
async function emailOf(store: KeyStore, uid: string, fields: Fields): Promise<SourceEmail | null> {
  if (fields['email']) return { address: fields['email'], isConfirmed: flag(fields['email:confirmed']) }
  const code = await store.text(`confirm:byUid:${uid}`)
  const sent = code === null ? null : await store.object(`confirm:${code}`)
  return sent?.['email'] && sent['uid'] === uid ? { address: sent['email'], isConfirmed: false } : null
}

/**
 * NodeBB hashes the SHA-512 of a password in hex, since bcrypt ignores what is beyond 72 bytes, and sets `password:shaWrapped`. Hashes from
 * before are of the password itself, which the salt `plain` says here.
 */
function passwordOf(fields: Fields): ImportedPassword | null {
  const hash = fields['password'] ?? ''
  if (!/^\$2[abxy]?\$/.test(hash)) return null
  return { family: 'nodebb', hash, ...(!flag(fields['password:shaWrapped']) && { salt: 'plain' }) }
}

/** Bans and mutes that last. NodeBB lifts one that is over only when its member is next looked at. */
async function bansOf({ store, banned, now }: MemberContext, uid: string, fields: Fields): Promise<SourceBan[]> {
  const bans: SourceBan[] = []
  const until = time(fields['banned:expire'])
  if ((flag(fields['banned']) || banned.has(uid)) && (until === null || until > now)) {
    const last = (await allOf(store, `uid:${uid}:bans:timestamp`)).at(-1)
    const ban = last ? await store.object(last[0]) : null
    bans.push({ from: 'logging in', reason: ban?.['reason'] ?? '', until })
  }
  const muted = time(fields['mutedUntil'])
  if (muted !== null && muted > now) bans.push({ from: 'posting', reason: fields['mutedReason'] ?? '', until: muted })
  return bans
}
