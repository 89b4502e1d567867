import { useEffect, useState, type ReactNode } from 'react'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import css from '#base/web/similar-posts.module.css'

const debounceMs = 400
const minLength = 4

type SimilarPostsProps<Found> = {
  title: string
  /** Searches for posts whose title is similar. */
  search: (api: Api, title: string, signal: AbortSignal) => Promise<readonly Found[]>
  heading: string
  renderMatch: (found: Found) => ReactNode
}

/** Existing posts that are similar to the title being typed, searched whenever typing pauses. */
export function SimilarPosts<Found extends { id: string }>({ title, search, heading, renderMatch }: SimilarPostsProps<Found>) {
  const api = useApi()
  const [found, setFound] = useState<readonly Found[]>([])
  const query = title.trim()
  useEffect(() => {
    const control = new AbortController()
    const asking = setTimeout(() => {
      if (query.length < minLength) return setFound([])
      search(api, query, control.signal)
        .then(setFound)
        .catch((error: unknown) => control.signal.aborted || console.info('Nothing like it could be looked for', error))
    }, debounceMs)
    return () => {
      clearTimeout(asking)
      control.abort()
    }
  }, [api, search, query])
  return (
    <div aria-live="polite">
      {found.length > 0 && (
        <section className={css.alike}>
          <h2>{heading}</h2>
          <ul>
            {found.map((its) => (
              <li key={its.id}>{renderMatch(its)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
