import type { SourceGroup } from '#importer/server/source.ts'
import type { Site } from '#importer/server/nodebb/site.ts'
import { allOf, flag, id, type KeyStore } from '#importer/server/nodebb/store.ts'

const staffGroups = new Map([
  ['administrators', 'administrator'],
  ['Global Moderators', 'global moderator'],
])
const builtIn = new Set(['registered-users', 'verified-users', 'unverified-users', 'banned-users', 'guests', 'spiders', 'fediverse'])

/** All groups by their names, which are their ids. Privileges, which are groups to NodeBB as well, are left out. */
export async function groupsIn({ store }: Site): Promise<SourceGroup[]> {
  const names = (await allOf(store, 'groups:createtime')).map(([name]) => name).filter((name) => !isPrivilege(name))
  const objects = await store.objects(names.map((name) => `group:${name}`))
  return names.flatMap((name, at): SourceGroup[] => {
    const fields = objects[at]
    if (!fields) return []
    const isStaff = staffGroups.has(name)
    // A role is shown beside its members, which a hidden group must not be.
    const isHidden = flag(fields['hidden']) || (flag(fields['system']) && !isStaff)
    return [{ id: name, name, isBuiltIn: builtIn.has(name) || (isHidden && !isStaff), isStaff }]
  })
}

/** The groups of members by their ids, without the built-in ones. */
export async function groupsOfMembers(site: Site): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>()
  for (const { id: name, isBuiltIn } of await groupsIn(site)) {
    if (isBuiltIn) continue
    for (const uid of await membersOf(site.store, name)) groups.set(uid, [...(groups.get(uid) ?? []), name])
  }
  return groups
}

/** The names of members who administer or moderate, with what they are. */
export async function staffIn({ store }: Site): Promise<{ name: string; as: string }[]> {
  const roles = new Map<string, string[]>()
  const add = (uids: readonly string[], role: string) => {
    for (const uid of uids) roles.set(uid, [...(roles.get(uid) ?? []), role])
  }
  for (const [group, role] of staffGroups) add(await membersOf(store, group), role)
  for (const [cid] of await allOf(store, 'categories:cid')) {
    const moderators = await moderatorsOf(store, cid)
    const name = moderators.length > 0 ? (await store.object(`category:${cid}`))?.['name'] : undefined
    add(moderators, `moderator of ${name ?? cid}`)
  }
  const members = await store.objects([...roles.keys()].map((uid) => `user:${uid}`))
  return [...roles.values()].flatMap((all, at) => {
    const name = members[at]?.['username']
    return name === undefined ? [] : all.map((as) => ({ name, as }))
  })
}

async function moderatorsOf(store: KeyStore, cid: string): Promise<string[]> {
  const single = await membersOf(store, `cid:${cid}:privileges:moderate`)
  const groups = (await allOf(store, `group:cid:${cid}:privileges:groups:moderate:members`)).map(([name]) => name)
  const ordinary = groups.filter((name) => !staffGroups.has(name) && !builtIn.has(name))
  const members = await Promise.all(ordinary.map((name) => membersOf(store, name)))
  return [...new Set([...single, ...members.flat()])]
}

async function membersOf(store: KeyStore, group: string): Promise<string[]> {
  return (await allOf(store, `group:${group}:members`)).flatMap(([uid]) => id(uid) ?? [])
}

function isPrivilege(name: string): boolean {
  return name.includes(':privileges:')
}

/** Groups of every member, or of every member with an e-mail address, which is no restriction. */
export function isOfEveryone(group: string): boolean {
  return group === 'registered-users' || group === 'verified-users'
}

export function isOrdinary(group: string): boolean {
  return !builtIn.has(group) && !staffGroups.has(group)
}
