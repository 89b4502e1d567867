import { useEffect, useEffectEvent, useState } from 'react'
import { onMemberLogout } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { Skeleton } from '#base/web/states.tsx'
import { createStore } from '#base/web/store.ts'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import type { listTags } from '#tag/contract.ts'
import { TagRail, type Tags } from '#tag/web/tag.tsx'
import css from '#apps/web/thread-rail.module.css'

/** The minimum number of headings for a table of contents. */
const minHeadings = 3

/** The left column of a thread: a table of contents for a long text, or the tags. */
export function ThreadRail({ tagId, kind }: { tagId: string; kind: ThreadKind }) {
  const words = useWords('topic')
  const [headings] = useState(headingsHere)
  if (headings.length < minHeadings) return <AllTags tagId={tagId} kind={kind} />
  return (
    <nav aria-label={words('contents')} className={css.contents}>
      <p>{words('contents')}</p>
      <ul>
        {headings.map((heading, at) => (
          <li key={at} data-level={heading.localName}>
            <button type="button" onClick={() => heading.scrollIntoView()}>
              {heading.textContent}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

// Never rendered on the server.
function headingsHere(): HTMLElement[] {
  return [...(document.querySelector('main article')?.querySelectorAll<HTMLElement>('.prose :is(h2, h3)') ?? [])]
}

// The tags are kept across threads.
const cachedTags = createStore<Tags | null>(null)
onMemberLogout(() => cachedTags.set(null))

function AllTags({ tagId, kind }: { tagId: string; kind: ThreadKind }) {
  const api = useApi()
  const tags = cachedTags.use()
  const ask = useEffectEvent(() => {
    api.read<typeof listTags>('/tag/list', {}, { shared: true, silent: true }).then(
      (all) => cachedTags.set(all.tags),
      (error: unknown) => console.info('The tags did not come', error),
    )
  })
  useEffect(() => ask(), [])
  return tags ? <TagRail tags={tags} list={kind === 'question' ? '/askList' : '/index'} chosen={tagId} /> : <Skeleton lines={8} />
}
