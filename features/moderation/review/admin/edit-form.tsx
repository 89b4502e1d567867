import { useLayoutEffect } from 'react'
import { useRevalidator } from 'react-router'
import { rememberSrc } from '#base/editor/picture-src.ts'
import { useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/queue.data.ts'
import { editReview } from '#review/contract.ts'
import { EditPost } from '#writing/admin/writing.tsx'
import css from '#review/admin/review-page.module.css'

/** Edits a pending post. */
export function EditForm({ post, close }: { post: Post; close: () => void }) {
  const words = useWords('reviewAdmin')
  const { revalidate } = useRevalidator()
  useLayoutEffect(() => rememberPictures(post), [post])
  return (
    <div className={css.edit}>
      <p className="meta">{words('editWhat')}</p>
      <EditPost
        kind={post.kind}
        sends={editReview}
        along={{ reviewId: post.id }}
        draftKey={`review ${post.id}`}
        found={{ ...post, title: post.newTitle ?? undefined }}
        reload={() => void revalidate()}
        close={close}
      />
    </div>
  )
}

// Only staff may see these pictures yet; the response of the queue brings the keys to load them.
function rememberPictures({ segments }: Post): void {
  for (const { html } of segments) {
    for (const [src, file = ''] of html.matchAll(/\/file\/(f_[\w-]{22})\?key=[^"&\s]+/g)) rememberSrc(file, src)
  }
}
