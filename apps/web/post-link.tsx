import { member, useLoginPath } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'

const paths = { topic: '/addTopic', question: '/addQuestion' } as const satisfies Record<ThreadKind, string>

/** Leads to where one opens a thread of this kind, by way of the log-in for visitors. */
export function PostLink({ kind }: { kind: ThreadKind }) {
  const words = useWords('topic')
  const me = member.use()
  const loginPath = useLoginPath(paths[kind])
  const { open } = useSite()
  if (!(kind === 'question' ? open.questions : open.topics)) return null
  return (
    <Link to={me ? paths[kind] : loginPath} className="button">
      {words('postTopic', { kind })}
    </Link>
  )
}
