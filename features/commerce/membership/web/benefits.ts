import type { Translate } from '#base/web/words.tsx'
import { postNames } from '#kind/contract.ts'
import type { CardView } from '#membership/contract.ts'
import { benefitWord } from '#role/all-rights.ts'

type BenefitView = CardView['gives'][number]

/** The benefits of a role in a member's words: a title, and a detail if it is partial. */
export type Benefit = { title: string; detail: string | null }

type Family = { code: string; thing?: string; isPosting?: true }

const verbs: Readonly<Record<string, string>> = {
  publish: 'membership.givesPost',
  ask: 'membership.givesPost',
  post: 'membership.givesPost',
  edit: 'membership.givesEdit',
  remove: 'membership.givesRemove',
  unreviewed: 'membership.givesUnreviewed',
}
/** The six kinds of posts: a right over all of them needs no list. */
const allThings = 6

/** Rights over posts, locks and files are one benefit with several things; any other has a word of its own. Undefined for an unknown right. */
function familyOf(right: string): Family | undefined {
  const [what = '', verb = ''] = right.split('.')
  if (what === 'hidden') return { code: 'membership.givesHide', thing: `membership.lock${verb}` }
  if (what === 'picture' || what === 'attachment') return { code: 'membership.givesUpload', thing: `membership.file${what}` }
  if ((postNames as readonly string[]).includes(what) && Object.hasOwn(verbs, verb))
    return { code: verbs[verb] ?? '', thing: `membership.thing${what}`, ...(verb !== 'unreviewed' && { isPosting: true }) }
  const code = benefitWord(right)
  return code === null || right === 'tag.view' ? undefined : { code }
}

/** The order of display: the widest benefits first, and posts as readers encounter them. */
const codeOrder = [
  'hiddenPart.givesTopicSeeHidden',
  'membership.givesUnreviewed',
  'membership.givesHide',
  'membership.givesPost',
  'membership.givesUpload',
  'invitation.givesInvite',
  'message.givesMessageSend',
  'like.givesPostLike',
]
const thingOrder = ['topic', 'comment', 'reply', 'question', 'answer', 'answerReply', 'hidden', 'picture', 'attachment']

function placeOf({ right }: BenefitView): number {
  const [code, thing] = [codeOrder.indexOf(familyOf(right)?.code ?? ''), thingOrder.indexOf(right.split('.')[0] ?? '')]
  return (code < 0 ? codeOrder.length : code) * thingOrder.length + Math.max(0, thing)
}

/**
 * Groups rights into benefits. Access to a tag implies reading there, and posting if any right to write is included; rights that apply
 * everywhere are not repeated per tag.
 */
export function benefitsOf(gives: readonly BenefitView[], language: 'zh' | 'en', translate: Translate): Benefit[] {
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
    const title = translate(family.code, { place: tag ? 'tag' : 'none', tag: tag?.[language] ?? '' })
    const one = gathered.get(title) ?? { title, things: new Set<string>() }
    if (family.thing) one.things.add(translate(family.thing))
    gathered.set(title, one)
  }
  const access = [...opened].map((tag) => ({
    title: translate('membership.givesAccess', { tag }),
    detail: translate(posting.has(tag) ? 'membership.readAndPost' : 'membership.read'),
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
