import { useSearchParams } from 'react-router'
import { decodeReturnPath } from '#base/return-path.ts'
import { useWords } from '#base/web/words.tsx'

const reasons = [
  ['/addTopic', 'toPost'],
  ['/addQuestion', 'toAsk'],
  ['/user/control/', 'toOwn'],
  ['#write', 'toWrite'],
] as const

/** Why one is asked who one is, where that is known of the page one comes from. */
export function ComingFrom() {
  const words = useWords('account')
  const [query] = useSearchParams()
  const from = decodeReturnPath(query.get('jumpUrl'))
  const [, reason] = reasons.find(([part]) => from.includes(part)) ?? []
  return reason ? <p className="meta">{words(reason)}</p> : null
}
