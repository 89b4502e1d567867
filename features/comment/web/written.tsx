import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ReplyView } from '#comment/contract.ts'

/** When a post was written, and whether it says now what it said then. */
export function Written({ post }: { post: Pick<ReplyView, 'publishedAt' | 'editedAt' | 'isEditedByStaff'> }) {
  const words = useWords('comment')
  return (
    <span className="meta">
      <Time at={post.publishedAt} />
      {post.editedAt && ` · ${words(post.isEditedByStaff ? 'editedByStaff' : 'edited')}`}
    </span>
  )
}
