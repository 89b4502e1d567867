// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { renderTestPage } from '#base/testing/test-page.tsx'
import { Link } from '#base/web/link.tsx'
import { NameCard } from '#apps/web/name-card.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: a post with the name of its author, and the page of that member. */

function Post() {
  return (
    <main id="content">
      <button type="button">Before</button>
      <article style={{ padding: '120px 40px' }}>
        <Link to="/user/control/home?userId=7">Mei</Link>
        <p>The words of a post.</p>
      </article>
      <NameCard />
    </main>
  )
}

site.set({ apiUrl: '/api', open: { messages: true } } as unknown as Site)
renderTestPage([
  { path: '/user/control/home', Component: () => <h1>The page of Mei</h1> },
  { path: '*', Component: Post },
])
