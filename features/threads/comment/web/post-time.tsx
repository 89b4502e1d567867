import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ReplyView } from '#comment/contract.ts'

/** The time of a post, and whether it was edited. */
export function PostTime({ post }: { post: Pick<ReplyView, 'publishedAt' | 'editedAt' | 'isEditedByStaff'> }) {
  const words = useWords('comment')
  return (
    <span className="meta">
      <Time at={post.publishedAt} />
      {post.editedAt && ` · ${words(post.isEditedByStaff ? 'editedByStaff' : 'edited')}`}
    </span>
  )
}
