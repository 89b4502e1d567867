import { useLoaderData, useRevalidator } from 'react-router'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { api, language, query, renderTestPage } from '#base/testing/test-page.tsx'
import '#base/web/form.tsx'
import { member, type Me } from '#account/web/account.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Segments } from '#base/web/html.tsx'
import { Toasts } from '#base/web/toast.tsx'
import type { HiddenView } from '#hidden-part/contract.ts'
import { HiddenPart, LockMark, locksOf, RevealedContext, type RevealedParts } from '#hidden-part/web/hidden-part.tsx'
import { loadRevealed } from '#hidden-part/web/revealed.ts'
import '#base/web/prose.css'
import '#base/web/pictures.css'

/** A test page: a post with hidden parts, and a place to comment. */

type Data = { segments: { html: string; hidden?: HiddenView }[]; seen: RevealedParts }

async function load(): Promise<Data> {
  const { segments } = (await api.read('/thread', {})) as Pick<Data, 'segments'>
  return { segments, seen: query.has('visitor') ? null : await loadRevealed(api, '1', [{ segments }]) }
}

function Page() {
  const { segments, seen } = useLoaderData<Data>()
  const { revalidate } = useRevalidator()
  return (
    <main className="column" style={{ padding: '24px 16px' }}>
      <h1>
        <LockMark locks={locksOf(segments)} />
        {language === 'zh' ? '几道门' : 'Some doors'}
      </h1>
      <RevealedContext value={{ seen, takesComments: !query.has('closed') }}>
        <Segments segments={segments} renderHidden={(part) => <HiddenPart of={part} />} />
      </RevealedContext>
      <div data-composer>
        <textarea aria-label="Comment" />
        <button type="button" onClick={() => void revalidate()}>
          Commented
        </button>
      </div>
      <Toasts />
      <DialogHost />
    </main>
  )
}

member.set(query.has('visitor') ? null : ({ userId: '7' } as Me))
renderTestPage([{ path: '*', Component: Page, loader: load }])
