// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { renderTestPage } from '#base/testing/test-page.tsx'
import { ShareCard } from '#base/web/share-card.tsx'
import { sharing } from '#base/web/share.ts'
import { Toasts } from '#base/web/toast.tsx'

/** A test page: the share card of a topic. */

function Page() {
  return (
    <main className="column">
      <h1>Spring tea</h1>
      <button type="button" onClick={() => sharing.set({ path: '/thread?topicId=42', title: 'Spring tea' })}>
        Share card of the topic
      </button>
      <ShareCard />
      <Toasts />
    </main>
  )
}

renderTestPage([{ path: '*', Component: Page }])
