import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { member } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Asked } from '#search/web/asked.ts'
import type { suggestMembers } from '#user/contract.ts'

const mostNames = 6

/** Says that nobody goes by the name that was asked for; members, who may look for names, are offered those that begin so. */
export function NoSuchAuthor({ asked: { author = '' } }: { asked: Asked }) {
  const words = useWords('search')
  const [query] = useSearchParams()
  const near = useNear(author)

  function addressWith(name: string | null): string {
    const next = new URLSearchParams(query)
    next.delete('page')
    if (name === null) next.delete('author')
    else next.set('author', name)
    return `/search?${next}`
  }

  return (
    <div className="empty">
      <p>{words('noSuchAuthor', { name: author })}</p>
      {near.length > 0 && (
        <p>
          {words('nearAuthors')}{' '}
          {near.map((name) => (
            <Link key={name} to={addressWith(name)} className="plain">
              {name}
            </Link>
          ))}
        </p>
      )}
      <p>
        <Link to={addressWith(null)} className="button quiet">
          {words('anyAuthor')}
        </Link>
      </p>
    </div>
  )
}

function useNear(author: string): readonly string[] {
  const api = useApi()
  const isMember = Boolean(member.use())
  const [found, setFound] = useState<{ of: string; names: readonly string[] }>({ of: '', names: [] })
  useEffect(() => {
    if (!isMember || !author) return undefined
    const control = new AbortController()
    api.read<typeof suggestMembers>('/user/suggest', { query: author.slice(0, 25) }, { silent: true, signal: control.signal }).then(
      ({ members }) => setFound({ of: author, names: members.slice(0, mostNames).map(({ name }) => name) }),
      // Names are only a help: one can still search without.
      () => setFound({ of: author, names: [] }),
    )
    return () => control.abort()
  }, [api, author, isMember])
  return found.of === author ? found.names : []
}
