import type { Page } from '#importer/server/source.ts'
import type { KeyStore, Scored } from '#importer/server/nodebb/store.ts'

/** An entry of a sorted set that belongs to a member of another, such as the posts of each topic. */
export type Entry = { owner: Scored; key: string; member: string; score: string; /** Its place in its set, from 0. */ rank: number }

const ownersPerPage = 50
const entriesPerPage = 500

type SetPlace = { set: number; after: Scored }

/** Pages of what some sorted sets hold, one set after another. `rowsOf` gives the rows of some members. */
export async function* overMembers<T>(
  store: KeyStore,
  sets: readonly string[],
  after: string | null,
  rowsOf: (members: readonly Scored[], set: string) => Promise<readonly T[]>,
  limit = entriesPerPage,
): AsyncGenerator<Page<T>> {
  const begin: SetPlace | null = after === null ? null : JSON.parse(after)
  for await (const { set, members, place } of membersFrom(store, sets, begin, limit))
    yield { rows: await rowsOf(members, set), cursor: JSON.stringify(place) }
}

async function* membersFrom(store: KeyStore, sets: readonly string[], begin: SetPlace | null, limit: number) {
  for (let at = begin?.set ?? 0; at < sets.length; at++) {
    const set = sets[at] ?? ''
    let after = at === begin?.set ? begin.after : null
    for (;;) {
      const members = await store.sorted(set, { after, limit })
      const last = members.at(-1)
      if (!last) break
      yield { set, members, place: { set: at, after: last } satisfies SetPlace }
      after = last
    }
  }
}

type EntryPlace = { owner: SetPlace; after: Scored; rank: number }

/** Pages of the entries that members of some sorted sets own. Entries of one owner come together, in their order. */
export async function* overEntries<T>(
  store: KeyStore,
  sets: readonly string[],
  keyOf: (owner: string) => string,
  after: string | null,
  rowsOf: (entries: readonly Entry[]) => Promise<readonly T[]>,
): AsyncGenerator<Page<T>> {
  const begin: EntryPlace | null = after === null ? null : JSON.parse(after)
  let entries: Entry[] = []
  let last: EntryPlace | null = null
  for await (const { entry, place } of entriesFrom(store, sets, keyOf, begin)) {
    entries.push(entry)
    last = place
    if (entries.length < entriesPerPage) continue
    yield { rows: await rowsOf(entries), cursor: JSON.stringify(last) }
    entries = []
  }
  if (last && entries.length > 0) yield { rows: await rowsOf(entries), cursor: JSON.stringify(last) }
}

async function* entriesFrom(store: KeyStore, sets: readonly string[], keyOf: (owner: string) => string, begin: EntryPlace | null) {
  if (begin) yield* entriesOf(store, keyOf(begin.owner.after[0]), begin, null)
  for await (const { members, place } of membersFrom(store, sets, begin?.owner ?? null, ownersPerPage)) {
    const firsts = await Promise.all(members.map(([owner]) => store.sorted(keyOf(owner), { after: null, limit: entriesPerPage })))
    for (const [at, owner] of members.entries())
      yield* entriesOf(store, keyOf(owner[0]), { owner: { set: place.set, after: owner }, after: null, rank: -1 }, firsts[at] ?? [])
  }
}

type EntryBegin = { owner: SetPlace; after: Scored | null; rank: number }

/** The entries of one owner; `first` is the first page where it is at hand. */
async function* entriesOf(store: KeyStore, key: string, begin: EntryBegin, first: readonly Scored[] | null) {
  let [{ after, rank }, page] = [begin, first ?? (await store.sorted(key, { after: begin.after, limit: entriesPerPage }))]
  for (;;) {
    for (const scored of page) {
      const [member, score] = scored
      rank++
      const entry: Entry = { owner: begin.owner.after, key, member, score, rank }
      yield { entry, place: { owner: begin.owner, after: scored, rank } satisfies EntryPlace }
    }
    after = page.at(-1) ?? null
    if (!after || page.length < entriesPerPage) return
    page = await store.sorted(key, { after, limit: entriesPerPage })
  }
}
