import { Outlet, useLoaderData, useLocation } from 'react-router'
// First, because it tells zod that the page's policy forbids code from strings.
import '#base/web/no-eval.ts'
import { api, query, renderTestPage } from '#base/testing/test-page.tsx'
import { member, type Me } from '#account/web/account.tsx'
import { NewTopics } from '#apps/web/new-topics.tsx'
import { ThreadPages, type ThreadPage } from '#apps/web/thread-pages.tsx'
import { site, type Site } from '#setting/web/setting.tsx'

/** A test page: a list of topics in pages, with the news of it, and a topic. */

const read = (page: number): Promise<ThreadPage> => api.read('/topic/list', { page }) as Promise<ThreadPage>

function Topics() {
  const first = useLoaderData<ThreadPage>()
  const { key } = useLocation()
  return (
    <>
      <h1>Topics</h1>
      <div style={{ position: 'relative', height: 40 }}>
        <NewTopics of={{ threads: first.threads, isWhole: false, sort: 'new', onlyQuestions: false }} tagId={undefined} />
      </div>
      <ThreadPages key={key} first={{ ...first, reading: [] }} read={read} tagId={undefined} />
    </>
  )
}

const its = { apiUrl: '/api', showsExcerpts: true, open: {} } as unknown as Site
site.set(its)
member.set(query.has('member') ? ({ userId: '1' } as Me) : null)
renderTestPage([
  {
    id: 'site',
    path: '/',
    loader: () => its,
    Component: () => (
      <main>
        <Outlet />
      </main>
    ),
    children: [
      { path: 'index', loader: () => read(1), Component: Topics },
      { path: 'thread', Component: () => <h1>One topic</h1> },
    ],
  },
])
