import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import type { ThreadState, ComposerState } from '#comment/web/thread-context.tsx'
import type { OwnWaitingView } from '#review/contract.ts'
import { WaitingPost } from '#review/web/waiting-post.tsx'
import { useSite } from '#setting/web/setting.tsx'

type Props = {
  posts: readonly OwnWaitingView[]
  /** A prop, because the context belongs to the page's chunk, which should not be split for this. */ desk: ThreadState
}

/** The member's own posts in a topic that await review or were rejected. */
export function OwnPending({ posts, desk }: Props) {
  const words = useWords('review')
  const place = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  const { siteState } = useSite()
  const change = useEffectEvent((kind?: string, postId?: string) => {
    const pendingPost = posts.find((post) => post.kind === kind && post.postId === postId)
    if (pendingPost && siteState === 'open') desk.write(editingOf(pendingPost))
  })
  useEffect(() => {
    const [, kind, postId] = /^#change-(\w+)-(\d+)$/.exec(hash) ?? []
    if (kind || hash === '#waiting') place.current?.scrollIntoView({ block: 'center' })
    change(kind, postId)
  }, [hash, key])
  return (
    <section ref={place} id="waiting" aria-label={words('ownHere')}>
      {posts.map((post) => (
        <PendingPost key={`${post.kind} ${post.postId}`} post={post} desk={desk} />
      ))}
    </section>
  )
}

function PendingPost({ post, desk: { writing, write, actions } }: { post: OwnWaitingView; desk: ThreadState }) {
  const words = useWords('review')
  const { siteState } = useSite()
  const { kind, postId } = post
  if (actions && writing?.kind === 'edit' && writing.of === kind && writing.id === postId) return <actions.EditForm {...writing} />
  return (
    <WaitingPost
      post={post}
      change={
        siteState === 'open' && (
          <button type="button" className="plain" onClick={() => write(editingOf(post))}>
            {words('change')}
          </button>
        )
      }
    />
  )
}

function editingOf({ kind, postId }: OwnWaitingView): ComposerState {
  return { kind: 'edit', of: kind === 'comment' ? kind : 'reply', id: postId }
}
