import { useEffect, type RefObject } from 'react'
import { idlePart, inUse } from '#base/web/lazy-part.ts'
import { useWords } from '#base/web/words.tsx'

/** Adds the tools of a post's content after each render. They load after the text, and only if the post needs them. */
export function usePostTools(post: RefObject<HTMLElement | null>, drawn: unknown): void {
  const words = useWords('editor')
  useEffect(() => {
    const within = post.current
    if (!within?.querySelector('pre, .picture')) return
    const left = new AbortController()
    inUse()
      .then(() => idlePart(import('#base/editor/add-post-tools.ts')))
      .then(
        ({ addPostTools }) => left.signal.aborted || left.signal.addEventListener('abort', addPostTools(within, words)),
        (error: unknown) => console.info('The tools of a post did not come', error),
      )
    return () => left.abort()
  }, [post, drawn, words])
}
