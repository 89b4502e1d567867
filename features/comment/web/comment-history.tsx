import { useApi } from '#base/web/api.ts'
import { Time } from '#base/web/time.tsx'
import { Versions } from '#base/web/versions.tsx'
import { useWords } from '#base/web/words.tsx'
import type { commentHistory, ReplyView, replyHistory } from '#comment/contract.ts'
import { useDesk } from '#comment/web/desk.tsx'
import { remarks } from '#comment/web/remarks.ts'
import type { RemarkKind } from '#kind/contract.ts'

type Post = Pick<ReplyView, 'id' | 'publishedAt' | 'editedAt' | 'isEditedByStaff'>

/** When a post was written, and what it said before. */
export function Written({ kind, post }: { kind: RemarkKind; post: Post }) {
  const api = useApi()
  const words = useWords('comment')
  const { topic } = useDesk()
  const { named, calls } = remarks[kind]
  const asked = { topicId: topic.id, ...named(post.id) }
  const load = () => api.read<typeof commentHistory | typeof replyHistory>(calls.history, asked, { shared: true })
  return (
    <span className="meta">
      <Time at={post.publishedAt} />
      {post.editedAt && (
        <>
          {' · '}
          <Versions load={load} label={words(post.isEditedByStaff ? 'editedByStaff' : 'edited')} />
        </>
      )}
    </span>
  )
}
