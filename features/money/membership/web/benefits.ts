import type { Translate } from '#base/web/words.tsx'
import type { CardView } from '#membership/contract.ts'

type BenefitView = CardView['gives'][number]

/** The benefits of a role in a member's words: a title, and a detail if it is partial. */
export type Benefit = { title: string; detail: string | null }

type Family = { word: string; thing?: string; isPosting?: true }

const verbs: Readonly<Record<string, string>> = {
  publish: 'givesPost',
  ask: 'givesPost',
  post: 'givesPost',
  edit: 'givesEdit',
  remove: 'givesRemove',
  unreviewed: 'givesUnreviewed',
}
const single: Readonly<Record<string, Family>> = {
  'content.edit.any': { word: 'givesEditAny' },
  'content.remove.any': { word: 'givesRemoveAny' },
  'topic.seeHidden': { word: 'givesSeeHidden' },
  'post.like': { word: 'givesLike' },
  'message.send': { word: 'givesMessage' },
  'assistant.use': { word: 'givesAssistant' },
  'avatar.change': { word: 'givesAvatar' },
  'profile.change': { word: 'givesProfile' },
  invite: { word: 'givesInvite' },
}
/** The six kinds of posts: a right over all of them needs no list. */
const allThings = 6

/** The family of a right; undefined for a right unknown to this version. */
function familyOf(right: string): Family | undefined {
  if (Object.hasOwn(single, right)) return single[right]
  const [what = '', verb = ''] = right.split('.')
  if (what === 'hidden') return { word: 'givesHide', thing: `lock${verb}` }
  if (verb === 'upload') return { word: 'givesUpload', thing: `file${what}` }
  const word = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  return word ? { word, thing: `thing${what}`, ...(verb !== 'unreviewed' && { isPosting: true }) } : undefined
}

/** The order of display: the widest benefits first, and posts as readers encounter them. */
const wordOrder = ['givesSeeHidden', 'givesUnreviewed', 'givesHide', 'givesPost', 'givesUpload', 'givesInvite', 'givesMessage', 'givesLike']
const thingOrder = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'hidden', 'picture', 'attachment']

function placeOf({ right }: BenefitView): number {
  const [word, thing] = [wordOrder.indexOf(familyOf(right)?.word ?? ''), thingOrder.indexOf(right.split('.')[0] ?? '')]
  return (word < 0 ? wordOrder.length : word) * thingOrder.length + Math.max(0, thing)
}

/**
 * Groups rights into benefits. Access to a tag implies reading there, and posting if any right to write is included; rights that apply
 * everywhere are not repeated per tag.
 */
export function benefitsOf(gives: readonly BenefitView[], language: 'zh' | 'en', words: Translate): Benefit[] {
  const opened = new Set(gives.flatMap(({ right, tag }) => (right === 'tag.view' && tag ? [tag[language]] : [])))
  const everywhere = new Set(gives.flatMap(({ right, tag }) => (tag ? [] : [right])))
  const gathered = new Map<string, { title: string; things: Set<string> }>()
  const posting = new Set<string>()
  for (const { right, tag } of gives.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const family = familyOf(right)
    if (!family || (tag && everywhere.has(right))) continue
    if (family.isPosting && tag && opened.has(tag[language])) {
      posting.add(tag[language])
      continue
    }
    const title = words(family.word, { place: tag ? 'tag' : 'none', tag: tag?.[language] ?? '' })
    const one = gathered.get(title) ?? { title, things: new Set<string>() }
    if (family.thing) one.things.add(words(family.thing))
    gathered.set(title, one)
  }
  const access = [...opened].map((tag) => ({
    title: words('givesAccess', { tag }),
    detail: words(posting.has(tag) ? 'readAndPost' : 'read'),
  }))
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return [
    ...access,
    ...[...gathered.values()].map(({ title, things }) => ({
      title,
      detail: things.size === 0 || things.size === allThings ? null : list.format(things),
    })),
  ]
}
