import { useEffect, useState, type ReactNode } from 'react'
import type { Api } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import css from '#base/web/alike.module.css'

const restMs = 400
const shortest = 4

type AlikeProps<Found> = {
  title: string
  /** Searches for posts whose title is similar. */
  ask: (api: Api, title: string, signal: AbortSignal) => Promise<readonly Found[]>
  heading: string
  renderFound: (found: Found) => ReactNode
}

/** Existing posts that are similar to the title being typed, searched whenever typing pauses. */
export function Alike<Found extends { id: string }>({ title, ask, heading, renderFound }: AlikeProps<Found>) {
  const api = useApi()
  const [found, setFound] = useState<readonly Found[]>([])
  const asked = title.trim()
  useEffect(() => {
    const control = new AbortController()
    const asking = setTimeout(() => {
      if (asked.length < shortest) return setFound([])
      ask(api, asked, control.signal)
        .then(setFound)
        .catch((error: unknown) => control.signal.aborted || console.info('Nothing like it could be looked for', error))
    }, restMs)
    return () => {
      clearTimeout(asking)
      control.abort()
    }
  }, [api, ask, asked])
  return (
    <div aria-live="polite">
      {found.length > 0 && (
        <section className={css.alike}>
          <h2>{heading}</h2>
          <ul>
            {found.map((its) => (
              <li key={its.id}>{renderFound(its)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
