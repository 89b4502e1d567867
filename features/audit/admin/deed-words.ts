import { deeds, undone, type PlainDeed } from '#audit/contract.ts'
import type { Say } from '#base/web/words.tsx'

type Joined<Name extends string> = Name extends `${infer First}.${infer Rest}` ? `${Capitalize<First>}${Joined<Rest>}` : Capitalize<Name>
/** The key of a deed's words. */
export type DeedKey = `deed${Joined<PlainDeed>}`

export function keyOf(deed: PlainDeed): DeedKey {
  const joined = deed.split('.').map(capital).join('')
  return `deed${joined}` as DeedKey
}

/** What was done, in words. A deed that this version of the forum does not know is said by its code. */
export function deedIn(words: Say, deed: string): string {
  if (isKnown(deed)) return words(keyOf(deed))
  const first = deed.endsWith(undone) ? deed.slice(0, -undone.length) : ''
  return isKnown(first) ? words('undid', { deed: words(keyOf(first)) }) : deed
}

function isKnown(deed: string): deed is PlainDeed {
  return (deeds as readonly string[]).includes(deed)
}

/** The deeds by what they are done to: the part before the first point. */
export const deedGroups: ReadonlyMap<string, readonly PlainDeed[]> = Map.groupBy(deeds, (deed) => deed.split('.')[0] ?? '')

export function groupIn(words: Say, group: string): string {
  return words(`group${capital(group)}`)
}

type Place = (id: string) => string

const list =
  (path: string): Place =>
  () =>
    path

/** The screens that show what a deed may be about, by its kind. */
const places: Readonly<Record<string, Place | null>> = {
  topic: (id) => `/admin/topic/view?topicId=${id}`,
  comment: null,
  reply: null,
  batch: list('/admin/batch'),
  sensitiveList: (id) => `/admin/sensitiveWord?listId=${id}`,
  report: null,
  reportCategory: list('/admin/reportCategory'),
  tag: list('/admin/tag'),
  address: (ip) => `/admin/member?ip=${ip}`,
  member: (id) => `/admin/member/view?memberId=${id}`,
  field: list('/admin/field'),
  role: list('/admin/role'),
  feedback: list('/admin/feedback'),
  help: (id) => `/admin/help/edit?pageId=${id}`,
  helpCategory: list('/admin/help'),
  terms: list('/admin/terms'),
  link: list('/admin/link'),
  section: list('/admin/section'),
  slot: list('/admin/slot'),
  notice: (id) => `/admin/notice/edit?noticeId=${id}`,
  backup: list('/admin/maintenance/backup'),
  job: list('/admin/maintenance/job'),
  setting: (name) => `/admin/setting?setting=${name}`,
  staff: list('/admin/staff'),
  staffRole: list('/admin/staffRole'),
  staffSession: null,
}

/** What a deed was about, in words, by its name where it has one, and the screen that shows it. */
export function aboutIn(words: Say, about: string, name?: string): { text: string; to: string | null } {
  const [kind = '', id = ''] = about.split(' ')
  if (!Object.hasOwn(places, kind)) return { text: about, to: null }
  return { text: words(`about${capital(kind)}`, { id: name ?? id }), to: places[kind]?.(id) ?? null }
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`
}
