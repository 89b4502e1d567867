// Imported first: it tells zod that the page's policy forbids code from text.
import '#base/web/no-eval.ts'
import { renderTestPage } from '#base/testing/test-page.tsx'
import { member } from '#account/web/account.tsx'
import { Toasts } from '#base/web/toast.tsx'
import { Bell } from '#notification/web/notification.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: the bell in a header, over a page that shows its URL. */

function Page() {
  return (
    <>
      <header style={{ display: 'flex', justifyContent: 'end', padding: 8 }}>
        <Bell />
        <button type="button">After</button>
      </header>
      <main>{location.pathname + location.search}</main>
      <Toasts />
    </>
  )
}

site.set({ apiUrl: '/api', open: { messages: true } } as unknown as Site)
member.set({
  userId: '5',
  account: 'tom',
  nickname: 'Tom',
  avatar: null,
  isOfficial: false,
  preferences: { language: null, theme: null, textSize: null, timeZone: null },
  joining: null,
  leavesAt: null,
})

renderTestPage(['/', '/thread', '/user/control/remindList', '/user/control/systemNotifyList'].map((path) => ({ path, Component: Page })))
