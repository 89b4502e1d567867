import { useWords } from '#base/web/words.tsx'

const reasons = [
  ['/addTopic', 'toPost'],
  ['/addQuestion', 'toAsk'],
  ['/user/control/', 'toOwn'],
  ['#write', 'toWrite'],
] as const

/** Why one is asked who one is, where that is known of the page one comes from. */
export function ComingFrom({ path }: { path: string }) {
  const words = useWords('account')
  const [, reason] = reasons.find(([part]) => path.includes(part)) ?? []
  return reason ? <p className="meta">{words(reason)}</p> : null
}
