import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { suggestMembers } from '#user/contract.ts'

const maxNames = 6

/** Members whose names begin like an unknown author's; only members may search for names. */
export function NearAuthors({ author }: { author: string }) {
  const words = useWords('search')
  const [query] = useSearchParams()
  const near = useNear(author)
  if (near.length === 0) return null
  return (
    <p>
      {words('nearAuthors')}
      {near.map((name) => (
        <Link key={name} to={`/search?${withAuthor(query, name)}`} className="plain">
          {name}
        </Link>
      ))}
    </p>
  )
}

function withAuthor(query: URLSearchParams, name: string): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete('page')
  next.set('author', name)
  return next
}

function useNear(author: string): readonly string[] {
  const api = useApi()
  const isMember = Boolean(member.use())
  const [found, setFound] = useState<{ of: string; names: readonly string[] }>({ of: '', names: [] })
  useEffect(() => {
    if (!isMember || !author) return undefined
    const control = new AbortController()
    api.read<typeof suggestMembers>('/user/suggest', { query: author.slice(0, 25) }, { silent: true, signal: control.signal }).then(
      ({ members }) => setFound({ of: author, names: members.slice(0, maxNames).map(({ name }) => name) }),
      // Suggestions are optional: the search works without them.
      () => setFound({ of: author, names: [] }),
    )
    return () => control.abort()
  }, [api, author, isMember])
  return found.of === author ? found.names : []
}
