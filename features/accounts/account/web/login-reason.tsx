import { useWords } from '#base/web/words.tsx'

const reasons = [
  ['/addTopic', 'toPost'],
  ['/addQuestion', 'toAsk'],
  ['/user/control/', 'toOwn'],
  ['#write', 'toWrite'],
] as const

/** The reason for the login, where the page one comes from has one. */
export function LoginReason({ path }: { path: string }) {
  const words = useWords('account')
  const [, reason] = reasons.find(([part]) => path.includes(part)) ?? []
  return reason ? <p className="meta">{words(reason)}</p> : null
}
