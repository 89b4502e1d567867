import { useEffect, type RefObject } from 'react'
import { idlePart } from '#base/web/later.ts'
import { useWords } from '#base/web/words.tsx'

/** Gives what a post holds its tools, as often as it is drawn anew. They come after the text, and only where there is something for them. */
export function usePostTools(post: RefObject<HTMLElement | null>, drawn: unknown): void {
  const words = useWords('editor')
  useEffect(() => {
    const within = post.current
    if (!within?.querySelector('pre, .picture')) return
    const left = new AbortController()
    idlePart(import('#base/web/editor/post-tools.ts')).then(
      ({ addPostTools }) => left.signal.aborted || left.signal.addEventListener('abort', addPostTools(within, words)),
      (error: unknown) => console.info('The tools of a post did not come', error),
    )
    return () => left.abort()
  }, [post, drawn, words])
}
