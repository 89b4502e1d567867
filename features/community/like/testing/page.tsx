// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { member, type Me } from '#account/web/account.tsx'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Toasts } from '#base/web/toast.tsx'
import type { Kind } from '#kind/contract.ts'
import type { MineFields } from '#post/parts-contract.ts'
import { Likes } from '#like/web/like.tsx'
import { MineContext } from '#post/web/post.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: the likes of a comment, which five members like. */

const isVisitor = query.has('visitor')
const none: Record<Kind, string[]> = { topic: [], comment: [], reply: [] }
const liked = { ...none, comment: query.has('liked') ? ['3'] : [] }

function Page() {
  return (
    <main className="column" id="comment-3">
      <MineContext value={isVisitor ? null : ({ liked } as MineFields)}>
        <Likes of={{ kind: 'comment', id: '3', authorId: query.has('own') ? '7' : '2' }} count={5} />
      </MineContext>
      <Toasts />
      <DialogHost />
    </main>
  )
}

site.set({ apiUrl: '/api', open: { likes: !query.has('closed') } } as unknown as Site)
member.set(isVisitor ? null : ({ userId: '7' } as Me))
renderTestPage([
  { path: '/login', Component: () => <p>The login</p> },
  { path: '*', Component: Page },
])
