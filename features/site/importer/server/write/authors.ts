import { type Db } from '#base/server/database/database.ts'
import type { SourceAuthor } from '#importer/server/source.ts'
import { memberIds, newIds, record, insertWithIds, reserveIds, type ImportContext } from '#importer/server/write/import-context.ts'
import { cleanName, freeNames } from '#importer/server/write/names.ts'
import * as user from '#user/server/user.ts'

export type AuthorOf = (author: SourceAuthor) => string

/**
 * The members who wrote these posts. A guest, and a member who is gone there, becomes a closed account of that name, one for each name, so that
 * nobody else's account speaks for them.
 */
export async function authorsOf(tx: Db, context: ImportContext, authors: readonly SourceAuthor[]): Promise<AuthorOf> {
  const authorIds = authors.flatMap((author) => ('memberId' in author ? [author.memberId] : []))
  const members = new Map([...(await newIds(tx, context, 'left out', authorIds)), ...(await memberIds(tx, context, authorIds))])
  const names = new Set(authors.flatMap((author) => ('memberId' in author && members.has(author.memberId) ? [] : [nameOf(author)])))
  names.delete('')
  const guests = await guestsNamed(tx, context, [...names])
  return (author) => {
    const member = 'memberId' in author ? members.get(author.memberId) : undefined
    return member ?? guests.get(user.nameKey(nameOf(author))) ?? context.guestId
  }
}

function nameOf(author: SourceAuthor): string {
  return cleanName('guestName' in author ? author.guestName : (author.name ?? ''))
}

/** Closed accounts for the posts of members that the operator leaves out. */
export async function closeLeftOut(tx: Db, context: ImportContext, members: readonly { id: string; name: string }[]): Promise<void> {
  const names = members.map(({ name }) => cleanName(name)).filter((name) => name !== '')
  const closed = await guestsNamed(tx, context, names)
  await record(
    tx,
    context,
    members.map(({ id, name }) => ({ kind: 'left out', oldId: id, newId: closed.get(user.nameKey(cleanName(name))) ?? context.guestId })),
  )
}

async function guestsNamed(tx: Db, context: ImportContext, names: readonly string[]): Promise<Map<string, string>> {
  const byKey = new Map(names.map((name) => [user.nameKey(name), name]))
  const known = await newIds(tx, context, 'guest', byKey.keys())
  const missing = [...byKey].filter(([key]) => !known.has(key))
  if (missing.length === 0) return known
  const ids = await reserveIds(tx, 'member', missing.length)
  const free = await freeNames(
    tx,
    missing.map(([, name]) => name),
  )
  await insertWithIds(
    tx,
    'member',
    free.map((name, index) => closedMember(context, ids[index] ?? '', name)),
  )
  await record(
    tx,
    context,
    missing.map(([key], index) => ({ kind: 'guest', oldId: key, newId: ids[index] ?? '' })),
  )
  return new Map([...known, ...missing.map(([key], index) => [key, ids[index] ?? ''] as const)])
}

/** An account that nobody can log in to. */
export function closedMember({ now, mapping }: Pick<ImportContext, 'now' | 'mapping'>, id: string, name: string) {
  return {
    id,
    account: name,
    account_key: user.nameKey(name),
    language: mapping.language,
    is_official: false,
    shows_activity: true,
    shows_last_seen: false,
    agreed_to_terms_at: now,
    joined_at: now,
    last_seen_at: now,
    deactivated_at: now,
    deactivated_as: 'cancelled' as const,
    deactivated_because: null,
    topic_count: 0,
    comment_count: 0,
    reply_count: 0,
    points_earned: '0',
    about: '',
    version: 0,
  }
}
