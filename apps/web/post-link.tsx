import { member, useLoginPath } from '#account/web/account.tsx'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'

const paths = { topic: '/addTopic', question: '/addQuestion' } as const satisfies Record<ThreadKind, string>

/** A link to a new thread of this kind, in the given tag, by way of the login for visitors. */
export function PostLink({ kind, tagId }: { kind: ThreadKind; tagId?: string | undefined }) {
  const words = useWords('topic')
  const me = member.use()
  const path = tagId ? `${paths[kind]}?tagId=${tagId}` : paths[kind]
  const loginPath = useLoginPath(path)
  const { open } = useSite()
  if (!(kind === 'question' ? open.questions : open.topics)) return null
  return (
    <Link to={me ? path : loginPath} className="button quiet">
      {words(tagId ? 'postHere' : 'postTopic', { kind })}
    </Link>
  )
}
